//! The decisions of a tree, one row per lane.

#![expect(
    clippy::inline_always,
    reason = "generic over registers, whose instruction set only the caller has"
)]

use super::lanes::{Lanes, Pack};
use super::plan::{Node, Plan};
use crate::Split;
use crate::tree::contains;

/// Numbers 1 or 0 instead of masks, so that a choice between two constants is a multiplication and an addition.
#[derive(Default)]
pub(super) struct Decisions {
    /// Whether each row goes left at a node.
    pub(super) own: Vec<Lanes>,
    /// Whether each row follows all edges above a node that are on its feature; only set if there is such an edge.
    old: Vec<Lanes>,
}

impl Decisions {
    /// Allocates for a tree.
    pub(super) fn resize(&mut self, plan: &Plan<'_>) {
        self.own.resize(plan.nodes.len(), Lanes::default());
        self.old.resize(plan.nodes.len(), Lanes::default());
    }

    /// Decides all nodes for rows whose values of feature `f` are `values[f * stride]`.
    #[inline(always)]
    pub(super) fn decide<P: Pack>(&mut self, plan: &Plan<'_>, values: &[Lanes], stride: usize) {
        for ((n, node), own) in plan.nodes.iter().enumerate().zip(&mut self.own) {
            decide::<P>(plan, n, node, values, stride).store(own);
        }
        self.follow::<P>(plan);
    }

    /// Computes `old` from `own`.
    #[inline(always)]
    pub(super) fn follow<P: Pack>(&mut self, plan: &Plan<'_>) {
        for &n in &plan.repeated {
            if let Some((at, right)) = plan.nodes[n].previous {
                self.after::<P>(plan, at as usize, right).store(&mut self.old[n]);
            }
        }
    }

    /// Whether each row follows all edges on the feature of a node down to its left or right child.
    #[inline(always)]
    pub(super) fn after<P: Pack>(&self, plan: &Plan<'_>, n: usize, right: bool) -> P {
        let own = P::load(&self.own[n]);
        let side = if right { P::splat(1.0).sub(own) } else { own };
        if plan.nodes[n].previous.is_some() { side.mul(self.old(n)) } else { side }
    }

    /// Whether each row follows all edges above node `n` on its feature, if `n` splits on a feature again.
    #[inline(always)]
    pub(super) fn old<P: Pack>(&self, n: usize) -> P {
        P::load(&self.old[n])
    }
}

/// Whether each row goes left at a node.
#[inline(always)]
pub(super) fn decide<P: Pack>(plan: &Plan<'_>, n: usize, node: &Node, values: &[Lanes], stride: usize) -> P {
    let x = &values[node.feature as usize * stride];
    if node.in_sets {
        return P::load(&decide_set(plan, n, node, x));
    }
    // Both comparisons with NaN are false.
    let (x, threshold) = (P::load(x), P::splat(node.threshold));
    if node.missing_left { x.not_above(threshold) } else { x.at_most(threshold) }
}

#[inline(never)]
fn decide_set(plan: &Plan<'_>, n: usize, node: &Node, x: &Lanes) -> Lanes {
    let words = match plan.tree.split(n) {
        Split::Set(words) => words,
        Split::Threshold(_) => &[],
    };
    Lanes(x.0.map(|x| {
        let left = if x.is_nan() { node.missing_left } else { contains(words, x) };
        f64::from(u8::from(left))
    }))
}
