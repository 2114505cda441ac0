"""Datasets as files to upload, and results as what the caller works with."""

import contextlib
import csv
import os
import pathlib
import sys
import tempfile
from typing import Any, Iterator, Tuple, Union


def kind_of(data: Any) -> str:
    """``pandas``, ``polars``, or ``rows`` (a path, or a list of dicts). Raises TypeError for anything else."""
    if isinstance(data, (str, os.PathLike)):
        return "rows"
    if isinstance(data, list) and data and all(isinstance(row, dict) for row in data):
        return "rows"
    # Whoever has made a frame has imported its package.
    for name in ("pandas", "polars"):
        package = sys.modules.get(name)
        if package is not None and isinstance(data, package.DataFrame):
            return name
    raise TypeError(f"a DataFrame of pandas or polars, a path, or a list of dicts is needed, not {type(data).__name__}")


@contextlib.contextmanager
def as_file(data: Any) -> Iterator[Tuple[pathlib.Path, str]]:
    """The dataset as a file and the name to send it under; a frame is written as Parquet where that can be done, else as CSV."""
    if isinstance(data, (str, os.PathLike)):
        path = pathlib.Path(data)
        yield path, path.name
        return
    kind = kind_of(data)
    with tempfile.TemporaryDirectory(prefix="tabcast-") as folder:
        path = pathlib.Path(folder) / ("data.parquet" if kind == "polars" or (kind == "pandas" and has_pyarrow()) else "data.csv")
        if kind == "polars":
            data.write_parquet(path)
        elif kind == "pandas":
            data.to_parquet(path, index=False, engine="pyarrow") if path.suffix == ".parquet" else data.to_csv(path, index=False)
        else:
            with open(path, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, list(dict.fromkeys(name for row in data for name in row)))
                writer.writeheader()
                writer.writerows(data)
        yield path, path.name


def result_format(kind: str) -> str:
    return "parquet" if kind == "polars" or (kind == "pandas" and has_pyarrow()) else "csv"


def read_result(path: Union[str, pathlib.Path], kind: str) -> Any:
    """A table that was downloaded in ``result_format(kind)``."""
    if kind == "polars":
        import polars

        return polars.read_parquet(path)
    if kind == "pandas":
        import pandas

        if has_pyarrow():
            return pandas.read_parquet(path, engine="pyarrow")
        table = pandas.read_csv(path)
        if "timestamp" in table.columns:
            table["timestamp"] = pandas.to_datetime(table["timestamp"])
        return table
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: _number(name, cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def has_pyarrow() -> bool:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return False
    return True


def _number(name: str, cell: str) -> Union[str, float, None]:
    """Texts stay texts: names of series and classes may look like numbers."""
    if name in ("item_id", "timestamp", "split", "actual", "prediction"):
        return cell
    try:
        return float(cell) if cell else None
    except ValueError:
        return cell
