"""Forecasts rolling origins with mlforecast and LightGBM; usage: SET_FOLDER ORIGINS HORIZON SEASON FREQ KNOWN STATICS TRIALS THREADS.

SET_FOLDER was made by cut_origins.py; KNOWN and STATICS are comma separated. Lags, transformations of them and of the target, calendar features and the parameters of
LightGBM are tuned as the package's documentation advises, by its `AutoMLForecast` with `AutoLightGBM`: TRIALS trials on two windows of a horizon before
the origin, by MASE, which is what the forecasts are judged by; at each origin of a panel of few rows, else at the oldest one, as the time would not be
justified. The best configuration is fitted anew at each origin. Its own search has neither calendar nor lags but one for a season of 48 steps: there the
calendar is that of hours, and the lags a day and a week of half hours. Steps without a value get the one of the season before. Every origin's folder gets theirs/forecast.parquet. Prints {"seconds", "configuration"}.
"""

import json
import sys
import time
import warnings
from pathlib import Path

import optuna
import pandas as pd
from lightgbm import LGBMRegressor
from mlforecast import MLForecast
from mlforecast.auto import AutoLightGBM, AutoMLForecast

set_folder, origins, horizon, season, freq, known, statics, trials, threads = sys.argv[1:]
origins, horizon, season, threads = int(origins), int(horizon), int(season), int(threads)
known, statics = ([name for name in names.split(",") if name] for names in (known, statics))
warnings.filterwarnings("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)
HALF_HOURS = 48
# Tuned again at each origin.
FEW_ROWS = 20_000


def read(origin: int) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """History without gaps, and the covariates of the horizon."""
    table = pd.read_parquet(Path(set_folder) / str(origin) / "train.parquet").rename(columns={"item_id": "unique_id", "timestamp": "ds", "target": "y"})
    for name in [*known, *statics]:
        if not pd.api.types.is_numeric_dtype(table[name]):
            table[name] = table[name].astype("category")
    regular = []
    for item, rows in table.groupby("unique_id", sort=True):
        grid = pd.date_range(rows["ds"].min(), rows["ds"].max(), freq=freq, name="ds")
        rows = rows.set_index("ds").reindex(grid).assign(unique_id=item)
        rows[[*known, *statics]] = rows[[*known, *statics]].ffill()
        rows["ahead"] = [known != [] and step >= len(rows) - horizon for step in range(len(rows))]
        values = rows.loc[~rows["ahead"], "y"]
        while values.isna().any() and values.notna().any():
            filled = values.fillna(values.shift(season))
            values = filled if filled.isna().sum() < values.isna().sum() else values.ffill().bfill()
        rows.loc[~rows["ahead"], "y"] = values
        regular.append(rows.reset_index())
    table = pd.concat(regular, ignore_index=True)
    for name in [*known, *statics]:
        if not pd.api.types.is_numeric_dtype(table[name]):
            table[name] = table[name].astype("category")
    past, ahead = (rows.drop(columns="ahead").reset_index(drop=True) for rows in (table[~table["ahead"]], table[table["ahead"]]))
    return past, ahead.drop(columns=["y", *statics]) if known else None


def half_hourly(trial: optuna.Trial) -> dict[str, object]:
    """The search of the package for hours, in half hours."""
    own = AutoMLForecast({}, freq=freq, season_length=HALF_HOURS)._seasonality_based_config(h=horizon, min_samples=len(past), min_value=past["y"].min())(trial)
    lags = [[HALF_HOURS], list(range(1, HALF_HOURS + 1)), list(range(HALF_HOURS, 7 * HALF_HOURS + 1, HALF_HOURS))]
    own["lags"] = lags[trial.suggest_categorical("half_hourly_lags", range(len(lags)))]
    own["date_features"] = ["hour", "minute", "weekday", "month", "year"] if trial.suggest_int("calendar", 0, 1) else None
    return own


def scaled_error(table: pd.DataFrame, train_df: pd.DataFrame) -> float:
    """MASE by the seasonal differences of all of `past`: the part before a window may be shorter than a season."""
    differences = past["y"].sub(past.groupby("unique_id")["y"].shift(season)).abs()
    scale = differences.groupby(past["unique_id"]).mean()
    errors = table["model"].sub(table["y"]).abs().groupby(table["unique_id"]).mean()
    return float(errors.div(scale[scale > 0]).mean())


def tune() -> dict[str, dict[str, object]]:
    """The best configuration for `past`; trials that leave no row to learn from fail and count for nothing."""
    searched = {"init_config": half_hourly} if season == HALF_HOURS else {"season_length": season}
    fit_config = {"fit_config": lambda _: {"static_features": statics}}
    auto = AutoMLForecast({"lgb": AutoLightGBM()}, freq=freq, num_threads=threads, reuse_cv_splits=True, **fit_config, **searched)
    auto.models["lgb"].model.set_params(n_jobs=threads, random_state=0)
    auto.fit(past, n_windows=2, h=horizon, num_samples=int(trials), loss=scaled_error, optimize_kwargs={"catch": (ValueError,)})
    return auto.results_["lgb"].best_trial.user_attrs["config"]


began = time.perf_counter()
best: dict[str, dict[str, object]] = {}
# The oldest one first.
for origin in range(origins, 0, -1):
    past, ahead = read(origin)
    if not best or len(past) < FEW_ROWS:
        best = tune()
    model = LGBMRegressor(**{"verbosity": -1, **best["model_params"], "n_jobs": threads, "random_state": 0})
    forecaster = MLForecast({"mean": model}, freq=freq, **best["mlf_init_params"])
    forecaster.fit(past, static_features=statics)
    forecast = forecaster.predict(h=horizon, X_df=ahead)
    out = Path(set_folder) / str(origin) / "theirs"
    out.mkdir(exist_ok=True)
    forecast.rename(columns={"unique_id": "item_id", "ds": "timestamp"})[["item_id", "timestamp", "mean"]].to_parquet(out / "forecast.parquet")
print(json.dumps({"seconds": time.perf_counter() - began, "configuration": repr(best)}))
