//! Explanations from arrays: data only, no markup, no files.
//!
//! Every analysis takes [`Features`] or series and returns columns of numbers, or a [`Skip`] with the reason why there
//! is no result.

mod correlations;
mod features;
pub mod findings;
pub mod importance;
mod rolling_regression;
mod series;
mod skip;

pub use correlations::{
    FeatureFeature, FeatureFeatureOptions, FeaturePairs, FeatureTarget, FeatureTargetOptions, Method,
    Transform, feature_feature, feature_target,
};
pub use features::{Feature, Features, Values};
pub use rolling_regression::{
    CoefficientChanges, Coefficients, RollingRegression, RollingRegressionOptions, panel_total,
    rolling_regression,
};
pub use series::SeriesRows;
pub use skip::Skip;

/// Minimum number of rows for a result.
pub const MIN_ROWS: usize = 50;

/// Squares of larger numbers overflow, so rows with larger numbers are ignored.
pub const LARGEST: f64 = 1e150;

/// Polled by long computations; true ends them early.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);
