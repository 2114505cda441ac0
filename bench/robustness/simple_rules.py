"""What simple rules say about the short series of a panel; usage: ORIGIN_FOLDER SEASON OUT_FOLDER.

ORIGIN_FOLDER is one of cut_short.py. OUT_FOLDER gets naive.parquet and shape.parquet (item_id, timestamp, mean), for the steps of actual.parquet.

naive: the last season again, or the last value where the history has not a whole one.
shape: the pooled mean shape. A step's place is its number counted back from the end of its series, modulo the season: series end together. Each whole series is divided by
its mean over the last eight seasons; the shape is the mean over series and seasons at each place; a short series is the shape times its level, the
sum of its values over the sum of the shape at their places.
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl

folder, season, out_folder = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
SEASONS = 8

out_folder.mkdir(parents=True, exist_ok=True)
train = pl.read_parquet(folder / "train.parquet")
short = set(pl.read_parquet(folder / "short.parquet")["item_id"])
rows = {"naive": [], "shape": []}
series = {key[0]: part["target"].to_numpy() for key, part in train.group_by("item_id", maintain_order=True)}

profiles = []
for item, values in series.items():
    recent = values[-SEASONS * season :]
    level = np.nanmean(recent) if len(recent) else 0
    if item not in short and len(recent) >= season and level > 0:
        places = -np.arange(len(recent), 0, -1) % season
        profiles.append([np.nanmean((recent / level)[places == place]) for place in range(season)])
shape = np.nanmean(np.array(profiles), axis=0) if profiles else np.ones(season)

for key, ahead in pl.read_parquet(folder / "actual.parquet").group_by("item_id", maintain_order=True):
    values = series[key[0]]
    steps = np.arange(len(ahead))
    known = ~np.isnan(values)
    past = shape[-np.arange(len(values), 0, -1) % season]
    level = np.sum(values[known]) / max(np.sum(past[known]), 1e-9)
    filled = values[known]
    last = filled[-1]
    naive = np.full(len(ahead), last)
    if len(values) >= season:
        naive = values[-season:][steps % season]
        naive = np.where(np.isnan(naive), last, naive)
    for name, mean in [("naive", naive), ("shape", level * shape[steps % season])]:
        rows[name].append(ahead.select("item_id", "timestamp").with_columns(pl.Series("mean", mean)))
for name, tables in rows.items():
    pl.concat(tables).write_parquet(out_folder / f"{name}.parquet")
