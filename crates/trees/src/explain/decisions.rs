//! The decisions of a tree for one row a lane.

use super::plan::{Node, Plan};
use crate::Split;
use crate::tree::contains;

/// Rows side by side. Eight doubles are two registers of AVX2 and four of SSE2.
pub(super) const LANES: usize = 8;

/// One number a row.
pub(super) type Lanes = [f64; LANES];

/// Numbers instead of masks: 1 or 0, so that a choice between two constants is a multiplication and an addition.
#[derive(Default)]
pub(super) struct Decisions {
    /// Whether each row goes left at a node.
    pub(super) own: Vec<Lanes>,
    /// Whether each row follows all edges above a node that are on its feature; 1 without such an edge.
    pub(super) old: Vec<Lanes>,
}

impl Decisions {
    /// Room for a tree.
    pub(super) fn resize(&mut self, plan: &Plan<'_>) {
        self.own.resize(plan.nodes.len(), [0.0; LANES]);
        self.old.resize(plan.nodes.len(), [1.0; LANES]);
    }

    /// Decides all nodes for the rows whose values of feature `f` begin at `values[f * stride]`.
    #[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
    #[inline(always)]
    pub(super) fn decide(&mut self, plan: &Plan<'_>, values: &[f64], stride: usize) {
        for (n, node) in plan.nodes.iter().enumerate() {
            self.own[n] = decide(plan, n, node, values, stride);
        }
        self.follow(plan);
    }

    /// Fills `old` from `own`.
    #[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
    #[inline(always)]
    pub(super) fn follow(&mut self, plan: &Plan<'_>) {
        for (n, node) in plan.nodes.iter().enumerate() {
            self.old[n] = match node.previous {
                None => [1.0; LANES],
                Some((at, right)) => self.after(at as usize, right),
            };
        }
    }

    /// Whether each row follows all edges on the feature of `node` down to its left or right child.
    #[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
    #[inline(always)]
    pub(super) fn after(&self, node: usize, right: bool) -> Lanes {
        let (own, old) = (&self.own[node], &self.old[node]);
        std::array::from_fn(|l| old[l] * if right { 1.0 - own[l] } else { own[l] })
    }
}

/// Whether each row goes left at one node.
#[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
#[inline(always)]
pub(super) fn decide(plan: &Plan<'_>, n: usize, node: &Node, values: &[f64], stride: usize) -> Lanes {
    let from = node.feature as usize * stride;
    let x: &Lanes = values[from..from + LANES].try_into().expect("a block of lanes");
    if node.in_sets {
        let Split::Set(words) = plan.tree.split(n) else { unreachable!("a node of sets") };
        return std::array::from_fn(|l| {
            let left = if x[l].is_nan() { node.missing_left } else { contains(words, x[l]) };
            f64::from(u8::from(left))
        });
    }
    // NaN compares as false: `not above` takes it to the left, `at most` to the right.
    if node.missing_left {
        std::array::from_fn(|l| if x[l] > node.threshold { 0.0 } else { 1.0 })
    } else {
        std::array::from_fn(|l| if x[l] <= node.threshold { 1.0 } else { 0.0 })
    }
}
