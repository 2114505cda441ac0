"""Scores forecasts of the short series of a panel; usage: SET_FOLDER ORIGINS NAME [NAME ...].

Each of the first ORIGINS folders holds actual.parquet and short.parquet of cut_short.py and NAME.parquet or NAME/forecast.parquet (item_id, timestamp, mean). Prints
{NAME: {"wape", "by_length": {...}}}: the sum of absolute errors over the sum of absolute targets of all short series and origins; a step that one forecast does not have is
left out for all of them.
"""

import json
import sys
from pathlib import Path

import polars as pl

set_folder, origins, *names = sys.argv[1:]
tables = []
for origin in range(1, int(origins) + 1):
    folder = Path(set_folder) / str(origin)
    lengths = pl.read_parquet(folder / "short.parquet").group_by("item_id").agg(pl.len().alias("length"))
    joined = pl.read_parquet(folder / "actual.parquet").drop_nulls("target").join(lengths, on="item_id")
    for name in names:
        path = folder / f"{name}.parquet"
        table = pl.read_parquet(path if path.exists() else folder / name / "forecast.parquet")
        table = table.select("item_id", pl.col("timestamp").dt.replace_time_zone(None).cast(pl.Datetime("ms")), pl.col("mean").alias(name))
        joined = joined.join(table, on=["item_id", "timestamp"])
    tables.append(joined)
joined = pl.concat(tables)


def wape(rows: pl.DataFrame, name: str) -> float:
    return float((rows[name] - rows["target"]).abs().sum() / rows["target"].abs().sum())


lengths = sorted(joined["length"].unique())
print(json.dumps({
    name: {"wape": wape(joined, name), "by_length": {str(length): wape(joined.filter(pl.col("length") == length), name) for length in lengths}} for name in names
}))
