//! The best split of a leaf by one feature.

use super::binning::{BinKind, Binning};
use super::categories::best_set;
use super::histogram::BinSums;
use super::packing::{Packing, Sums};
use super::params::{Monotone, Params};

/// Bins as bits: those that go left.
pub(crate) type BinSet = [u64; 4];

/// A split of a leaf.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Fall of the loss by its second-order approximation.
    pub(crate) gain: f64,
    pub(crate) feature: usize,
    pub(crate) left_bins: BinSet,
    /// Packed sums of the rows that go left.
    pub(crate) left: i64,
    /// Where the feature is monotone, a number between the children's values, which bounds both subtrees.
    pub(crate) middle: Option<f64>,
}

/// What leaf values may be, from monotone splits above.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Bounds {
    pub(crate) const NONE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
}

/// What all searches of a tree share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) params: &'a Params,
    pub(crate) binnings: &'a [Binning],
    pub(crate) packing: Packing,
}

/// The leaf that a search is about, with its packed sum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) packed: i64,
    pub(crate) bounds: Bounds,
}

impl Search<'_> {
    /// The split with the largest gain; the first of equal ones.
    pub(crate) fn best(&self, feature: usize, bins: &BinSums, node: &Node) -> Option<Candidate> {
        let binning = &self.binnings[feature];
        match binning.kind {
            BinKind::Numeric(_) => self.best_threshold(feature, binning.values, bins, node),
            BinKind::Categorical(_) => best_set(self, feature, binning.values, bins, node),
        }
    }

    fn best_threshold(
        &self,
        feature: usize,
        values: usize,
        bins: &BinSums,
        node: &Node,
    ) -> Option<Candidate> {
        let direction = self.params.direction(feature);
        let missing = bins[values];
        let mut best: Option<Candidate> = None;
        for missing_left in [false, true] {
            if missing_left && missing == 0 {
                break;
            }
            let mut left = if missing_left { missing } else { 0 };
            for (bin, &packed) in bins[..values].iter().enumerate() {
                // An empty bin parts the rows as the one before it did.
                if packed == 0 {
                    continue;
                }
                left += packed;
                if let Some((gain, middle)) = self.gain(node, left, 0.0, direction)
                    && best.is_none_or(|best| gain > best.gain)
                {
                    // Rows without a missing value leave its direction open: the child with more of the loss's weight takes it.
                    let towards_left =
                        if missing == 0 { self.is_heavier(left, node.packed - left) } else { missing_left };
                    let mut left_bins = first_bins(bin + 1);
                    if towards_left {
                        insert(&mut left_bins, values as u8);
                    }
                    best = Some(Candidate { gain, feature, left_bins, left, middle });
                }
            }
        }
        best
    }

    pub(crate) fn is_heavier(&self, left: i64, right: i64) -> bool {
        self.packing.sums(left).hessian > self.packing.sums(right).hessian
    }

    /// The gain of parting `left` from the rest, with the middle of a monotone split; none where the split is not allowed.
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

/// Fall of the loss when the rows get their best value.
#[inline]
pub(crate) fn fall(sums: &Sums, l2: f64) -> f64 {
    if sums.hessian + l2 > 0.0 { 0.5 * sums.gradient * sums.gradient / (sums.hessian + l2) } else { 0.0 }
}

/// Fall of the loss when the rows get `value`.
fn fall_at(sums: &Sums, l2: f64, value: f64) -> f64 {
    -(sums.gradient * value + 0.5 * (sums.hessian + l2) * value * value)
}

/// The bins `0..count`.
pub(crate) fn first_bins(count: usize) -> BinSet {
    std::array::from_fn(|word| match count.saturating_sub(word * 64) {
        0 => 0,
        bits if bits >= 64 => u64::MAX,
        bits => (1 << bits) - 1,
    })
}

/// Puts a bin into a set.
pub(crate) fn insert(set: &mut BinSet, bin: u8) {
    set[usize::from(bin) / 64] |= 1 << (bin % 64);
}

/// Whether a bin is in a set.
pub(crate) fn has(set: &BinSet, bin: u8) -> bool {
    set[usize::from(bin) / 64] >> (bin % 64) & 1 == 1
}
