//! Memory that the passes over trees use again and again.

use super::decisions::Decisions;
use super::lanes::Lanes;
use super::plan::Plan;

/// Room for one tree and eight rows; grows to the largest tree seen.
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
