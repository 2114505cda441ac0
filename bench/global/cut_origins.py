"""Cuts a panel into rolling origins; usage: SET.{csv,parquet} HORIZON ORIGINS COVARIATES OUT_FOLDER.

SET is long (item_id, timestamp, target and the COVARIATES, comma separated, none when empty). Origins lie a horizon apart, the last of them a horizon before the
end of each series: the markets of one set were recorded in different years. OUT_FOLDER gets a folder an origin, 1 the last one: train.parquet with the rows up to it and, with null targets, the covariates of the horizon;
actual.parquet with the targets of the horizon. An amount that is missing where others of its column are not is 0 if its column is a markdown, else
the next one of the series, or the one before: both sides get the same table. Prints {"series", "rows"}.
"""

import json
import sys
from pathlib import Path

import polars as pl

path, horizon, origins, covariates, out_folder = sys.argv[1:]
horizon, names = int(horizon), [name for name in covariates.split(",") if name]

whole = pl.read_csv(path, try_parse_dates=True) if path.endswith(".csv") else pl.read_parquet(path)
whole = whole.select("item_id", pl.col("timestamp").cast(pl.Datetime("ms")), pl.col("target").cast(pl.Float64), *names).sort("item_id", "timestamp")
whole = whole.with_columns(
    pl.col(name).fill_null(0) if name.startswith("MarkDown") else pl.col(name).backward_fill().over("item_id").forward_fill().over("item_id")
    for name in names
)
left = pl.len().over("item_id") - pl.int_range(pl.len()).over("item_id")
for origin in range(1, int(origins) + 1):
    folder = Path(out_folder) / str(origin)
    folder.mkdir(parents=True)
    seen = whole.filter(left > (origin - 1) * horizon).with_columns((left <= horizon).alias("ahead"))
    known = seen if names else seen.filter(~pl.col("ahead"))
    known.with_columns(pl.when("ahead").then(None).otherwise("target").alias("target")).drop("ahead").write_parquet(folder / "train.parquet")
    seen.filter("ahead").select("item_id", "timestamp", "target").write_parquet(folder / "actual.parquet")
print(json.dumps({"series": whole["item_id"].n_unique(), "rows": len(whole)}))
