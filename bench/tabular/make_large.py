"""Makes a table for time and memory; usage: ROWS COLUMNS FOLDER.

Two fifths of the columns are texts of 3 to 300 levels, the rest numbers, 3 % of both missing; the label `y`, yes or no, depends on six of each and on noise. Every fifth row is
tested on. The same in every run. Writes FOLDER/large.csv and FOLDER/large.test_rows.txt, prints null.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

count, width, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
folder.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng([20261122, count, width])
MISSING = 0.03
columns: dict[str, np.ndarray | pd.Series] = {}
margin = np.zeros(count)
for at in range(width):
    if at % 5 < 2:
        levels = [3, 10, 40, 300][at // 5 % 4]
        codes = random.integers(levels, size=count)
        effect = random.normal(0, 0.5, levels)[codes]
        values = pd.Series([f"level {code}" for code in range(levels)])[codes].reset_index(drop=True)
    else:
        values = pd.Series(random.normal(size=count).round(4))
        effect = np.sin(2 * values.to_numpy()) + 0.3 * values.to_numpy() * (margin > 0)
    if at < 12:
        margin += effect
    columns[f"c{at}"] = values.mask(random.random(count) < MISSING)
columns["y"] = np.where(margin + random.logistic(size=count) > 0, "yes", "no")
pd.DataFrame(columns).to_csv(folder / "large.csv", index=False)
np.savetxt(folder / "large.test_rows.txt", np.arange(0, count, 5), fmt="%d")
print("null")
