//! Correlations of columns with each other and with a target.

mod associate;
mod association;
mod categories;
mod clusters;
mod column;
mod differences;
mod feature_feature;
mod feature_target;
mod lags;
mod numbers;
mod ratio;
mod sample;
mod views;
mod within;

pub use association::Method;
pub use differences::Transform;
pub use feature_feature::{FeatureFeature, FeatureFeatureOptions, FeaturePairs, feature_feature};
pub use feature_target::{FeatureTarget, FeatureTargetOptions, feature_target};

pub(crate) use differences::half_differences;
pub(crate) use feature_feature::REDUNDANT;
pub(crate) use numbers::{Centre, complete_pairs, correlation};
