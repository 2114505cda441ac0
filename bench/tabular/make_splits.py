"""Writes the rows to test on of every table; usage: DATA FOLDER.

DATA/tab has NAME.csv and splits/NAME.test_rows.txt. The first split of a table is that file; a table of fewer than 2,000 rows gets four more of as many rows, drawn
in proportion to its classes, or to five equal parts of its numbers, by numpy's `default_rng([20261122, REPEAT])`. Writes FOLDER/NAME.REPEAT.txt; prints
[{"name", "label", "task", "rows", "columns", "splits": [path]}].
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pandas as pd

TABLES = json.loads((Path(__file__).parents[1] / "tables.json").read_text())
LABELS = {name: table["label"] for name, table in TABLES.items()}
REGRESSION = {name for name, table in TABLES.items() if table["task"] == "regression"}
FEW_ROWS = 2_000
REPEATS = 5
STRATA = 5
data, folder = Path(sys.argv[1]) / "tab", Path(sys.argv[2])


def draw(strata: np.ndarray, count: int, repeat: int) -> np.ndarray:
    """About `count` rows, of each stratum its share; what is lost by rounding is drawn from the largest remainders."""
    random = np.random.default_rng([20261122, repeat])
    exact = np.bincount(strata) * count / len(strata)
    take = np.floor(exact).astype(int)
    take[np.argsort(take - exact, kind="stable")[: count - take.sum()]] += 1
    rows = [random.permutation(np.flatnonzero(strata == at))[:number] for at, number in enumerate(take)]
    return np.sort(np.concatenate(rows))


folder.mkdir(parents=True, exist_ok=True)
tables = []
for name, label in LABELS.items():
    table = pd.read_csv(data / f"{name}.csv")
    task = "regression" if name in REGRESSION else "classification"
    splits = [folder / f"{name}.1.txt"]
    shutil.copyfile(data / "splits" / f"{name}.test_rows.txt", splits[0])
    if len(table) < FEW_ROWS:
        target = table[label]
        strata = pd.factorize(target, sort=True)[0] if task == "classification" else pd.qcut(target, STRATA, labels=False, duplicates="drop").to_numpy()
        count = len(np.loadtxt(splits[0], dtype=int))
        for repeat in range(2, REPEATS + 1):
            splits.append(folder / f"{name}.{repeat}.txt")
            np.savetxt(splits[-1], draw(strata, count, repeat), fmt="%d")
    tables.append({
        "name": name, "label": label, "task": task, "rows": len(table), "columns": table.shape[1] - 1, "splits": [str(path) for path in splits],
    })
print(json.dumps(tables))
