"""Cuts a panel into rolling origins; usage: SET.{csv,parquet} HORIZON ORIGINS STRIDE COVARIATES OUT_FOLDER.

SET is long (item_id, timestamp, target and the COVARIATES, comma separated). The last origin is a HORIZON before the end of each series, the others lie
STRIDE steps apart. OUT_FOLDER gets a folder an origin, 1 the last one: train.parquet with the rows up to it and, with null targets, the covariates of the
horizon; actual.parquet with the targets of the horizon. A markdown that is missing is 0. Prints {"series", "first", "last"}: the first and last origin.
"""

import json
import sys
from pathlib import Path

import polars as pl

path, horizon, origins, stride, covariates, out_folder = sys.argv[1:]
horizon, stride, names = int(horizon), int(stride), covariates.split(",")

whole = pl.read_csv(path, try_parse_dates=True) if path.endswith(".csv") else pl.read_parquet(path)
whole = whole.select("item_id", pl.col("timestamp").cast(pl.Datetime("ms")), pl.col("target").cast(pl.Float64), *names).sort("item_id", "timestamp")
whole = whole.with_columns(
    pl.col(name).fill_null(0) if name.startswith("MarkDown") else pl.col(name).backward_fill().over("item_id").forward_fill().over("item_id")
    for name in names
)
left = pl.len().over("item_id") - pl.int_range(pl.len()).over("item_id")
starts = []
for origin in range(1, int(origins) + 1):
    folder = Path(out_folder) / str(origin)
    folder.mkdir(parents=True)
    seen = whole.filter(left > (origin - 1) * stride).with_columns((left <= horizon).alias("ahead"))
    # Both forecasts get the same table: one is told the names of the covariates, the other is not.
    seen.with_columns(pl.when("ahead").then(None).otherwise("target").alias("target")).drop("ahead").write_parquet(folder / "train.parquet")
    actual = seen.filter("ahead").select("item_id", "timestamp", "target")
    actual.write_parquet(folder / "actual.parquet")
    starts.append(actual["timestamp"].min().isoformat())
print(json.dumps({"series": whole["item_id"].n_unique(), "first": starts[-1], "last": starts[0]}))
