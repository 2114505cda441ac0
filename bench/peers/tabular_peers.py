"""Fits one peer on one table and scores it on test rows; usage: TABLE.csv LABEL classification|regression PEER THREADS TEST_ROWS...

Each TEST_ROWS is a file with the numbers of the rows to test on, from 0; the rest is trained on. PEER is a key of `FITS` in tabular_models.py. Prints a list
with {"loss", "ece", "seconds", "peak_mib"} for each: logarithmic loss or root mean squared error, expected calibration error (null for numbers),
time of preparation, training and prediction without reading, and the high-water mark of the process so far.
"""

import json
import resource
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from tabular_models import fit
from tabular_table import divide, read

# A class that was held for impossible costs 34.5.
LEAST = 1e-15
BINS = 15
warnings.filterwarnings("ignore")


def log_loss(shares: np.ndarray, y: np.ndarray) -> float:
    return float(-np.log(np.clip(shares[np.arange(len(y)), y], LEAST, 1)).mean())


def calibration_error(shares: np.ndarray, y: np.ndarray) -> float:
    """Mean distance of confidence and share of hits over bins of equal width of the confidence (Naeini et al., AAAI 2015)."""
    confidence, hit = shares.max(axis=1), shares.argmax(axis=1) == y
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return float(sum(abs(hit[bins == at].sum() - confidence[bins == at].sum()) for at in range(BINS)) / len(y))


def score(x: pd.DataFrame, y: np.ndarray, test: np.ndarray, classes: int) -> dict[str, float | None]:
    began = time.monotonic()
    past, ahead, train = divide(x, test)
    predicted = np.asarray(fit(peer, past, y[train], classes, threads)(ahead))
    seconds = time.monotonic() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if not classes:
        return {"loss": float(np.sqrt(((predicted - y[test]) ** 2).mean())), "ece": None, "seconds": seconds, "peak_mib": peak}
    if predicted.shape != (len(test), classes):
        raise SystemExit(f"{peer} gave {predicted.shape} for {len(test)} rows and {classes} classes")
    shares = predicted / predicted.sum(axis=1, keepdims=True)
    return {"loss": log_loss(shares, y[test]), "ece": calibration_error(shares, y[test]), "seconds": seconds, "peak_mib": peak}


path, label, task, peer, threads, *splits = sys.argv[1:]
threads = int(threads)
x, y = read(Path(path), label, task)
classes = 0 if task == "regression" else int(y.max()) + 1
print(json.dumps([score(x, y, np.loadtxt(split, dtype=int), classes) for split in splits]))
