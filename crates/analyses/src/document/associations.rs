//! How columns go together.

use serde::Serialize;

/// How features go with the target.
#[derive(Debug, Serialize)]
pub struct FeatureTarget {
    /// Feature by feature, measure by measure.
    pub rows: Vec<FeatureTargetRow>,
}

/// A measure of a feature; see `tabcast_explain::FeatureTarget`.
#[derive(Debug, Serialize)]
pub struct FeatureTargetRow {
    /// Its name.
    pub feature: String,
    /// What both were turned into.
    pub transform: tabcast_explain::Transform,
    /// What `value` is.
    pub method: tabcast_explain::Method,
    /// The measure.
    pub value: f64,
    /// Without its sign.
    pub abs_value: f64,
    /// Rows that have both.
    pub n: u32,
    /// Of no association.
    pub p_value: f64,
    /// Adjusted over all features.
    pub p_adjusted: f64,
    /// By how many rows the feature runs ahead; series only.
    pub best_lag: Option<i32>,
    /// The measure there.
    pub value_at_best_lag: Option<f64>,
}

/// How features go together; see `tabcast_explain::FeatureFeature`.
#[derive(Debug, Serialize)]
pub struct FeatureFeature {
    /// Names.
    pub features: Vec<String>,
    /// Places of the names in an order for a heat map.
    pub order: Vec<u32>,
    /// A measure of a pair each.
    pub pairs: Vec<Pair>,
    /// Features without two different values.
    pub constant: Vec<String>,
    /// Features beyond the bound.
    pub beyond_limit: Vec<String>,
}

/// A measure of two features.
#[derive(Debug, Serialize)]
pub struct Pair {
    /// Place of its name.
    pub a: u32,
    /// Place of the other name.
    pub b: u32,
    /// What `value` is.
    pub method: tabcast_explain::Method,
    /// The measure.
    pub value: f64,
    /// Rows that have both.
    pub n: u32,
    /// Of no association.
    pub p_value: f64,
    /// Whether one says what the other says.
    pub redundant: bool,
}
