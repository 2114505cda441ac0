//! Penalties of weights: squares, absolute values, or some of both.

/// The strongest penalty, for a mean loss of standardised columns.
const STRONGEST: f64 = 1.0;

/// `absolute |w| + square w^2 / 2` for each weight w (Zou and Hastie, *Regularization and variable selection via the
/// elastic net*, 2005).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Penalty {
    pub(super) absolute: f64,
    pub(super) square: f64,
}

impl Penalty {
    /// A penalty of which `l1_share` (0 to 1) counts absolute values. These grow with the unit of the target, where
    /// squares and losses grow with its square: `unit` makes up for it.
    pub(super) fn new(strength: f64, l1_share: f64, unit: f64) -> Self {
        Self { absolute: strength * l1_share * unit, square: strength * (1.0 - l1_share) }
    }
}

/// Where a path starts: with absolute values, where the first weight leaves zero. `slope` is the steepest of the loss
/// without weights.
pub(super) fn strongest(slope: f64, l1_share: f64, unit: f64) -> f64 {
    let strength = slope / (l1_share * unit);
    if strength.is_finite() && strength > 0.0 { strength } else { STRONGEST }
}
