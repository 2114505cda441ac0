//! Reused memory for the passes over trees.

use super::decisions::Decisions;
use super::lanes::Lanes;
use super::plan::Plan;

/// Memory for one tree and eight rows; it grows to the largest tree so far.
#[derive(Default)]
pub(super) struct Stacks {
    pub(super) decisions: Decisions,
    pub(super) products: Vec<Lanes>,
    pub(super) routes: Vec<Lanes>,
}

impl Stacks {
    pub(super) fn resize(&mut self, plan: &Plan<'_>) {
        self.decisions.resize(plan);
        self.routes.resize(plan.nodes.len(), Lanes::default());
    }
}
