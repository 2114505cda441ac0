"""Cuts a hierarchy into rolling origins; usage: SET.{csv,parquet} COLUMNS HORIZON MOST WINDOWS OUT_FOLDER.

SET is long (timestamp, target and the hierarchy COLUMNS, comma separated, top first) and holds the bottom series. Origins lie a horizon apart, the last of them
a horizon before the end, MOST at the most, and at least half of the steps precede the first. WINDOWS more origins before that are the residual windows of the
first ones. Series that end before the set does are left out, as nothing tells how a forecast of theirs did; those that begin late count from then on.
OUT_FOLDER gets a folder an origin, 01 the last one: nodes.parquet with every node up to the origin (item_id, timestamp, target; the total is called
`total`, any other node by its values joined with `/`), train.parquet with the bottom series up to it, actual.parquet with every node in the horizon after it;
a residual window has the first of these only. Prints {"origins", "nodes", "bottom", "left_out"}.
"""

import json
import sys
from pathlib import Path

import polars as pl

path, columns, horizon, most, windows, out_folder = sys.argv[1:]
columns, horizon, windows = columns.split(","), int(horizon), int(windows)

whole = pl.read_csv(path, try_parse_dates=True) if path.endswith(".csv") else pl.read_parquet(path)
whole = whole.select(pl.col("timestamp").cast(pl.Datetime("ms")), "target", *columns)
running = whole.filter(pl.col("timestamp").max().over(columns) == pl.col("timestamp").max()).sort(*columns, "timestamp")
stamps = running["timestamp"].unique().sort()
origins = min(int(most), len(stamps) // 2 // horizon)

names = [pl.lit("total")] + [pl.concat_str(columns[: depth + 1], separator="/") for depth in range(len(columns))]
nodes = pl.concat(
    running.group_by(name.alias("item_id"), "timestamp").agg(pl.col("target").sum()).sort("item_id", "timestamp") for name in names
)
for origin in range(1, origins + windows + 1):
    folder = Path(out_folder) / f"{origin:02d}"
    folder.mkdir(parents=True)
    begin = len(stamps) - origin * horizon
    ahead = stamps[begin : begin + horizon]
    nodes.filter(pl.col("timestamp") < ahead[0]).write_parquet(folder / "nodes.parquet")
    if origin <= origins:
        running.filter(pl.col("timestamp") < ahead[0]).write_parquet(folder / "train.parquet")
        nodes.filter(pl.col("timestamp").is_between(ahead[0], ahead[-1])).write_parquet(folder / "actual.parquet")

bottom = running.select(columns).n_unique()
print(
    json.dumps(
        {
            "origins": origins,
            "nodes": nodes["item_id"].n_unique(),
            "bottom": bottom,
            "left_out": whole.select(columns).n_unique() - bottom,
        }
    )
)
