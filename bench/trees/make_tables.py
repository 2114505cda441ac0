"""Turns the tables of the bench data into columns of numbers; usage: DATA FOLDER.

DATA/tab has NAME.csv and splits/NAME.test_rows.txt, the numbers of the rows to test on. Writes FOLDER/NAME/{columns.txt, train.f64, test.f64}, columns of doubles one
after the other with the target last: text columns become codes in order of their texts, missing values NaN, classes codes, and numbers to predict are
divided by their standard deviation in training. Prints [{"name", "classes" (0: a number is predicted), "rows", "features"}].
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd

TABLES = json.loads((Path(__file__).parents[1] / "tables.json").read_text())
TARGETS = {name: table["label"] for name, table in TABLES.items()}
REGRESSION = {name for name, table in TABLES.items() if table["task"] == "regression"}
data, folder = Path(sys.argv[1]) / "tab", Path(sys.argv[2])


def is_text(column: pd.Series) -> bool:
    return not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column)


def encode(column: pd.Series) -> np.ndarray:
    if not is_text(column):
        return column.to_numpy(float, na_value=np.nan)
    codes, _ = pd.factorize(column.astype(str).where(column.notna()), sort=True)
    return np.where(codes < 0, np.nan, codes)


tables = []
for name, label in TARGETS.items():
    table = pd.read_csv(data / f"{name}.csv")
    target = table.pop(label)
    test = np.loadtxt(data / "splits" / f"{name}.test_rows.txt", dtype=int)
    train = np.setdiff1d(np.arange(len(table)), test)
    if name in REGRESSION:
        y = target.to_numpy(float)
        y = y / y[train].std()
    else:
        y = pd.factorize(target, sort=True)[0].astype(float)
    columns = [encode(table[column]) for column in table]
    out = folder / name
    out.mkdir(parents=True, exist_ok=True)
    (out / "columns.txt").write_text("".join(f"x{at} {'c' if is_text(table[column]) else 'n'}\n" for at, column in enumerate(table)))
    for part, rows in (("train", train), ("test", test)):
        np.array([column[rows] for column in [*columns, y]]).astype("<f8").tofile(out / f"{part}.f64")
    classes = 0 if name in REGRESSION else int(y.max()) + 1
    tables.append({"name": name, "classes": classes, "rows": len(train), "features": len(columns)})
print(json.dumps(tables))
