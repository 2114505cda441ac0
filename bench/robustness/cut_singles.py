"""Writes each short series of a panel to a file of its own, with what simple rules say; usage: ORIGIN_FOLDER OUT_FOLDER.

ORIGIN_FOLDER is one of cut_short.py. OUT_FOLDER gets a folder a series that changes: train.parquet, actual.parquet, and ses.parquet and theta.parquet (item_id, timestamp, mean):
simple exponential smoothing and the dynamic optimised theta model of statsforecast. Prints {"folders"}.
"""

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl
from statsforecast.models import DynamicOptimizedTheta, SimpleExponentialSmoothingOptimized

folder, out_folder = Path(sys.argv[1]), Path(sys.argv[2])
actual = pl.read_parquet(folder / "actual.parquet").partition_by("item_id", as_dict=True)
folders = []
for number, (key, rows) in enumerate(pl.read_parquet(folder / "short.parquet").group_by("item_id", maintain_order=True)):
    values = rows["target"].drop_nulls().to_numpy().astype(float)
    if len(values) < 3 or not np.abs(np.diff(values)).sum() > 0:
        continue
    out = out_folder / str(number)
    out.mkdir(parents=True, exist_ok=True)
    rows.write_parquet(out / "train.parquet")
    ahead = actual[key]
    ahead.write_parquet(out / "actual.parquet")
    for name, model in [("ses", SimpleExponentialSmoothingOptimized()), ("theta", DynamicOptimizedTheta(season_length=1))]:
        try:
            mean = model.forecast(y=values, h=len(ahead))["mean"]
        except Exception:  # noqa: BLE001 - a rule that refuses a series has the last value there
            mean = np.full(len(ahead), values[-1])
        ahead.select("item_id", "timestamp").with_columns(pl.Series("mean", mean)).write_parquet(out / f"{name}.parquet")
    folders.append(str(out))
print(json.dumps({"folders": folders}))
