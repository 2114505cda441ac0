"""Writes bottom series in long form as Parquet, ten stores in three states with seven departments each; usage: SERIES STEPS OUT.parquet.

Columns: state, store, department, item, timestamp (days), target; rows sorted by series, in groups of 2,000 series. The target is a whole
number, so that sums can be compared exactly.
"""

import sys

import numpy as np
import polars as pl

STATE_OF_STORE = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
series, steps, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]

item = np.arange(series)
store = item * len(STATE_OF_STORE) // series
department = item * 70 // series
labels = {"state": STATE_OF_STORE[store], "store": store, "department": department, "item": item}
rows = pl.DataFrame({name: [f"{name}_{number}" for number in numbers] for name, numbers in labels.items()})[np.repeat(item, steps)]
days = np.datetime64("2015-01-01", "D") + np.arange(steps)
sold = np.random.default_rng(7).poisson(2, series * steps).astype(float)
rows.with_columns(pl.Series("timestamp", np.tile(days.astype("datetime64[ms]"), series)), pl.Series("target", sold)).write_parquet(
    path, row_group_size=2000 * steps
)
