"""Weighted quantile loss of the variants of plant.py; usage: SET_FOLDER NAME.

Each variant has actual.parquet and NAME/forecast.parquet with the quantiles .1 to .9. Prints {variant: {"wql", "closed"}}: twice the quantile losses over the sum of absolute
targets, the mean of the levels; and the largest number that is forecast for a step at a place that is zero throughout in `zeros`.
"""

import json
import sys
from pathlib import Path

import polars as pl

set_folder, name = sys.argv[1:]
LEVELS = [level / 10 for level in range(1, 10)]
found = {}
for variant in ["clean", "outlier", "zeros"]:
    folder = Path(set_folder) / variant
    table = pl.read_parquet(folder / name / "forecast.parquet")
    table = table.with_columns(pl.col("timestamp").dt.replace_time_zone(None).cast(pl.Datetime("ms")))
    joined = pl.read_parquet(folder / "actual.parquet").drop_nulls("target").join(table, on=["item_id", "timestamp"])
    size = joined["target"].abs().sum()
    losses = []
    for level in LEVELS:
        gap = joined["target"] - joined[f"{level:g}"]
        losses.append(2 * (gap.clip(lower_bound=0) * level - gap.clip(upper_bound=0) * (1 - level)).sum() / size)
    closed = joined.filter("closed")
    most = max([float(closed[f"{level:g}"].max() or 0) for level in LEVELS] + [0.0]) if len(closed) else 0.0
    found[variant] = {"wql": sum(losses) / len(losses), "closed": most}
print(json.dumps(found))
