//! Associations between columns.

use serde::Serialize;

/// Associations of the features with the target.
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
    /// The transformation of both columns.
    pub transform: tabcast_explain::Transform,
    /// The measure in `value`.
    pub method: tabcast_explain::Method,
    /// The measure.
    pub value: f64,
    /// Absolute value of `value`.
    pub abs_value: f64,
    /// Number of rows with both values.
    pub n: u32,
    /// P value of no association.
    pub p_value: f64,
    /// Adjusted over all features.
    pub p_adjusted: f64,
    /// Number of rows by which the feature leads; series only.
    pub best_lag: Option<i32>,
    /// The measure at that lag.
    pub value_at_best_lag: Option<f64>,
}

/// Associations between features; see `tabcast_explain::FeatureFeature`.
#[derive(Debug, Serialize)]
pub struct FeatureFeature {
    /// Names.
    pub features: Vec<String>,
    /// Indices of the names in an order for a heat map.
    pub order: Vec<u32>,
    /// One measure of a pair each.
    pub pairs: Vec<Pair>,
    /// Features with a single value.
    pub constant: Vec<String>,
    /// Features beyond the limit.
    pub beyond_limit: Vec<String>,
}

/// A measure of two features.
#[derive(Debug, Serialize)]
pub struct Pair {
    /// Index of its name.
    pub a: u32,
    /// Index of the other name.
    pub b: u32,
    /// The measure in `value`.
    pub method: tabcast_explain::Method,
    /// The measure.
    pub value: f64,
    /// Number of rows with both values.
    pub n: u32,
    /// P value of no association.
    pub p_value: f64,
    /// Whether one feature makes the other redundant.
    pub redundant: bool,
}
