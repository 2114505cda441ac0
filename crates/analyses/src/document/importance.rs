//! What predictions rest on.

use serde::Serialize;

/// How important the features are to what was predicted.
#[derive(Debug, Serialize)]
pub struct Importance {
    /// `exact_tree_shap` or `surrogate_tree_shap`.
    pub method: &'static str,
    /// Rows that were looked at.
    pub rows: usize,
    /// Rows that have Shapley values.
    pub explained_rows: usize,
    /// Largest deviation of base and contributions from what the trees say, relative.
    pub max_additivity_error: f64,
    /// How well the surrogate reproduces the predictions; none for trees of the model itself.
    pub fidelity: Option<Fidelity>,
    /// Features that are not told apart.
    pub left_out: Vec<String>,
    /// Feature by feature, the most important first.
    pub features: Vec<FeatureImportance>,
    /// Group by group, where features belong to groups.
    pub groups: Vec<FeatureImportance>,
}

/// How well a surrogate reproduces the predictions of held-back rows.
#[derive(Debug, Serialize)]
pub struct Fidelity {
    /// Share of their variance.
    pub r2: f64,
    /// `high`, `moderate` or `low`.
    pub label: &'static str,
    /// Root mean squared error over the standard deviation of the predictions.
    pub nrmse: f64,
    /// Share of the series that are reproduced well; none without series.
    pub series_above: Option<f64>,
    /// Share of the variance of what came true; none where nothing is known of it.
    pub accuracy_r2: Option<f64>,
}

/// A feature or a group of them.
#[derive(Debug, Serialize)]
pub struct FeatureImportance {
    /// Its name.
    pub feature: String,
    /// Mean absolute Shapley value, in units of the prediction.
    pub importance: f64,
    /// Of the sum over all features, 0 to 1.
    pub share: f64,
    /// From 1.
    pub rank: usize,
    /// `rising` or `falling`, where there is one.
    pub direction: Option<&'static str>,
    /// How much of the surrogate's R2 is lost when it is shuffled.
    pub permutation_drop: f64,
    /// Standard deviation of that over the shuffles.
    pub permutation_sd: f64,
}

/// Shapley values of single rows; `N` is how a row is named.
#[derive(Debug, Serialize)]
pub struct Shap<N> {
    /// Names, the most important first.
    pub features: Vec<String>,
    /// How the values of each are distributed.
    pub summary: Vec<ShapSummary>,
    /// Points of a drawing.
    pub points: Vec<ShapPoints>,
    /// Rows that are told in detail.
    pub detailed: Vec<DetailedRow<N>>,
}

/// How the Shapley values of a feature are distributed, in units of the prediction.
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
    /// Quantile.
    pub p05: f64,
    /// Quantile.
    pub p25: f64,
    /// Quantile.
    pub p50: f64,
    /// Quantile.
    pub p75: f64,
    /// Quantile.
    pub p95: f64,
}

/// Points of a feature in a drawing.
#[derive(Debug, Serialize)]
pub struct ShapPoints {
    /// Its name.
    pub feature: String,
    /// Shapley values.
    pub values: Vec<f64>,
    /// Rank of the feature's value among the rows, 0 to 1; null where it is missing, and for levels.
    pub positions: Vec<Option<f64>>,
}

/// How the prediction of a row comes about: base + contributions + others = reproduced.
#[derive(Debug, Serialize)]
pub struct DetailedRow<N> {
    /// Which one.
    #[serde(flatten)]
    pub row: N,
    /// Why it is told: `highest`, `lowest` or `largest_error`.
    pub told: &'static str,
    /// What contributions are counted from.
    pub base: f64,
    /// What the model says.
    pub prediction: f64,
    /// What the explained trees say.
    pub reproduced: f64,
    /// The largest ones.
    pub contributions: Vec<Contribution>,
    /// The sum of all others.
    pub others: f64,
}

/// A cell of a feature.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Null in the file where it is missing.
    Number(f64),
    /// The name of a level.
    Level(String),
}

/// What a feature adds.
#[derive(Debug, Serialize)]
pub struct Contribution {
    /// Its name.
    pub feature: String,
    /// What it is in the row; none of several features together, or of a level that is missing.
    pub value: Option<Cell>,
    /// How much it adds.
    pub shap: f64,
}
