//! Ensembles of decision trees in flat arrays: prediction, a model file, exact Shapley values, and the import of other
//! libraries' models.
//!
//! An [`Ensemble`] is plain data, whichever library trained it. [`Rows`] borrows the columns that it is applied to, and
//! an [`Explainer`] divides its margins among the features.

pub mod boosting;
mod check;
mod ensemble;
mod error;
mod explain;
mod file;
pub mod forest;
mod import;
mod predict;
mod rows;
mod tree;

pub use ensemble::{Ensemble, Feature, FeatureKind, Link};
pub use error::TreesError;
pub use explain::{Explainer, Explanation, Interactions};
pub use rows::Rows;
pub use tree::{Split, Tree};
