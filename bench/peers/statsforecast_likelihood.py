"""Fits fixed forms of the models of statsforecast and writes their parameters; usage: SERIES.txt FAMILY OUT.txt.

SERIES is the output of sample_series.py; FAMILY is ets, ces, dotm or arima. OUT has a line a fit that succeeded:
`form;season;parameters;values`, as the example `likelihood` of crates/models reads it. ETS, CES: every form that applies to the
series; ARIMA: the order that AutoARIMA picks; DOTM: without seasonal adjustment, which differs between implementations.
"""

import sys
import warnings

import numpy as np
from statsforecast.arima import auto_arima_f
from statsforecast.ces import auto_ces
from statsforecast.ets import ets_f
from statsforecast.theta import thetamodel

warnings.filterwarnings("ignore")
path, family, out_path = sys.argv[1:]


def ets(values, season):
    for error in "AM":
        for trend in "NAD":
            for kind in "NAM" if season > 1 else "N":
                # Multiplicative seasons with additive errors are left out by all implementations.
                if (error == "A" and kind == "M") or (min(values) <= 0 and "M" in error + kind):
                    continue
                code = error + trend.replace("D", "A") + kind
                fit = ets_f(values, season, model=code, damped=trend == "D")
                alpha, beta, gamma, phi, level, *states = fit["par"]
                slope = 0.0
                if trend != "N":
                    slope, *states = states
                # States of the season are stored with the last one first, and the first one left to be computed.
                pattern = list(fit["states"][0][1 + (trend != "N") :][::-1]) if kind != "N" else []
                name = f"ETS({error},{trend.replace('D', 'Ad')},{kind})"
                yield name, [*np.nan_to_num([alpha, beta, gamma, phi]), level, slope, *pattern]


def ces(values, season):
    for form, count in (("N", 2), ("S", 2), ("P", 3), ("F", 4)) if season > 1 else (("N", 2),):
        fit = auto_ces(values, season, model=form)
        yield f"CES({form})", list(fit["par"].values())[:count]


def dotm(values, season):
    fit = thetamodel(y=values, m=1, modeltype="DOTM", initial_smoothed=np.nan, alpha=np.nan, theta=np.nan, nmse=3)
    yield "DOTM", [fit["par"][name] for name in ("initial_smoothed", "alpha", "theta")]


def arima(values, season):
    fit = auto_arima_f(values, period=season)
    p, q, seasonal_p, seasonal_q, _, d, seasonal_d = (int(part) for part in fit["arma"])
    found = fit["coef"]
    names = [("ar", p), ("sar", seasonal_p), ("ma", q), ("sma", seasonal_q)]
    constant = "c" if {"intercept", "drift"} & set(found) else ""
    name = f"ARIMA({p},{d},{q})({seasonal_p},{seasonal_d},{seasonal_q}){constant}"
    yield name, [found[f"{part}{index + 1}"] for part, count in names for index in range(count)]


fits = {"ets": ets, "ces": ces, "dotm": dotm, "arima": arima}[family]
with open(path, encoding="ascii") as file, open(out_path, "w", encoding="ascii") as out:
    for line in file.read().splitlines():
        season, _, text = line.split(";")
        values = np.array(text.split(","), dtype=float)
        try:
            for name, parameters in fits(values, int(season)):
                out.write(f"{name};{season};{','.join(repr(float(part)) for part in parameters)};{text}\n")
        except Exception as error:  # noqa: BLE001 - a series that the peer does not fit is none to compare with
            print(f"{family}: {error!r}", file=sys.stderr)
