"""Cuts some series of a panel to a few observations; usage: SET.{csv,parquet} HORIZON FULL SHORT ORIGINS HALF OUT_FOLDER.

SET is long (item_id, timestamp, target). HALF is `development` or `held-out`: a hash of its id decides which half a series may be cut in, and each half has
lengths of its own, from 3 to 20, so that what was found with one half is judged with the other. OUT_FOLDER gets a folder an origin, 1 the last one, origins
a horizon apart: train.parquet with up to FULL whole series and up to SHORT cut ones, short.parquet with the cut ones alone, and actual.parquet with the
targets of these for the horizon. Prints {"full", "short"}.
"""

import hashlib
import json
import sys
from pathlib import Path

import polars as pl

LENGTHS = {"development": [3, 5, 8, 10, 14, 20], "held-out": [4, 6, 7, 9, 12, 17]}
# Of whole series: more teaches little about short ones.
LONGEST = 500

path, horizon, full, short, origins, half, out_folder = sys.argv[1:]
horizon, full, short, lengths = int(horizon), int(full), int(short), LENGTHS[half]

whole = pl.read_csv(path, try_parse_dates=True) if path.endswith(".csv") else pl.read_parquet(path)
whole = whole.select("item_id", pl.col("timestamp").cast(pl.Datetime("ms")), pl.col("target").cast(pl.Float64)).sort("item_id", "timestamp")


def drawn(item: str) -> int:
    return int.from_bytes(hashlib.sha256(item.encode()).digest()[:8], "big")


items = sorted(whole["item_id"].unique(), key=drawn)
cut = [item for item in items if (drawn(item) % 2 == 0) == (half == "development")][:short]
kept = [item for item in items if item not in cut][:full]
left = pl.len().over("item_id") - pl.int_range(pl.len()).over("item_id")
for origin in range(1, int(origins) + 1):
    folder = Path(out_folder) / str(origin)
    folder.mkdir(parents=True, exist_ok=True)
    seen = whole.filter(left > (origin - 1) * horizon).with_columns(left.alias("left"))
    sizes = pl.DataFrame({"item_id": cut, "size": [lengths[(place + origin) % len(lengths)] for place in range(len(cut))]})
    few = seen.filter(pl.col("left") > horizon).join(sizes, on="item_id").filter(pl.col("left") <= horizon + pl.col("size"))
    # A series without two observations is no history, and one of zeros alone no demand.
    known = few.drop_nulls("target").group_by("item_id").agg(pl.len().alias("count"), pl.col("target").abs().sum().alias("sum"))
    few = few.join(known.filter((pl.col("count") > 1) & (pl.col("sum") > 0)), on="item_id", how="semi")
    many = seen.filter((pl.col("left") > horizon) & (pl.col("left") <= horizon + LONGEST) & pl.col("item_id").is_in(kept))
    names = ["item_id", "timestamp", "target"]
    pl.concat([many.select(names), few.select(names)]).sort("item_id", "timestamp").write_parquet(folder / "train.parquet")
    few.select(names).sort("item_id", "timestamp").write_parquet(folder / "short.parquet")
    ahead = seen.filter(pl.col("left") <= horizon).join(few, on="item_id", how="semi")
    ahead.select(names).sort("item_id", "timestamp").write_parquet(folder / "actual.parquet")
print(json.dumps({"full": len(kept), "short": len(cut)}))
