"""Scores forecasts at rolling origins; usage: SET_FOLDER ORIGIN,ORIGIN,... SEASON NAME [NAME ...].

The folder of each of these origins holds train.parquet and actual.parquet of cut_origins.py and NAME.csv (item_id, timestamp, mean, 0.1 to 0.9). Prints
{NAME: {"mase", "wql"}}, means over the origins. MASE: absolute errors of the mean over the mean absolute seasonal difference before the origin (Hyndman and
Koehler, 2006), the mean of the steps of a series, then of the series; series that never changed over a season are left out. WQL: twice the pinball losses of
all nine quantiles over the sum of the absolute actual values (Park et al., 2022), their mean. Steps without an actual value are left out; so are steps
that one of them does not forecast, as forecasts begin after the last observation: at most one of a hundred.
"""

import json
import sys
from pathlib import Path

import polars as pl

set_folder, origins, season, *names = sys.argv[1:]
levels = [f"0.{tenth}" for tenth in range(1, 10)]
scores: dict[str, list[dict[str, float]]] = {name: [] for name in names}


def read_forecast(path: Path) -> pl.DataFrame:
    frame = pl.read_csv(path, schema_overrides={"item_id": pl.String})
    return frame.with_columns(pl.col("timestamp").str.to_datetime(time_zone="UTC").dt.replace_time_zone(None).cast(pl.Datetime("ms")))


def pinball(level: str) -> pl.Expr:
    error = pl.col("target") - pl.col(level)
    return pl.when(error > 0).then(error * float(level)).otherwise(error * (float(level) - 1))


for origin in origins.split(","):
    folder = Path(set_folder) / origin
    past = pl.read_parquet(folder / "train.parquet").sort("item_id", "timestamp")
    difference = (pl.col("target") - pl.col("target").shift(int(season)).over("item_id")).abs()
    scale = past.with_columns(difference.alias("scale")).group_by("item_id").agg(pl.col("scale").mean()).filter(pl.col("scale") > 0)
    actual = pl.read_parquet(folder / "actual.parquet").drop_nulls("target").join(scale, on="item_id")
    for name in names:
        joined = actual.join(read_forecast(folder / f"{name}.csv"), on=["item_id", "timestamp"])
        if len(joined) < 0.99 * len(actual):
            sys.exit(f"origin {origin} has {len(joined)} of {len(actual)} rows of {name}")
        error = ((pl.col("mean") - pl.col("target")).abs() / pl.col("scale")).mean()
        losses = joined.select(pinball(level).sum().alias(level) for level in levels)
        scores[name].append({
            "mase": float(joined.group_by("item_id").agg(error.alias("error"))["error"].mean()),
            "wql": 2 * sum(losses.row(0)) / len(levels) / float(joined["target"].abs().sum()),
        })
print(json.dumps({name: {measure: sum(score[measure] for score in values) / len(values) for measure in ("mase", "wql")} for name, values in scores.items()}))
