use crate::tree::Tree;

/// The multiples of a power of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecimalGrid {
    /// The power.
    pub exponent: i32,
}

impl DecimalGrid {
    /// The multiple that lies nearest to `value`.
    pub fn integer(self, _value: f64) -> i64 {
        unimplemented!()
    }
}

/// Rounds the leaves onto a decimal grid of 15 digits and makes every parent the exact sum of its children.
/// None, and nothing changed, when a leaf or a sum is not finite.
pub fn round_additive(_tree: &Tree, _values: &mut [f64], _lanes: usize) -> Option<DecimalGrid> {
    unimplemented!()
}
