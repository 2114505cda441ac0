"""Times MinTraceSparse of hierarchicalforecast on a tree; usage: FOLDER METHOD CPU_LIMIT_SECONDS.

FOLDER is written by the example `reconcile_speed` of crates/reconcile: parents.i32 (of each node the number of its parent, -1 for the root; level by level, the
bottom series last), base.f64, residuals.f64 and reconciled.f64, our result (a row a node). METHOD is wls_struct or wls_var, whose variances the peer takes
from the residuals. Prints {"method", "frames", "difference", "peak_bytes"}: seconds of `fit_predict` on the summing matrix in scipy's CSR form, without
intervals; seconds of `HierarchicalReconciliation.reconcile` on polars frames and the same matrix; the largest difference from our result over the
largest value (null for wls_var, whose variances are centred here and not in ours). Everything is loaded and every input is made before the clock starts.
The process has 18 GiB: {"failed", "seconds"} says what ended it earlier. The kernel ends it with SIGXCPU at the limit.
"""

import json
import resource
import signal
import sys
import time
from pathlib import Path

import narwhals
import numpy as np
import polars as pl
from hierarchicalforecast.core import HierarchicalReconciliation
from hierarchicalforecast.methods import MinTraceSparse
from hierarchicalforecast.utils import SMatrix
from scipy import sparse

folder, method, limit = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
MEMORY = 18 << 30


class Task:
    """A tree with its forecasts and residuals, as the method wants them and as the frames around it do."""

    def __init__(self, parents: np.ndarray, base: np.ndarray, errors: np.ndarray) -> None:
        self.base, self.errors = base, errors
        leaves = np.setdiff1d(np.arange(len(parents)), parents)
        depths = np.zeros(len(parents), dtype=int)
        rows, columns, at = [], [], leaves
        while len(above := np.flatnonzero(at >= 0)):
            rows.append(at[above])
            columns.append(above)
            at = np.where(at >= 0, parents[at], -1)
        for node, parent in enumerate(parents[1:], 1):
            depths[node] = depths[parent] + 1
        places = (np.concatenate(rows), np.concatenate(columns))
        self.summing = sparse.csr_matrix((np.ones(len(places[0])), places), shape=(len(parents), len(leaves)))
        names = np.array([f"node{node:07d}" for node in range(len(parents))])
        self.tags = {f"level{depth}": names[depths == depth] for depth in np.unique(depths)}
        self.matrix = SMatrix(self.summing, names, names[leaves], "unique_id", narwhals.Implementation.POLARS)
        self.forecasts = frame(names, 0, model=base)
        self.history = frame(names, -errors.shape[1], y=errors, model=np.zeros_like(errors))

    def run_method(self) -> np.ndarray:
        insample = {"y_insample": self.errors, "y_hat_insample": np.zeros_like(self.errors)} if method == "wls_var" else {}
        return MinTraceSparse(method).fit_predict(S=self.summing, y_hat=self.base, **insample)["mean"]

    def run_frames(self) -> None:
        insample = {"Y_df": self.history} if method == "wls_var" else {}
        HierarchicalReconciliation([MinTraceSparse(method)]).reconcile(Y_hat_df=self.forecasts, S_df=self.matrix, tags=self.tags, **insample)


def frame(names: np.ndarray, first: int, **values: np.ndarray) -> pl.DataFrame:
    steps = next(iter(values.values())).shape[1]
    index = {"unique_id": np.repeat(names, steps), "ds": np.tile(np.arange(first, first + steps), len(names))}
    return pl.DataFrame({**index, **{name: array.ravel() for name, array in values.items()}})


random = np.random.default_rng(7)
warm = Task(np.array([-1, 0, 0]), random.random((3, 2)), random.standard_normal((3, 4)))
warm.run_method()
warm.run_frames()
parents = np.fromfile(folder / "parents.i32", dtype=np.int32)
base, errors, ours = (np.fromfile(folder / name).reshape(len(parents), -1) for name in ("base.f64", "residuals.f64", "reconciled.f64"))
task = Task(parents, base, errors)

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
signal.signal(signal.SIGXCPU, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))
began = time.monotonic()
try:
    result = task.run_method()
    between = time.monotonic()
    task.run_frames()
except Exception as error:  # noqa: BLE001 - whatever ends the peer is reported with the time it took
    print(json.dumps({"failed": repr(error), "seconds": time.monotonic() - began}))
    sys.exit()
seconds = {"method": between - began, "frames": time.monotonic() - between}
difference = float(np.abs(result - ours).max() / np.abs(ours).max()) if method == "wls_struct" else None
print(json.dumps({**seconds, "difference": difference, "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
