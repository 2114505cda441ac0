"""Scores the windows of a task as GIFT-Eval does; usage: SEASON WINDOW [WINDOW ...].

A WINDOW is a folder of cut_windows.py with forecast.parquet (item_id, timestamp, and columns 0.1 to 0.9). Prints {"mase",
"crps", "covered", "windows"}: MASE of the median, each step over the mean absolute seasonal difference of its history;
the weighted quantile loss, the mean over the levels of twice the summed quantile loss over the summed absolute actual
values; the share of actual values between .1 and .9 in each third of the horizon. Steps without an actual value are left
out, and series without a seasonal difference from MASE.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd

season, windows = int(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
LEVELS = np.arange(1, 10) / 10
NAMES = [f"{level:g}" for level in LEVELS]
scaled, steps, losses, size = 0.0, 0, np.zeros(len(LEVELS)), 0.0
inside, seen = np.zeros(3), np.zeros(3)
for window in windows:
    past = {item: rows["target"].to_numpy() for item, rows in pd.read_parquet(window / "train.parquet").groupby("item_id")}
    table = pd.read_parquet(window / "forecast.parquet")
    table["timestamp"] = pd.to_datetime(table["timestamp"]).dt.tz_localize(None).astype("datetime64[ms]")
    actual = pd.read_parquet(window / "actual.parquet")
    joined = actual.merge(table[["item_id", "timestamp", *NAMES]], on=["item_id", "timestamp"], how="left")
    if joined[NAMES].isna().any(axis=None):
        sys.exit(f"{window} has no forecast of some steps")
    for item, rows in joined.groupby("item_id"):
        values, quantiles = rows["target"].to_numpy(), rows[NAMES].to_numpy()
        third = np.arange(len(values)) * 3 // len(values)
        known = ~np.isnan(values)
        values, quantiles, third = values[known], quantiles[known], third[known]
        lag = season if season < len(past[item]) else 1
        with np.errstate(all="ignore"):
            scale = np.nanmean(np.abs(past[item][lag:] - past[item][:-lag]))
        if scale > 0:
            scaled += np.abs(values - quantiles[:, 4]).sum() / scale
            steps += len(values)
        error = values[:, None] - quantiles
        losses += 2 * np.maximum(LEVELS * error, (LEVELS - 1) * error).sum(axis=0)
        size += np.abs(values).sum()
        hits = (quantiles[:, 0] <= values) & (values <= quantiles[:, 8])
        for part in range(3):
            inside[part] += hits[third == part].sum()
            seen[part] += (third == part).sum()
covered = (inside / np.maximum(seen, 1)).tolist()
print(json.dumps({"mase": scaled / steps, "crps": float((losses / size).mean()), "covered": covered, "windows": len(windows)}))
