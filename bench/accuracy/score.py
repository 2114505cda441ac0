"""Scores a forecast and its peers as the M4 competition did; usage: TRAIN.parquet TEST.parquet FORECAST.csv SEASON_LENGTH [PEERS.parquet].

FORECAST has the columns item_id, timestamp, mean, 0.025, 0.1, 0.9, 0.975. PEERS is the output of bench/peers/statsforecast_bands.py on a
sample of the series; where it has the four members of SCUM, their median (of the means and of the ends of the bands) is scored too.
Prints {"all": {...}, "sample": {...}}, each {"series", "methods": {NAME: {"smape", "mase", "owa", "msis", "coverage80", "coverage95"}}}:
`all` are tabcast and the reference methods on every series, `sample` are tabcast and the peers on the peers' series (null without PEERS).
"""

import json
import sys

import numpy as np
import polars as pl
from measures import Forecast, average, measure, owa, scale
from naive import naive2, seasonal_naive

SCUM = ("AutoETS", "CES", "AutoARIMA", "DynamicOptimizedTheta")

Forecasts = dict[str, Forecast]


def read_columns(frame: pl.DataFrame, order: str, columns: list[str]) -> dict[str, list[np.ndarray]]:
    grouped = frame.sort("item_id", order).group_by("item_id").agg(columns)
    return {item: [np.asarray(values, dtype=float) for values in lists] for item, *lists in grouped.iter_rows()}


def read_target(path: str) -> dict[str, np.ndarray]:
    return {item: values for item, (values,) in read_columns(pl.read_parquet(path), "timestamp", ["target"]).items()}


def with_bands(columns: list[np.ndarray]) -> Forecast:
    mean, low80, high80, low95, high95 = columns
    return Forecast(mean, {80: (low80, high80), 95: (low95, high95)})


def read_forecast(path: str) -> Forecasts:
    frame = pl.read_csv(path, schema_overrides={"item_id": pl.String})
    columns = read_columns(frame, "timestamp", ["mean", "0.1", "0.9", "0.025", "0.975"])
    return {item: with_bands(lists) for item, lists in columns.items()}


def read_peers(path: str) -> dict[str, Forecasts]:
    """Forecasts by method, the combination of all four included."""
    frame = pl.read_parquet(path)
    members = [name for name in SCUM if name in frame.columns]
    ends = ("", "-lo-80", "-hi-80", "-lo-95", "-hi-95")
    columns = {name: read_columns(frame, "step", [name + end for end in ends]) for name in members}
    if len(members) == len(SCUM):
        columns["SCUM"] = {
            item: [np.median([columns[name][item][end] for name in SCUM], axis=0) for end in range(len(ends))]
            for item in columns[SCUM[0]]
        }
    return {name: {item: with_bands(lists) for item, lists in items.items()} for name, items in columns.items()}


def main(train_path: str, test_path: str, forecast_path: str, season: int, peers_path: str | None) -> None:
    history, actual, forecast = read_target(train_path), read_target(test_path), read_forecast(forecast_path)
    if forecast.keys() != actual.keys():
        sys.exit(f"{len(forecast)} series were forecast, {len(actual)} are in the test part")
    units = {item: scale(history[item], season) for item in actual}
    constant = [item for item, unit in units.items() if unit == 0]
    if constant:
        sys.exit(f"the errors of {len(constant)} series have no scale, the first is {constant[0]}")

    def reference(method) -> Forecasts:
        return {item: Forecast(method(history[item], len(future), season), {}) for item, future in actual.items()}

    references = {"seasonal_naive": reference(seasonal_naive), "naive2": reference(naive2)}

    def score(methods: dict[str, Forecasts], items: list[str]) -> dict:
        means = {name: average([measure(actual[item], paths[item], units[item]) for item in items]) for name, paths in methods.items()}
        return {"series": len(items), "methods": {name: {**mean, "owa": owa(mean, means["naive2"])} for name, mean in means.items()}}

    whole = score({"tabcast": forecast, **references}, sorted(actual))
    sample = None
    if peers_path is not None:
        peers = read_peers(peers_path)
        sample = score({"tabcast": forecast, "naive2": references["naive2"], **peers}, sorted(next(iter(peers.values()))))
    print(json.dumps({"all": whole, "sample": sample}))


if __name__ == "__main__":
    main(*sys.argv[1:4], int(sys.argv[4]), sys.argv[5] if len(sys.argv) > 5 else None)
