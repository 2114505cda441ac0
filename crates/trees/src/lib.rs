//! Ensembles of decision trees in flat arrays: prediction, a model file, exact Shapley values, models of other libraries.
//!
//! An [`Ensemble`] is plain data, whoever grew its trees. [`Rows`] borrows the columns that it is applied to.

pub mod boosting;
mod ensemble;
mod error;
mod predict;
mod rows;
mod tree;

pub use ensemble::{Ensemble, Feature, FeatureKind, Link};
pub use error::TreesError;
pub use rows::Rows;
pub use tree::{Split, Tree};
