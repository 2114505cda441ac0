//! Explains predictions: importance and exact Shapley values, from a model's own trees or from a surrogate.
//!
//! [`explain_predictions`] distils predictions of any model into oblivious boosted trees, measures on held-back rows
//! how well these reproduce them, and explains the trees. [`explain_trees`] explains a model that consists of trees
//! itself. Shapley values are those of path-dependent `TreeSHAP` (Lundberg et al., 2020), exact for the trees. They
//! show which features go together with a prediction, not what causes it.
//!
//! Forecasts are explained on rows of one series, origin and step (as arXiv 2510.08739 and `TimeSHAP` do), divided by
//! the mean absolute value of their series so that large series do not hide the others. Results are the same bits for
//! any number of threads.

mod choice;
mod columns;
mod contributions;
mod detail;
mod error;
mod fidelity;
mod folds;
mod groups;
mod input;
mod measures;
mod options;
mod permutation;
mod run;
mod sample;
mod shapley;
mod surrogate;
mod units;
mod view;

pub use columns::{LeftOut, Reason};
pub use detail::{DetailedRow, Told};
pub use error::ImportanceError;
pub use fidelity::{Accuracy, Fidelity, FidelityLabel};
pub use groups::FeatureGroups;
pub use input::Predictions;
pub use options::Options;
pub use run::{Explanation, Method, explain_predictions, explain_trees};
pub use shapley::{ShapleyRow, ShapleySummary, ShapleyValues};
pub use view::{Direction, FeatureImportance, View};
