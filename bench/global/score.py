"""Scores forecasts at rolling origins; usage: SET_FOLDER ORIGINS SEASON NAME [NAME ...].

Each of the first ORIGINS folders holds train.parquet and actual.parquet of cut_origins.py and NAME/forecast.parquet (item_id, timestamp, mean). Prints
{NAME: MASE}: absolute errors over the mean absolute seasonal difference before the origin (Hyndman and Koehler, 2006), the mean of the steps of a series, of the
series, and of the origins. Steps without an actual value are left out, and series that did not change within the season before the origin; so are,
for all of them, steps that one does not forecast, as ours begin after the last observation: at most one of a hundred.
"""

import json
import sys
from pathlib import Path

import polars as pl

set_folder, origins, season, *names = sys.argv[1:]
scores: dict[str, list[float]] = {name: [] for name in names}
for origin in range(1, int(origins) + 1):
    folder = Path(set_folder) / str(origin)
    past = pl.read_parquet(folder / "train.parquet").sort("item_id", "timestamp")
    difference = (pl.col("target") - pl.col("target").shift(int(season)).over("item_id")).abs()
    scale = past.with_columns(difference.alias("scale")).group_by("item_id").agg(pl.col("scale").mean()).filter(pl.col("scale") > 0)
    actual = pl.read_parquet(folder / "actual.parquet").drop_nulls("target").join(scale, on="item_id")
    joined = actual
    for name in names:
        table = pl.read_parquet(folder / name / "forecast.parquet").with_columns(pl.col("timestamp").dt.replace_time_zone(None).cast(pl.Datetime("ms")))
        joined = joined.join(table.select("item_id", "timestamp", pl.col("mean").alias(name)), on=["item_id", "timestamp"])
    if len(joined) < 0.99 * len(actual):
        sys.exit(f"origin {origin} has {len(joined)} of {len(actual)} rows")
    for name in names:
        error = (pl.col(name) - pl.col("target")).abs() / pl.col("scale")
        scores[name].append(float(joined.with_columns(error.alias("error")).group_by("item_id").agg(pl.col("error").mean())["error"].mean()))
print(json.dumps({name: sum(values) / len(values) for name, values in scores.items()}))
