//! Penalties on weights: squares, absolute values, or a mix of both.

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
    /// A penalty with the share `l1_share` (0 to 1) of absolute values. These grow with the unit of the target, whereas
    /// squares and losses grow with its square; `unit` compensates for that.
    pub(super) fn new(strength: f64, l1_share: f64, unit: f64) -> Self {
        Self { absolute: strength * l1_share * unit, square: strength * (1.0 - l1_share) }
    }
}

/// The start of a penalty path: with absolute values, the penalty at which the first weight leaves zero. `slope` is the
/// steepest slope of the loss at zero weights.
pub(super) fn strongest(slope: f64, l1_share: f64, unit: f64) -> f64 {
    let strength = slope / (l1_share * unit);
    if strength.is_finite() && strength > 0.0 { strength } else { STRONGEST }
}
