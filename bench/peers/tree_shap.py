"""Times the contributions of one peer on one thread; usage: PEER MODEL ROWS CONTRIBUTIONS MOST_ROWS.

PEER is lightgbm (`pred_contrib`), xgboost (`pred_contribs`) or shap, whose C extension runs on the trees of a LightGBM model. ROWS has columns of doubles, one
after the other; the first MOST_ROWS rows are explained. CONTRIBUTIONS is written: doubles, row after row, the base last.
Prints {"rows", "cpu_us_a_row", "version"}; the model is read and the explainer made before the clock starts.
"""

import json
import sys
import time

import lightgbm
import numpy as np
import shap
import xgboost

peer, model, rows, contributions, most = sys.argv[1:]


def prepare(x: np.ndarray):
    """Returns a function that explains the rows."""
    if peer == "xgboost":
        booster = xgboost.Booster(model_file=model)
        booster.set_param({"nthread": 1})
        matrix = xgboost.DMatrix(x, nthread=1)
        return lambda: booster.predict(matrix, pred_contribs=True)
    booster = lightgbm.Booster(model_file=model)
    if peer == "lightgbm":
        return lambda: booster.predict(x, pred_contrib=True, num_threads=1)
    explainer = shap.TreeExplainer(booster, feature_perturbation="tree_path_dependent")
    # Told that the model is LightGBM's, shap would call `pred_contrib` instead of its own extension.
    explainer.model.model_type = "internal"

    def explain() -> np.ndarray:
        values = explainer.shap_values(x, check_additivity=False)
        base = np.full((len(x), 1), np.ravel(explainer.expected_value)[0])
        return np.hstack([values, base])

    return explain


features = lightgbm.Booster(model_file=model).num_feature() if peer != "xgboost" else xgboost.Booster(model_file=model).num_features()
x = np.ascontiguousarray(np.fromfile(rows, "<f8").reshape(features, -1).T[: int(most)])
prepare(x[:16])()
explain = prepare(x)
began = time.process_time()
values = explain()
seconds = time.process_time() - began
np.asarray(values, "<f8").tofile(contributions)
versions = {"lightgbm": lightgbm, "xgboost": xgboost, "shap": shap}
print(json.dumps({"rows": len(x), "cpu_us_a_row": seconds / len(x) * 1e6, "version": versions[peer].__version__}))
