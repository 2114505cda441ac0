"""The measures of the M4 competition: sMAPE, MASE, MSIS and the coverage of bands; OWA is made of two of them.

Source: Makridakis, Spiliotis and Assimakopoulos, "The M4 Competition", International Journal of Forecasting 36 (2020), and the
competition's own R code (github.com/Mcompetitions/M4-methods). A measure of a set of series is the mean over its series, each series
being the mean over its steps.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Forecast:
    """A path, and the ends of its central 80 % and 95 % bands where the method gives them."""

    mean: np.ndarray
    bands: dict[int, tuple[np.ndarray, np.ndarray]]


def scale(history: np.ndarray, season: int) -> float:
    """What MASE and MSIS divide by: the mean absolute error of the seasonal naive forecast inside the history."""
    return float(np.mean(np.abs(history[season:] - history[:-season])))


def smape(actual: np.ndarray, predicted: np.ndarray) -> float:
    return float(np.mean(200 * np.abs(actual - predicted) / (np.abs(actual) + np.abs(predicted))))


def msis(actual: np.ndarray, low: np.ndarray, high: np.ndarray, level: int) -> float:
    """Mean interval score, not yet scaled: the width, and 2/a for each unit by which an observation lies outside."""
    outside = np.maximum(low - actual, 0) + np.maximum(actual - high, 0)
    return float(np.mean(high - low + 2 / (1 - level / 100) * outside))


def measure(actual: np.ndarray, forecast: Forecast, unit: float) -> dict[str, float]:
    """One series: smape and coverage in percent; mase and msis in units of `unit`."""
    values = {"smape": smape(actual, forecast.mean), "mase": float(np.mean(np.abs(actual - forecast.mean))) / unit}
    for level, (low, high) in forecast.bands.items():
        values[f"coverage{level}"] = 100 * float(np.mean((actual >= low) & (actual <= high)))
    if 95 in forecast.bands:
        values["msis"] = msis(actual, *forecast.bands[95], 95) / unit
    return values


def average(series: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([values[name] for values in series])) for name in series[0]}


def owa(method: dict[str, float], naive2: dict[str, float]) -> float:
    return (method["smape"] / naive2["smape"] + method["mase"] / naive2["mase"]) / 2
