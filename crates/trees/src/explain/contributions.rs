//! Accumulates the contributions of a block of rows.

use super::lanes::{Lanes, Pack};
use super::sweep::{At, Sink};

/// The contributions of one output: those of feature `f` are `values[f * stride]`.
pub(super) struct Contributions<'a> {
    pub(super) values: &'a mut [Lanes],
    pub(super) stride: usize,
}

impl Sink for Contributions<'_> {
    #[expect(
        clippy::inline_always,
        reason = "generic over registers, whose instruction set only the caller has"
    )]
    #[inline(always)]
    fn take<P: Pack, const K: usize>(&mut self, at: &At<'_>, scale: P, weighted: &[P; K]) {
        let mut sum = weighted[0];
        for &point in &weighted[1..] {
            sum = sum.add(point);
        }
        let lanes = &mut self.values[at.plan.nodes[at.n].feature as usize * self.stride];
        P::load(lanes).add(scale.mul(sum)).store(lanes);
    }
}
