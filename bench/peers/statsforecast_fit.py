"""Forecasts every series of a CSV panel with statsforecast on one thread; usage: CSV HORIZON FREQ SEASON_LENGTH.

The models are the families that tabcast combines: seasonal naive, random walk with drift, AutoETS, dynamic optimised theta.
Prints {"series", "seconds", "cpu_seconds"} of fit and forecast, without reading the file, after a warm-up on two series.
"""

import json
import sys
import time

import pandas as pd
from statsforecast import StatsForecast
from statsforecast.models import AutoETS, DynamicOptimizedTheta, RandomWalkWithDrift, SeasonalNaive

path, horizon, freq, season = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
panel = pd.read_csv(path, parse_dates=["timestamp"]).rename(columns={"item_id": "unique_id", "timestamp": "ds", "target": "y"})
models = [
    SeasonalNaive(season_length=season),
    RandomWalkWithDrift(),
    AutoETS(season_length=season),
    DynamicOptimizedTheta(season_length=season),
]
levels = [20, 40, 60, 80]


def forecast(frame: pd.DataFrame) -> pd.DataFrame:
    return StatsForecast(models=models, freq=freq, n_jobs=1).forecast(df=frame, h=horizon, level=levels)


first = panel["unique_id"].unique()[:2]
forecast(panel[panel["unique_id"].isin(first)])
start, cpu_start = time.monotonic(), time.process_time()
table = forecast(panel)
print(
    json.dumps(
        {
            "series": int(table["unique_id"].nunique()),
            "seconds": time.monotonic() - start,
            "cpu_seconds": time.process_time() - cpu_start,
        }
    )
)
