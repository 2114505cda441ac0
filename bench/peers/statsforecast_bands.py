"""Forecasts a sample of series with statsforecast; usage: TRAIN.parquet HORIZON SEASON_LENGTH SAMPLE OUT.parquet MODEL [MODEL ...].

SAMPLE series are drawn without replacement by numpy's default_rng(7) from the sorted item ids; 0 takes all of them. The models (AutoETS,
AutoCES, AutoARIMA, DynamicOptimizedTheta) are those of SCUM (Petropoulos and Svetunkov, "A simple combination of univariate models",
International Journal of Forecasting 36 (2020)). OUT holds item_id, step and for each model its mean and the ends of its 80 % and 95 %
intervals; a model that fails on a series is replaced there by the seasonal naive forecast. Prints {"series", "cpu_seconds"}.
"""

import json
import sys
import time

import numpy as np
import polars as pl
from statsforecast import StatsForecast
from statsforecast.models import AutoARIMA, AutoCES, AutoETS, DynamicOptimizedTheta, SeasonalNaive

train_path, horizon, season, sample, out_path, *names = sys.argv[1:]
horizon, season, sample = int(horizon), int(season), int(sample)
known = {model.__name__: model for model in (AutoETS, AutoCES, AutoARIMA, DynamicOptimizedTheta)}

panel = pl.read_parquet(train_path).select("item_id", "timestamp", "target").sort("item_id", "timestamp")
items = sorted(panel["item_id"].unique().to_list())
if sample:
    items = sorted(np.random.default_rng(7).choice(items, sample, replace=False).tolist())
panel = panel.filter(pl.col("item_id").is_in(items))
# Steps instead of stamps: the models only see an order, and some M4 stamps are beyond what pandas can hold.
frame = panel.select(
    pl.col("item_id").alias("unique_id"), pl.int_range(pl.len()).over("item_id").alias("ds"), pl.col("target").alias("y")
).to_pandas()


def forecast(part):
    models = [known[name](season_length=season) for name in names]
    fleet = StatsForecast(models=models, freq=1, n_jobs=1, fallback_model=SeasonalNaive(season_length=season))
    return fleet.forecast(df=part, h=horizon, level=[80, 95])


forecast(frame[frame["unique_id"].isin(items[:2])])
began = time.process_time()
table = pl.from_pandas(forecast(frame))
spent = time.process_time() - began
table.with_columns(pl.int_range(pl.len()).over("unique_id").alias("step")).drop("ds").rename({"unique_id": "item_id"}).write_parquet(out_path)
print(json.dumps({"series": len(items), "cpu_seconds": spent}))
