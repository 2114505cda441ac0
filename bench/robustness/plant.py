"""Plants outliers or structural zeros in a panel; usage: SET.{csv,parquet} HORIZON SEASON SERIES OUT_FOLDER.

SET is long (item_id, timestamp, target); the SERIES first series by a hash are taken, the last 500 values of each before the horizon. OUT_FOLDER gets a folder a variant, each
with train.parquet and actual.parquet: clean; outlier, where one value of each series, anywhere, is a hundred times as large; zeros, where one place of the
season (two of more than 7) is zero throughout, in the horizon as well. Prints {"series"}.
"""

import hashlib
import json
import sys
from pathlib import Path

import polars as pl

path, horizon, season, series, out_folder = sys.argv[1:]
horizon, season, series = int(horizon), int(season), int(series)
LONGEST = 500
FACTOR = 100


def drawn(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


whole = pl.read_csv(path, try_parse_dates=True) if path.endswith(".csv") else pl.read_parquet(path)
whole = whole.select("item_id", pl.col("timestamp").cast(pl.Datetime("ms")), pl.col("target").cast(pl.Float64)).sort("item_id", "timestamp")
left = pl.len().over("item_id") - pl.int_range(pl.len()).over("item_id")
whole = whole.with_columns(left.alias("left")).filter(pl.col("left") <= horizon + LONGEST)
items = sorted(whole["item_id"].unique(), key=drawn)[:series]
whole = whole.filter(pl.col("item_id").is_in(items))
lengths = {item: length - horizon for item, length in whole.group_by("item_id").len().iter_rows()}
places = pl.DataFrame({
    "item_id": items,
    "hit": [horizon + 1 + drawn(f"{item} outlier") % lengths[item] for item in items],
    "closed": [drawn(f"{item} closed") % season for item in items],
})
whole = whole.join(places, on="item_id")
closed = pl.col("left") % season == pl.col("closed")
if season > 7:
    closed = closed | (pl.col("left") % season == (pl.col("closed") + 1) % season)
variants = {
    "clean": pl.col("target"),
    "outlier": pl.when(pl.col("left") == pl.col("hit")).then(pl.col("target").abs() * FACTOR).otherwise("target"),
    "zeros": pl.when(closed).then(0.0).otherwise("target"),
}
for name, target in variants.items():
    folder = Path(out_folder) / name
    folder.mkdir(parents=True, exist_ok=True)
    table = whole.with_columns(target.alias("target"))
    rows = table.with_columns(closed.alias("closed")).sort("item_id", "timestamp").select("item_id", "timestamp", "target", "left", "closed")
    rows.filter(pl.col("left") > horizon).drop("left", "closed").write_parquet(folder / "train.parquet")
    rows.filter(pl.col("left") <= horizon).drop("left").write_parquet(folder / "actual.parquet")
print(json.dumps({"series": len(items)}))
