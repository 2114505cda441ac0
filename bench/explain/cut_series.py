"""Writes series of the public sets as CSV files, one a series, without their last horizon.

cut_series.py DATA OUT SET...   with SET = file:horizon:freq:count

Prints a JSON list of {set, path, horizon, freq, actual}. Series are taken evenly over each set.
"""
import json
import os
import sys

import pandas as pd


def read(folder, name):
    both = [os.path.join(folder, f"{name}_{part}.parquet") for part in ("train", "test")]
    if os.path.exists(both[0]):
        return pd.concat([pd.read_parquet(path, columns=["item_id", "timestamp", "target"]) for path in both])
    return pd.read_parquet(os.path.join(folder, f"{name}.parquet"), columns=["item_id", "timestamp", "target"])


def main():
    data, out, *sets = sys.argv[1:]
    found = []
    for text in sets:
        name, horizon, freq, count = text.split(":")
        horizon, count = int(horizon), int(count)
        table = read(os.path.join(data, "ts"), name).dropna(subset=["target"]).sort_values(["item_id", "timestamp"])
        items = table["item_id"].drop_duplicates().tolist()
        items = items[:: max(1, len(items) // count)][:count]
        groups = dict(tuple(table[table["item_id"].isin(set(items))].groupby("item_id")))
        os.makedirs(os.path.join(out, name), exist_ok=True)
        for place, item in enumerate(items):
            series = groups[item]
            if len(series) < horizon + 12:
                continue
            path = os.path.join(out, name, f"{place}.csv")
            series.iloc[:-horizon].to_csv(path, index=False)
            found.append({"set": name, "path": path, "horizon": horizon, "freq": freq, "actual": series["target"].iloc[-horizon:].tolist()})
    print(json.dumps(found))


main()
