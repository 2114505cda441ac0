"""The reference methods of the M4 competition: Naive2 and seasonal naive.

Source: the competition's own R code (github.com/Mcompetitions/M4-methods, Benchmarks and Evaluation.R).
"""

import numpy as np


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
