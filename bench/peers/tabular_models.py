"""The peers of `tabular` with their default settings, each with the preparation that its documentation advises."""

from collections.abc import Callable

import numpy as np
import pandas as pd

# Levels beyond which scikit-learn's histogram boosting takes no categories, and an ordinal code stands in.
MOST_LEVELS = 255
# Columns that one category becomes for the linear models; the rest share one.
MOST_DUMMIES = 30
SEED = 0
# Rows times classes, or values, for rows to predict.
Predict = Callable[[pd.DataFrame], np.ndarray]


def fit(peer: str, x: pd.DataFrame, y: np.ndarray, classes: int, threads: int) -> Predict:
    """A fitted model as a function of rows: probabilities of the classes, or numbers where `classes` is 0."""
    return FITS[peer](x, y, classes, threads)


def texts(x: pd.DataFrame) -> list[str]:
    return list(x.select_dtypes("category"))


def predicting(model: object, classes: int, prepare: Predict = lambda x: x) -> Predict:
    return lambda x: (model.predict_proba if classes else model.predict)(prepare(x))


def fit_lightgbm(x: pd.DataFrame, y: np.ndarray, classes: int, threads: int) -> Predict:
    from lightgbm import LGBMClassifier, LGBMRegressor

    # The library refuses some characters in names.
    rename = lambda x: x.set_axis([f"x{at}" for at in range(x.shape[1])], axis=1)  # noqa: E731
    model = (LGBMClassifier if classes else LGBMRegressor)(n_jobs=threads, random_state=SEED, verbose=-1)
    return predicting(model.fit(rename(x), y), classes, rename)


def fit_xgboost(x: pd.DataFrame, y: np.ndarray, classes: int, threads: int) -> Predict:
    from xgboost import XGBClassifier, XGBRegressor

    rename = lambda x: x.set_axis([f"x{at}" for at in range(x.shape[1])], axis=1)  # noqa: E731
    model = (XGBClassifier if classes else XGBRegressor)(n_jobs=threads, random_state=SEED, enable_categorical=True)
    return predicting(model.fit(rename(x), y), classes, rename)


def fit_catboost(x: pd.DataFrame, y: np.ndarray, classes: int, threads: int) -> Predict:
    from catboost import CatBoostClassifier, CatBoostRegressor

    names = texts(x)
    # It wants texts, and a level for what is missing.
    spell = lambda x: x.assign(**{name: x[name].astype(object).fillna("missing").astype(str) for name in names})  # noqa: E731
    kind = CatBoostClassifier if classes else CatBoostRegressor
    model = kind(thread_count=threads, random_seed=SEED, verbose=0, cat_features=names, allow_writing_files=False)
    return predicting(model.fit(spell(x), y), classes, spell)


def codes(x: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """The named categories as numbers, missing ones as NaN."""
    return x.assign(**{name: x[name].cat.codes.astype(float).where(x[name].notna()) for name in names})


def fit_histogram(x: pd.DataFrame, y: np.ndarray, classes: int, threads: int) -> Predict:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    many = [name for name in texts(x) if len(x[name].cat.categories) > MOST_LEVELS]
    prepare = lambda x: codes(x, many)  # noqa: E731
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    model = kind(random_state=SEED, categorical_features="from_dtype")
    return predicting(model.fit(prepare(x), y), classes, prepare)


def fit_forest(x: pd.DataFrame, y: np.ndarray, classes: int, threads: int) -> Predict:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    prepare = lambda x: codes(x, texts(x))  # noqa: E731
    model = (RandomForestClassifier if classes else RandomForestRegressor)(n_jobs=threads, random_state=SEED)
    return predicting(model.fit(prepare(x), y), classes, prepare)


def fit_linear(x: pd.DataFrame, y: np.ndarray, classes: int, threads: int) -> Predict:
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    names = texts(x)
    numbers = [name for name in x if name not in names and x[name].notna().any()]
    dummies = OneHotEncoder(max_categories=MOST_DUMMIES, handle_unknown="infrequent_if_exist")
    prepare = ColumnTransformer([
        ("numbers", make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler()), numbers),
        ("texts", dummies, names),
    ])
    # With the default of 100 steps it does not arrive on some tables, and says so.
    model = LogisticRegression(max_iter=2_000) if classes else Ridge()
    spell = lambda x: x.assign(**{name: x[name].astype(object).where(x[name].notna(), "missing").astype(str) for name in names})  # noqa: E731
    return predicting(make_pipeline(prepare, model).fit(spell(x), y), classes, spell)


def fit_perpetual(x: pd.DataFrame, y: np.ndarray, classes: int, threads: int) -> Predict:
    from perpetual import PerpetualBooster

    model = PerpetualBooster(objective="LogLoss" if classes else "SquaredLoss", num_threads=threads)
    model.fit(x, y.astype(float))
    return predicting(model, classes)


def fit_baseline(x: pd.DataFrame, y: np.ndarray, classes: int, threads: int) -> Predict:
    """Shares of the classes, or the mean: what losses are measured by."""
    constant = np.bincount(y, minlength=classes) / len(y) if classes else y.mean()
    return lambda x: np.tile(constant, (len(x), 1)) if classes else np.full(len(x), constant)


FITS = {
    "lightgbm": fit_lightgbm,
    "xgboost": fit_xgboost,
    "catboost": fit_catboost,
    "histogram": fit_histogram,
    "forest": fit_forest,
    "linear": fit_linear,
    "perpetual": fit_perpetual,
    "baseline": fit_baseline,
}
