//! Explains the predictions of a table: the analyses of the `explainability` block.
//!
//! Nothing here changes a prediction, and no analysis fails a run: one that finds nothing, fails or runs out of time is
//! skipped with a reason.

mod analyses;
mod row;
mod rows;

pub(crate) use analyses::write_analyses;
use tabcast_analyses::ExplainOptions;

use crate::plan::Plan;
use crate::prediction::Predicted;

/// The predictions to explain.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) predicted: &'a Predicted,
    pub(crate) options: &'a ExplainOptions,
}
