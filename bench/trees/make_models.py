"""Trains the models that SHAP is measured on; usage: FOLDER ROWS DEPTH...

Writes FOLDER/train/{train.f64, columns.txt} (20,000 rows, for the tables of symmetric trees), rows.f64 (the first ROWS of them), many.f64
(100,000 other rows), and for each DEPTH lightgbm_DEPTH.txt and xgboost_DEPTH.json: 200 trees of up to 2^DEPTH leaves on 30 features. Arrays are columns of doubles,
one after the other, the target last in train.f64.
"""

import json
import sys
from pathlib import Path

import lightgbm
import numpy as np
import xgboost

folder, rows, depths = Path(sys.argv[1]), int(sys.argv[2]), [int(text) for text in sys.argv[3:]]
FEATURES, TREES = 30, 200
random = np.random.default_rng(7)


def write(path: Path, *columns: np.ndarray) -> None:
    np.concatenate([np.atleast_2d(array) for array in columns]).astype("<f8").tofile(path)


# XGBoost reads single precision; numbers that have it fall on the same side of a threshold everywhere.
x = random.standard_normal((20_000, FEATURES)).astype(np.float32).astype(float)
x[random.random(x.shape) < 0.02] = np.nan
z = np.nan_to_num(x)
target = 2 * z[:, 0] + 2 * np.sin(3 * z[:, 1]) + z[:, 2] * z[:, 3] + np.where(z[:, 4] > 0, z[:, 5], -z[:, 6])
target += 0.3 * z[:, 7:20].sum(axis=1) * z[:, 20] + 0.5 * random.standard_normal(len(x))
train = folder / "train"
train.mkdir(exist_ok=True)
(train / "columns.txt").write_text("".join(f"x{at} n\n" for at in range(FEATURES)))
write(train / "train.f64", x.T, target)
write(folder / "rows.f64", x[:rows].T)
write(folder / "many.f64", random.standard_normal((FEATURES, 100_000)))

leaves = {}
for depth in depths:
    params = {"objective": "regression", "learning_rate": 0.05, "max_depth": depth, "num_leaves": 2**depth, "verbose": -1, "num_threads": 1, "seed": 1}
    model = lightgbm.train(params, lightgbm.Dataset(x, target), TREES)
    model.save_model(folder / f"lightgbm_{depth}.txt")
    leaves[f"lightgbm_{depth}"] = sum(tree["num_leaves"] for tree in model.dump_model()["tree_info"]) / TREES
    params = {"objective": "reg:squarederror", "eta": 0.05, "max_depth": depth, "min_child_weight": 20, "nthread": 1, "seed": 1, "tree_method": "hist"}
    model = xgboost.train(params, xgboost.DMatrix(x, target), TREES)
    model.save_model(folder / f"xgboost_{depth}.json")
    leaves[f"xgboost_{depth}"] = sum("leaf" in line for tree in model.get_dump() for line in tree.splitlines()) / TREES
print(json.dumps(leaves))
