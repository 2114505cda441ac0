"""Trains LightGBM on raw columns; usage: FOLDER OBJECTIVE ROUNDS THREADS [NAME=VALUE ...].

FOLDER is what the example `boost_speed` of crates/trees reads: columns.txt (a line a feature: a name, a blank, n or c), train.f64 and test.f64.
OBJECTIVE is regression, binary or multiclass:CLASSES; the rest are parameters, defaults otherwise. Prints {"trees", "leaves", "wall_s", "cpu_s",
"peak_mib", "test_loss"}: bins and training are timed, reading is not; the loss is half the squared error, or the logarithm of the probability.
"""

import json
import resource
import sys
import time
from pathlib import Path

import lightgbm
import numpy as np

folder, objective, rounds, threads = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
objective, _, classes = objective.partition(":")
kinds = [line.rsplit(" ", 1)[1] for line in (folder / "columns.txt").read_text().splitlines()]
categorical = [at for at, kind in enumerate(kinds) if kind == "c"]
params = {"objective": objective, "num_threads": threads, "verbose": -1, "seed": 0}
params |= {"num_class": int(classes)} if classes else {}
params |= dict(setting.split("=", 1) for setting in sys.argv[5:])


def read(name: str) -> tuple[np.ndarray, np.ndarray]:
    columns = np.fromfile(folder / name, "<f8").reshape(len(kinds) + 1, -1)
    # Column after column, which LightGBM bins a little faster than rows, without a copy.
    return columns[:-1].T, columns[-1].copy()


x, y = read("train.f64")
began, cpu = time.monotonic(), time.process_time()
data = lightgbm.Dataset(x, y, categorical_feature=categorical, params=params)
model = lightgbm.train(params, data, rounds)
wall, cpu = time.monotonic() - began, time.process_time() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
x, y = read("test.f64")
raw = model.predict(x, raw_score=True)
if objective == "regression":
    losses = 0.5 * (raw - y) ** 2
elif objective == "binary":
    losses = np.logaddexp(0, raw) - y * raw
else:
    losses = np.log(np.exp(raw).sum(axis=1)) - raw[np.arange(len(y)), y.astype(int)]
leaves = sum(tree["num_leaves"] for tree in model.dump_model()["tree_info"])
print(json.dumps({"trees": model.num_trees(), "leaves": leaves, "wall_s": wall, "cpu_s": cpu, "peak_mib": peak, "test_loss": float(losses.mean())}))
