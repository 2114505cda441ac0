"""Scores a forecast as the M4 competition did; usage: TRAIN.parquet TEST.parquet FORECAST.csv SEASON_LENGTH.

Source of the measures and of Naive2: the competition's own R code (github.com/Mcompetitions/M4-methods, Benchmarks and Evaluation.R)
and Makridakis, Spiliotis and Assimakopoulos, "The M4 Competition", International Journal of Forecasting 36 (2020).
Prints {"series", "forecast": {...}, "seasonal_naive": {...}, "naive2": {...}}, each with smape (percent), mase and owa.
"""

import json
import sys

import numpy as np
import polars as pl


def is_seasonal(values: np.ndarray, season: int) -> bool:
    """The competition's test: autocorrelation at the season against the 90 % limit of Bartlett's formula."""
    if season <= 1 or len(values) < 3 * season:
        return False
    centred = values - values.mean()
    variance = float(centred @ centred)
    if variance == 0:
        return False
    lags = np.array([float(centred[lag:] @ centred[:-lag]) / variance for lag in range(1, season + 1)])
    limit = 1.645 / np.sqrt(len(values)) * np.sqrt(1 + 2 * np.sum(lags[:-1] ** 2))
    return abs(lags[-1]) > limit


def seasonal_factors(values: np.ndarray, season: int) -> np.ndarray:
    """Factor of each phase (phase 0 = first observation): classical multiplicative decomposition, R's `decompose`."""
    window = np.full(season, 1 / season) if season % 2 else np.r_[0.5, np.ones(season - 1), 0.5] / season
    trend = np.convolve(values, window, mode="valid")
    offset = len(window) // 2
    ratios = values[offset : offset + len(trend)] / trend
    phases = (np.arange(len(ratios)) + offset) % season
    factors = np.array([ratios[phases == phase].mean() for phase in range(season)])
    return factors / factors.mean()


def naive2(values: np.ndarray, horizon: int, season: int) -> np.ndarray:
    if not is_seasonal(values, season):
        return np.full(horizon, values[-1])
    factors = seasonal_factors(values, season)
    last = len(values) - 1
    return values[-1] / factors[last % season] * factors[(np.arange(1, horizon + 1) + last) % season]


def seasonal_naive(values: np.ndarray, horizon: int, season: int) -> np.ndarray:
    return np.resize(values[-season:], horizon)


def smape(actual: np.ndarray, predicted: np.ndarray) -> float:
    return float(np.mean(200 * np.abs(actual - predicted) / (np.abs(actual) + np.abs(predicted))))


def mase(history: np.ndarray, actual: np.ndarray, predicted: np.ndarray, season: int) -> float:
    scale = np.mean(np.abs(history[season:] - history[:-season]))
    return float(np.mean(np.abs(actual - predicted)) / scale)


def read_series(frame: pl.DataFrame, value: str) -> dict[str, np.ndarray]:
    grouped = frame.sort("item_id", "timestamp").group_by("item_id").agg(pl.col(value))
    return {item: np.asarray(values, dtype=float) for item, values in grouped.iter_rows()}


def main(train_path: str, test_path: str, forecast_path: str, season: int) -> None:
    history = read_series(pl.read_parquet(train_path), "target")
    actual = read_series(pl.read_parquet(test_path), "target")
    forecast = read_series(pl.read_csv(forecast_path, schema_overrides={"item_id": pl.String}), "mean")
    if forecast.keys() != actual.keys():
        sys.exit(f"{len(forecast)} series were forecast, {len(actual)} are in the test part")
    errors: dict[str, list[tuple[float, float]]] = {"forecast": [], "seasonal_naive": [], "naive2": []}
    for item, future in actual.items():
        past, horizon = history[item], len(future)
        predictions = {
            "forecast": forecast[item],
            "seasonal_naive": seasonal_naive(past, horizon, season),
            "naive2": naive2(past, horizon, season),
        }
        for name, predicted in predictions.items():
            errors[name].append((smape(future, predicted), mase(past, future, predicted, season)))
    means = {name: np.mean(values, axis=0) for name, values in errors.items()}
    base = means["naive2"]
    report = {
        name: {"smape": float(value[0]), "mase": float(value[1]), "owa": float(np.mean(value / base))} for name, value in means.items()
    }
    print(json.dumps({"series": len(actual), **report}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
