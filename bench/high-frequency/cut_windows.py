"""Cuts the windows of a task of GIFT-Eval; usage: FILE FREQ HORIZON MOST FOLDER.

FILE has a row a series: item_id, start, target (a list; NaN is missing). The last min(max(1, ceil(.1 n / HORIZON)), MOST)
non-overlapping horizons are windows, where n is the length of the shortest series. FOLDER/K gets train.parquet, the
values before window K, and actual.parquet, with one row a step. Prints [{"folder", "steps"}], where steps counts missing
values at the end of the histories too, since forecasts begin after the last observation.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pandas as pd

path, freq, horizon, most, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5])
panel = pd.read_parquet(path)
series = [np.asarray(target, dtype=float) for target in panel["target"]]
starts = list(panel["start"])
windows = min(max(1, math.ceil(0.1 * min(map(len, series)) / horizon)), most)


def table(parts: list[tuple[int, np.ndarray, int]]) -> pd.DataFrame:
    """Rows of (number of the series, values, steps from its start to the first of them)."""
    frames = []
    for number, values, first in parts:
        stamps = pd.date_range(starts[number], periods=first + len(values), freq=freq)[first:].astype("datetime64[ms]")
        frames.append(pd.DataFrame({"item_id": f"s{number:03d}", "timestamp": stamps, "target": values}))
    return pd.concat(frames)


found = []
for window in range(windows):
    back = (windows - window) * horizon
    here = folder / str(window)
    here.mkdir(parents=True)
    past = [values[: len(values) - back] for values in series]
    table([(number, values, 0) for number, values in enumerate(past)]).to_parquet(here / "train.parquet")
    actual = [(number, values[len(values) - back :][:horizon], len(values) - back) for number, values in enumerate(series)]
    table(actual).to_parquet(here / "actual.parquet")
    late = max(len(values) - 1 - int(np.flatnonzero(~np.isnan(values))[-1]) for values in past)
    found.append({"folder": str(here), "steps": horizon + late})
print(json.dumps(found))
