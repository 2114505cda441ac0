"""Writes a panel of monthly series as Parquet; usage: SERIES STEPS OUT.parquet.

Level, trend, yearly swing and noise are drawn for each series; the first N series of a larger panel are the panel of N series. Rows are
sorted and written in groups of 20,000 series, which bounds the memory.
"""

import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

GROUP = 20_000
series, steps, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
months = (np.datetime64("2015-01", "M") + np.arange(steps)).astype("datetime64[ms]")
phase = np.arange(steps)
schema = pa.schema([("item_id", pa.string()), ("timestamp", pa.timestamp("ms")), ("target", pa.float64())])


def draw(first: int) -> np.ndarray:
    """The values of GROUP series, a row each; the seed is the group's, so no panel depends on how many groups follow."""
    random = np.random.default_rng([7, first])
    level, trend, swing = (random.random((GROUP, 1)) for _ in range(3))
    level = 50 + 100 * level
    season = level * (0.1 + 0.3 * swing) * np.sin(2 * np.pi * phase / 12)
    noise = 0.05 * level * random.standard_normal((GROUP, steps))
    return np.round(level + 0.1 * (trend - 0.4) * phase + season + noise, 3)


with pq.ParquetWriter(path, schema, compression="zstd") as writer:
    for first in range(0, series, GROUP):
        values = draw(first)[: series - first]
        items = pa.array([f"series_{first + index:07d}" for index in range(len(values))])
        rows = pa.table(
            [items.take(pa.array(np.repeat(np.arange(len(values)), steps))), pa.array(np.tile(months, len(values))), pa.array(values.ravel())],
            schema=schema,
        )
        writer.write_table(rows, row_group_size=len(rows))
