//! A candidate split and the set of bins that goes left.

/// Bins as bits: the bins that go left.
pub(crate) type BinSet = [u64; 4];

/// A split of a leaf.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Decrease of the loss in its second-order approximation.
    pub(crate) gain: f64,
    pub(crate) feature: usize,
    pub(crate) left_bins: BinSet,
    /// Packed sum of the rows that go left.
    pub(crate) left: i64,
    /// For a monotone feature, a number between the values of the children, which bounds both subtrees.
    pub(crate) middle: Option<f64>,
}

/// Bounds of leaf values, from monotone splits above.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Bounds {
    pub(crate) const NONE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
}

/// The leaf under search, with its packed sum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) packed: i64,
    pub(crate) bounds: Bounds,
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
