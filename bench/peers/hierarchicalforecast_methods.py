"""Reconciles our base forecasts with hierarchicalforecast; usage: SET_FOLDER COLUMNS ORIGINS WINDOWS.

SET_FOLDER was made by bench/reconciliation/cut_origins.py: folders 01, 02, ... of origins, 01 the last one. In each of the first ORIGINS lie train.parquet with the
bottom series (timestamp, target and the hierarchy COLUMNS, comma separated, top first) and in each origin base/forecast.parquet, our forecasts of all nodes
before reconciliation (item_id, timestamp, mean, quantile levels). Origins lie a horizon apart, so the WINDOWS folders after an origin are its residual
windows: the peer gets our forecasts there as fitted values, which are the errors that the weights of ours come from.
Each origin gets theirs/METHOD.INTERVALS.parquet with the columns of the base. Prints {"cpu_seconds", "failed": {NAME: reason}}.
"""

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import polars as pl
from hierarchicalforecast.core import HierarchicalReconciliation
from hierarchicalforecast.methods import BottomUp, MinTrace, TopDown
from hierarchicalforecast.utils import aggregate

warnings.filterwarnings("ignore")
set_folder, columns, origins, windows = Path(sys.argv[1]), sys.argv[2].split(","), int(sys.argv[3]), int(sys.argv[4])
ROOT = "total"
LEVELS = [["all", *columns[:depth]] for depth in range(len(columns) + 1)]

# Each way of intervals that the method offers; permutations work from the bottom up whatever the method is, so one method stands for all.
SAMPLED = ("normality", "bootstrap", "conformal")
METHODS = {
    "bottom_up": (BottomUp, {}, (*SAMPLED, "permbu")),
    "top_down.proportions_of_historical_totals": (TopDown, {"method": "proportion_averages"}, SAMPLED),
    "top_down.average_historical_proportions": (TopDown, {"method": "average_proportions"}, SAMPLED),
    "top_down.forecast_proportions": (TopDown, {"method": "forecast_proportions"}, ("bootstrap",)),
    "min_trace.ols": (MinTrace, {"method": "ols"}, SAMPLED),
    "min_trace.wls_struct": (MinTrace, {"method": "wls_struct"}, SAMPLED),
    "min_trace.wls_var": (MinTrace, {"method": "wls_var"}, SAMPLED),
    "min_trace.shrink": (MinTrace, {"method": "mint_shrink"}, SAMPLED),
}


def read_base(origin: int) -> pl.DataFrame:
    """Our forecasts by the peer's names, which hold all columns above a node, the constant one of the total included."""
    node = pl.col("item_id")
    name = pl.when(node == ROOT).then(pl.lit(ROOT)).otherwise(pl.lit(f"{ROOT}/") + node)
    table = pl.read_parquet(set_folder / f"{origin:02d}" / "base" / "forecast.parquet")
    return table.with_columns(pl.col("timestamp").cast(pl.Datetime("ms")), unique_id=name)


# The peer takes pairs of ends: 0.05 and 0.95 are the ends of its level 90. The median is one of its outputs only, as both ends of level 0.
shares = [name for name in read_base(1).columns if name not in ("item_id", "unique_id", "timestamp", "mean")]
ends = {name: f"-{'lo' if float(name) <= 0.5 else 'hi'}-{abs(round(100 - 200 * float(name)))}" for name in shares}
intervals = sorted({abs(round(100 - 200 * float(name))) for name in shares})
inputs = [pl.col("mean").alias("tabcast"), *(pl.col(name).alias(f"tabcast{end}") for name, end in ends.items() if float(name) != 0.5)]


def reconcile(kind: type, options: dict, way: str, forecasts: pl.DataFrame, insample: pl.DataFrame, summing: pl.DataFrame, tags: dict) -> pl.DataFrame:
    table = HierarchicalReconciliation([kind(**options)]).reconcile(
        Y_hat_df=forecasts, Y_df=insample, S_df=summing, tags=tags, level=list(intervals), intervals_method=way, seed=7
    )
    (label,) = (column.removesuffix("-hi-0") for column in table.columns if column.startswith("tabcast/") and column.endswith("-hi-0"))
    return table.select("unique_id", pl.col("ds").alias("timestamp"), pl.col(label).alias("mean"), *(pl.col(label + end).alias(name) for name, end in ends.items()))


failed = {}
began = time.process_time()
for origin in range(1, origins + 1):
    folder = set_folder / f"{origin:02d}"
    (folder / "theirs").mkdir()
    bottom = pl.read_parquet(folder / "train.parquet").select(
        pl.lit(ROOT).alias("all"), *columns, pl.col("timestamp").alias("ds"), pl.col("target").alias("y")
    )
    history, summing, tags = aggregate(bottom, LEVELS)
    base = read_base(origin)
    forecasts = base.select("unique_id", pl.col("timestamp").alias("ds"), *inputs)
    fitted = pl.concat(
        read_base(origin + window).select("unique_id", pl.col("timestamp").alias("ds"), pl.col("mean").alias("tabcast"))
        for window in range(1, windows + 1)
    )
    whole = history.join(fitted, on=["unique_id", "ds"], how="left").with_columns(pl.col("tabcast").fill_null(np.nan))
    inside = whole.filter(pl.col("ds") >= fitted["ds"].min())
    for method, (kind, options, ways) in METHODS.items():
        for way in ways:
            name = f"{method}.{way}"
            # Historical proportions come from the whole history; covariances from the windows, without the gap before them.
            insample = whole if kind is TopDown else inside
            try:
                table = reconcile(kind, options, way, forecasts, insample, summing, tags)
            except Exception as error:  # noqa: BLE001 - what the peer cannot do is reported, and not compared with
                failed[name] = repr(error)
                continue
            # The peer orders the nodes as its summing matrix.
            named = table.join(base.select("unique_id", "timestamp", "item_id"), on=["unique_id", "timestamp"], how="left")
            named.select("item_id", "timestamp", "mean", *shares).write_parquet(folder / "theirs" / f"{name}.parquet")
print(json.dumps({"cpu_seconds": time.process_time() - began, "failed": failed}))
