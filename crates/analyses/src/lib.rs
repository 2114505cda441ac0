//! The analyses of the `explainability` block as files: the part that forecasts and tables share.
//!
//! `tabcast_explain` has the mathematics. This crate writes its results to `analyses.json`, from which pages are made,
//! and to one CSV table each. [`Runner`] isolates the analyses of a run: one that finds nothing, fails or runs out of
//! time is skipped with a reason and never ends the run. The caller decides how a row is identified: an item, a time
//! and a step, or a row of a file.

mod cells;
mod correlations;
mod document;
mod explained;
mod importance;
mod importance_tables;
mod options;
mod runner;
mod share;
mod tables;
mod trouble;

pub use correlations::{Correlated, among_features, with_target, write_among, write_with_target};
pub use document::{
    Cell, Contribution, DetailedRow, Document, FeatureFeature, FeatureImportance, FeatureTarget,
    FeatureTargetRow, Fidelity, Importance, Pair, Rolling, RollingFeature, RollingPoint, RollingSeries, Shap,
    ShapPoints, ShapSummary,
};
pub use options::ExplainOptions;
pub use runner::{Runner, analysis};
pub use share::Share;
pub use tables::{Folder, Texts};
pub use trouble::Trouble;
