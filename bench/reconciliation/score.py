"""Scores forecasts of a hierarchy at rolling origins; usage: SET_FOLDER ORIGINS.

SET_FOLDER was made by cut_origins.py and filled: in each of the first ORIGINS lie actual.parquet, base/forecast.parquet, ours/METHOD/forecast.parquet and
theirs/METHOD.INTERVALS.parquet, all with the same rows and the same quantile levels as columns. Prints {"base": SCORE, "ours": {METHOD: SCORE}, "theirs":
{METHOD: {INTERVALS: SCORE}}}, the means over the origins; what is missing at an origin has no score.

A score is the scaled CRPS of Rangapuram et al., "End-to-end learning of coherent probabilistic forecasts for hierarchical time series" (ICML 2021), which the
experiments of hierarchicalforecast report: twice the mean quantile loss, summed over the nodes and steps of a level of the tree and divided by the sum of the
absolute actual values there, averaged over the levels. Dividing node by node instead has no value where a node sold nothing in all steps, as some of these do.
A node lies as deep as it has values joined by `/`.
"""

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl

set_folder, origins = Path(sys.argv[1]), int(sys.argv[2])
ORDER = ["item_id", "timestamp"]


def read(path: Path) -> pl.DataFrame:
    return pl.read_parquet(path).with_columns(pl.col("timestamp").cast(pl.Datetime("ms"))).sort(ORDER)


def scaled_crps(actual: pl.DataFrame, path: Path) -> float:
    table = read(path)
    if not table.select(ORDER).equals(actual.select(ORDER)):
        sys.exit(f"{path} has other rows than the actual values")
    names = [name for name in table.columns if name not in (*ORDER, "mean")]
    shares, target = np.array(names, dtype=float), actual["target"].to_numpy()
    error = target[:, None] - table.select(names).to_numpy()
    losses = np.maximum(shares * error, (shares - 1) * error).mean(axis=1)
    item = pl.col("item_id")
    depth = actual.select(pl.when(item == "total").then(0).otherwise(item.str.count_matches("/", literal=True) + 1)).to_series().to_numpy()
    return float(np.mean([2 * losses[depth == at].sum() / np.abs(target[depth == at]).sum() for at in np.unique(depth)]))


scores: dict[str, list[float]] = {}
for origin in range(1, origins + 1):
    folder = set_folder / f"{origin:02d}"
    actual = read(folder / "actual.parquet")
    tables = {
        "base": folder / "base" / "forecast.parquet",
        **{f"ours/{path.parent.name}": path for path in folder.glob("ours/*/forecast.parquet")},
        **{f"theirs/{path.stem}": path for path in folder.glob("theirs/*.parquet")},
    }
    for name, path in tables.items():
        scores.setdefault(name, []).append(scaled_crps(actual, path))

means = {name: float(np.mean(values)) for name, values in scores.items() if len(values) == origins}
theirs: dict[str, dict[str, float]] = {}
for name, mean in means.items():
    if name.startswith("theirs/"):
        method, intervals = name.removeprefix("theirs/").rsplit(".", 1)
        theirs.setdefault(method, {})[intervals] = mean
ours = {name.removeprefix("ours/"): mean for name, mean in means.items() if name.startswith("ours/")}
print(json.dumps({"base": means["base"], "ours": ours, "theirs": theirs}))
