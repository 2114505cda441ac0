//! Correlations through the public functions.

mod feature_feature;
mod feature_target;
mod properties;
mod support;
