//! The analyses of the `explainability` block as files: what forecasts and tables have in common.
//!
//! `tabcast_explain` has the mathematics. Here its results become `analyses.json`, which pages are made from, and a
//! CSV table each; [`Runner`] keeps the analyses of a run apart, so that one that finds nothing, fails or runs out of
//! its time is skipped with a reason and never ends the run. How a row is named is the caller's: an item, a time and
//! a step, or a row of a file.

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
