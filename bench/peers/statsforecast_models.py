"""Times one model of statsforecast, series by series, on one thread; usage: SERIES.txt MODEL HORIZON CPU_LIMIT_SECONDS.

SERIES is the output of sample_series.py. The model is called by itself, without the frames around it and without intervals: the least
that gives its point forecast. Everything is compiled before the clock starts, on the beginning of a series. Prints a line a series,
{"cpu_seconds", "failed"}, the seconds since the start; the kernel ends the process with SIGXCPU once they have reached the limit.
"""

import json
import resource
import signal
import sys
import time

import numpy as np
from statsforecast.models import MSTL, AutoARIMA, AutoCES, AutoETS, DynamicOptimizedTheta

path, name, horizon, limit = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
known = {model.__name__: model for model in (AutoARIMA, AutoCES, AutoETS, DynamicOptimizedTheta)}
panel = []
with open(path, encoding="ascii") as file:
    for line in file.read().splitlines():
        season, periods, values = line.split(";")
        panel.append((int(season), [int(period) for period in periods.split(":")], np.array(values.split(","), dtype=float)))


def forecast(season: int, periods: list[int], values: np.ndarray) -> None:
    model = MSTL(season_length=periods) if name == "MSTL" else known[name](season_length=season)
    model.forecast(y=values, h=horizon)


season, periods, values = panel[0]
forecast(season, periods, values[: max(5 * max(periods), 40)])
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
signal.signal(signal.SIGXCPU, signal.SIG_DFL)
_, hard = resource.getrlimit(resource.RLIMIT_CPU)
resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + limit, hard))
began = time.process_time()
for series in panel:
    failed = False
    try:
        forecast(*series)
    except Exception as error:  # noqa: BLE001 - whatever a model raises on a series is a series that it does not forecast
        print(f"{name}: {error!r}", file=sys.stderr)
        failed = True
    print(json.dumps({"cpu_seconds": time.process_time() - began, "failed": failed}), flush=True)
