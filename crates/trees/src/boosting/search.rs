//! The gain of a candidate split.

use super::binning::Binning;
use super::candidate::Node;
use super::packing::{Packing, Sums};
use super::params::{Monotone, Params};

/// State shared by all searches of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) params: &'a Params,
    pub(crate) binnings: &'a [Binning],
    pub(crate) packing: Packing,
}

impl Search<'_> {
    pub(crate) fn is_heavier(&self, left: i64, right: i64) -> bool {
        self.packing.sums(left).hessian > self.packing.sums(right).hessian
    }

    /// The gain of separating `left` from the rest, with the middle value of a monotone split; none if the split is not
    /// allowed.
    #[inline]
    pub(crate) fn gain(
        &self,
        node: &Node,
        left: i64,
        more_l2: f64,
        direction: Monotone,
    ) -> Option<(f64, Option<f64>)> {
        let (params, right) = (self.params, node.packed - left);
        let (left, right) = (self.packing.sums(left), self.packing.sums(right));
        let allowed = |sums: &Sums| {
            sums.rows >= params.min_rows as f64 - 0.5 && sums.rows > 0.0 && sums.hessian >= params.min_hessian
        };
        if !(allowed(&left) && allowed(&right)) {
            return None;
        }
        let l2 = params.l2 + more_l2;
        let whole = self.packing.sums(node.packed);
        let mut middle = None;
        let gain = if node.bounds.low == f64::NEG_INFINITY
            && node.bounds.high == f64::INFINITY
            && direction == Monotone::Free
        {
            fall(&left, l2) + fall(&right, l2) - fall(&whole, params.l2)
        } else {
            let value = |sums: &Sums, l2: f64| leaf_value(sums, l2).clamp(node.bounds.low, node.bounds.high);
            let (low, high) = (value(&left, l2), value(&right, l2));
            match direction {
                Monotone::Rising if low > high => return None,
                Monotone::Falling if low < high => return None,
                Monotone::Free => {}
                _ => middle = Some(f64::midpoint(low, high)),
            }
            fall_at(&left, l2, low) + fall_at(&right, l2, high)
                - fall_at(&whole, params.l2, value(&whole, params.l2))
        };
        (gain > params.min_gain).then_some((gain, middle))
    }
}

/// The value that minimises the second-order approximation of the loss.
pub(crate) fn leaf_value(sums: &Sums, l2: f64) -> f64 {
    if sums.hessian + l2 > 0.0 { -sums.gradient / (sums.hessian + l2) } else { 0.0 }
}

/// Decrease of the loss if the rows get their best value.
#[inline]
pub(crate) fn fall(sums: &Sums, l2: f64) -> f64 {
    if sums.hessian + l2 > 0.0 { 0.5 * sums.gradient * sums.gradient / (sums.hessian + l2) } else { 0.0 }
}

/// Decrease of the loss if the rows get `value`.
fn fall_at(sums: &Sums, l2: f64, value: f64) -> f64 {
    -(sums.gradient * value + 0.5 * (sums.hessian + l2) * value * value)
}
