"""Writes the table that boosting is timed on; usage: FOLDER ROWS.

FOLDER/{columns.txt, train.f64, test.f64}: 60 standard normal features and a target, columns of doubles one after the other; 50,000 more rows to
test on. Every feature that matters does so on its own as well. Were one to matter only together with another, as in a product, then chance would say
when its first split is found, and losses of equal work would be far apart.
"""

import sys
from pathlib import Path

import numpy as np

folder, rows = Path(sys.argv[1]), int(sys.argv[2])
FEATURES, TEST = 60, 50_000
random = np.random.default_rng(1)
x = random.standard_normal((rows + TEST, FEATURES))
target = 8 * np.sin(x[:, 0] + x[:, 1]) + 2 * x[:, 2] ** 2 + 3 * x[:, 3] * (x[:, 4] > 0)
target += x[:, 5:20] @ random.standard_normal(15) + np.abs(x[:, 20:30]) @ random.standard_normal(10)
target += 3 * random.standard_normal(rows + TEST)

folder.mkdir(parents=True, exist_ok=True)
(folder / "columns.txt").write_text("".join(f"x{at} n\n" for at in range(FEATURES)))
for name, part in {"train": slice(0, rows), "test": slice(rows, None)}.items():
    np.concatenate([x[part].T, target[None, part]]).astype("<f8").tofile(folder / f"{name}.f64")
