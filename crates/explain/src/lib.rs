//! What explains a result, from arrays: data only, no markup, no files.
//!
//! Every analysis takes [`Features`] or series and gives columns of numbers, or says by a [`Skip`] why there is
//! nothing to say.

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

/// The fewest rows that say something.
pub const MIN_ROWS: usize = 50;

/// Beyond this, squares of numbers overflow: what is larger is not looked at.
pub const LARGEST: f64 = 1e150;

/// Asked now and then by whatever takes long: true when it is to end early.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);
