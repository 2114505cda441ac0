//! Importance and Shapley values.

use serde::Serialize;

/// The importance of the features for the predictions.
#[derive(Debug, Serialize)]
pub struct Importance {
    /// `exact_tree_shap` or `surrogate_tree_shap`.
    pub method: &'static str,
    /// Number of rows examined.
    pub rows: usize,
    /// Number of rows with Shapley values.
    pub explained_rows: usize,
    /// Largest relative deviation of base plus contributions from the trees' predictions.
    pub max_additivity_error: f64,
    /// How well the surrogate reproduces the predictions; none for the model's own trees.
    pub fidelity: Option<Fidelity>,
    /// Features without an explanation of their own.
    pub left_out: Vec<String>,
    /// By feature, most important first.
    pub features: Vec<FeatureImportance>,
    /// By group, if features belong to groups.
    pub groups: Vec<FeatureImportance>,
}

/// How well a surrogate reproduces the predictions of held-back rows.
#[derive(Debug, Serialize)]
pub struct Fidelity {
    /// Share of their variance that is reproduced.
    pub r2: f64,
    /// `high`, `moderate` or `low`.
    pub label: &'static str,
    /// Root mean squared error over the standard deviation of the predictions.
    pub nrmse: f64,
    /// Share of the series that are reproduced well; none without series.
    pub series_above: Option<f64>,
    /// Share of the variance of the actual values; none if these are unknown.
    pub accuracy_r2: Option<f64>,
}

/// A feature or a group of them.
#[derive(Debug, Serialize)]
pub struct FeatureImportance {
    /// Its name.
    pub feature: String,
    /// Mean absolute Shapley value, in units of the prediction.
    pub importance: f64,
    /// Share of the sum over all features, 0 to 1.
    pub share: f64,
    /// 1-based.
    pub rank: usize,
    /// `rising` or `falling`, if there is a direction.
    pub direction: Option<&'static str>,
    /// Decrease of the surrogate's R2 if the feature is shuffled.
    pub permutation_drop: f64,
    /// Its standard deviation over the shuffles.
    pub permutation_sd: f64,
}

/// Shapley values of single rows; `N` identifies a row.
#[derive(Debug, Serialize)]
pub struct Shap<N> {
    /// Names, most important first.
    pub features: Vec<String>,
    /// The distribution of each feature's values.
    pub summary: Vec<ShapSummary>,
    /// Points for a plot.
    pub points: Vec<ShapPoints>,
    /// Rows reported in detail.
    pub detailed: Vec<DetailedRow<N>>,
}

/// The distribution of a feature's Shapley values, in units of the prediction.
#[derive(Debug, Serialize)]
pub struct ShapSummary {
    /// Its name.
    pub feature: String,
    /// Mean absolute value.
    pub mean_abs: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// 5 % quantile.
    pub p05: f64,
    /// 25 % quantile.
    pub p25: f64,
    /// Median.
    pub p50: f64,
    /// 75 % quantile.
    pub p75: f64,
    /// 95 % quantile.
    pub p95: f64,
}

/// Points of a feature in a plot.
#[derive(Debug, Serialize)]
pub struct ShapPoints {
    /// Its name.
    pub feature: String,
    /// Shapley values.
    pub values: Vec<f64>,
    /// Rank of the feature's value among the rows, 0 to 1; null if it is missing, and for levels.
    pub positions: Vec<Option<f64>>,
}

/// The composition of a row's prediction: base + contributions + others = reproduced.
#[derive(Debug, Serialize)]
pub struct DetailedRow<N> {
    /// The row.
    #[serde(flatten)]
    pub row: N,
    /// Why it is reported: `highest`, `lowest` or `largest_error`.
    pub told: &'static str,
    /// The base of the contributions.
    pub base: f64,
    /// The model's prediction.
    pub prediction: f64,
    /// The trees' prediction.
    pub reproduced: f64,
    /// The largest contributions.
    pub contributions: Vec<Contribution>,
    /// The sum of all others.
    pub others: f64,
}

/// A cell of a feature.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Null in the file if missing.
    Number(f64),
    /// The name of a level.
    Level(String),
}

/// The contribution of a feature.
#[derive(Debug, Serialize)]
pub struct Contribution {
    /// Its name.
    pub feature: String,
    /// Its value in the row; none for a group of features, or for a missing level.
    pub value: Option<Cell>,
    /// Its Shapley value.
    pub shap: f64,
}
