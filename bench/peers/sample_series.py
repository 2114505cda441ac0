"""Draws series of a panel; usage: TRAIN.parquet SEASON_LENGTH PERIODS SAMPLE OUT.txt.

SAMPLE series are drawn without replacement by numpy's default_rng(7) from the sorted item ids. OUT has a line a series, in the order of
their ids: the season length, all periods separated by `:`, and the values separated by `,`, the three parts by `;`.
"""

import sys

import numpy as np
import polars as pl

train_path, season, periods, sample, out_path = sys.argv[1:]
panel = pl.read_parquet(train_path).select("item_id", "timestamp", "target").sort("item_id", "timestamp")
items = sorted(panel["item_id"].unique().to_list())
drawn = sorted(np.random.default_rng(7).choice(items, int(sample), replace=False).tolist())
series = panel.filter(pl.col("item_id").is_in(drawn)).group_by("item_id", maintain_order=True).agg("target")
with open(out_path, "w", encoding="ascii") as out:
    for values in series["target"]:
        out.write(f"{season};{periods};{','.join(map(repr, values.cast(pl.Float64).to_list()))}\n")
