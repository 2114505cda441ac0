"""Counts parents that are not the sum of their children; usage: FOLDER [FOLDER ...].

FOLDER holds forecast.csv and forecast.parquet of a reconciled forecast, nodes named by their values joined with `/` and the total `total`. Means are compared as
decimals, those of Parquet in the shortest form that reads back as the same double, so equal means equal in every digit. Prints {"parents", "violations"}:
parents times steps times files, and how many of them are wrong; a mean that differs between the two files is a violation too.
"""

import csv
import json
import sys
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import polars as pl

Means = dict[tuple[str, str], Decimal]


def read_csv(path: Path) -> Means:
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["item_id"], row["timestamp"]): Decimal(row["mean"]) for row in csv.DictReader(file)}


def read_parquet(path: Path) -> Means:
    table = pl.read_parquet(path).select("item_id", pl.col("timestamp").dt.strftime("%Y-%m-%d %H:%M:%S"), "mean")
    return {(item, stamp): Decimal(repr(mean)) for item, stamp, mean in table.iter_rows()}


def count(means: Means) -> tuple[int, int]:
    sums: Means = defaultdict(Decimal)
    for (item, stamp), mean in means.items():
        if item != "total":
            above, _, _ = item.rpartition("/")
            sums[(above or "total", stamp)] += mean
    return len(sums), sum(means.get(parent) != total for parent, total in sums.items())


parents = violations = 0
for folder in map(Path, sys.argv[1:]):
    tables = [read_csv(folder / "forecast.csv"), read_parquet(folder / "forecast.parquet")]
    for found, wrong in map(count, tables):
        parents += found
        violations += wrong
    violations += sum(tables[0].get(row) != mean for row, mean in tables[1].items()) + abs(len(tables[0]) - len(tables[1]))
print(json.dumps({"parents": parents, "violations": violations}))
