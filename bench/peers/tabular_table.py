"""A table as the peers of `tabular` get it: columns as numbers or as pandas categories, labels as codes or numbers."""

from pathlib import Path

import numpy as np
import pandas as pd

# Stands for a missing number; in a column of texts it is a level, as for everyone who reads the file with the defaults.
UNKNOWN = "?"
# A text that differs in more of the rows names them, as a ticket does. Splits by levels learn such a column by heart: with it the loss of some peers doubles.
MOST_DISTINCT = 0.5
# Parts of a date beside the moment itself.
DATE_PARTS = ("month", "day", "dayofweek", "hour")


def read(path: Path, label: str, task: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Features as they are in the file, dates taken apart; classes as codes in order of their texts."""
    table = pd.read_csv(path)
    target = table.pop(label)
    if target.isna().any():
        raise SystemExit(f"{path}: labels are missing")
    y = target.to_numpy(float) if task == "regression" else pd.factorize(target, sort=True)[0]
    columns: dict[str, pd.Series] = {}
    for name in table:
        columns |= read_column(str(name), table[name])
    return pd.DataFrame(columns), y


def read_column(name: str, column: pd.Series) -> dict[str, pd.Series]:
    if pd.api.types.is_numeric_dtype(column):
        return {name: column.astype(float)}
    known = column.where(column != UNKNOWN)
    numbers = pd.to_numeric(known, errors="coerce")
    if numbers.notna().sum() == known.notna().sum():
        return {name: numbers.astype(float)}
    dates = pd.to_datetime(known, format="ISO8601", errors="coerce")
    if dates.notna().sum() == known.notna().sum():
        moment = (dates - pd.Timestamp(0)).dt.total_seconds()
        return {name: moment} | {f"{name} {part}": getattr(dates.dt, part).astype(float) for part in DATE_PARTS}
    return {name: column}


def divide(x: pd.DataFrame, test: np.ndarray) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray]:
    """Training part, test part and training rows. Texts become categories of the training rows, others of the test rows are missing; what names rows is dropped."""
    train = np.setdiff1d(np.arange(len(x)), test)
    past, ahead = x.iloc[train].copy(), x.iloc[test].copy()
    for name in x.select_dtypes(exclude="number"):
        levels = pd.Index(sorted(past[name].dropna().unique()))
        if len(levels) > MOST_DISTINCT * len(past) or len(levels) == 0:
            past, ahead = past.drop(columns=name), ahead.drop(columns=name)
            continue
        kind = pd.CategoricalDtype(levels)
        past[name], ahead[name] = past[name].astype(kind), ahead[name].astype(kind)
    return past, ahead, train
