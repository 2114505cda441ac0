"""MASE of forecasts of single short series; usage: NAME,NAME,... FOLDER [FOLDER ...].

Each folder is one of cut_singles.py, with NAME.parquet or NAME/forecast.parquet. Prints {NAME: MASE}, the mean over series of the mean absolute error over the mean absolute
difference of the history.
"""

import json
import sys
from pathlib import Path

import polars as pl

names, folders = sys.argv[1].split(","), [Path(folder) for folder in sys.argv[2:]]
scores: dict[str, list[float]] = {name: [] for name in names}
for folder in folders:
    scale = float(pl.read_parquet(folder / "train.parquet").sort("timestamp")["target"].drop_nulls().diff().abs().mean())
    joined = pl.read_parquet(folder / "actual.parquet").drop_nulls("target")
    for name in names:
        path = folder / f"{name}.parquet"
        table = pl.read_parquet(path if path.exists() else folder / name / "forecast.parquet")
        stamp = pl.col("timestamp").dt.replace_time_zone(None).cast(pl.Datetime("ms"))
        joined = joined.join(table.select(stamp, pl.col("mean").alias(name)), on="timestamp")
    if len(joined) == 0:
        continue
    for name in names:
        scores[name].append(float((joined[name] - joined["target"]).abs().mean()) / scale)
print(json.dumps({name: sum(values) / len(values) for name, values in scores.items()}))
