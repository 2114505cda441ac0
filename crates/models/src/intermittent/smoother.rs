//! Simple smoothing without an initial state.

/// An exponentially weighted mean whose weights add up to one from the first value on.
///
/// Its gain starts at 1 and falls to alpha, `gain[t] = alpha / (1 - (1-alpha)^t)`. A recursion that starts at the first
/// value with a gain of alpha would give that value a weight that short series never lose: with alpha .1, a third after
/// ten demands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Smoother {
    pub(super) level: f64,
    alpha: f64,
    /// The sum of the weights so far, if the last weight is alpha.
    weight: f64,
}

impl Smoother {
    pub(super) const fn new(alpha: f64) -> Self {
        Self { level: 0.0, alpha, weight: 0.0 }
    }

    /// The plain recursion, whose gain is alpha from the start.
    #[cfg(test)]
    pub(super) const fn from_first(alpha: f64, level: f64) -> Self {
        Self { level, alpha, weight: 1.0 }
    }

    pub(super) fn observe(&mut self, value: f64) {
        self.weight += self.alpha * (1.0 - self.weight);
        self.level += self.alpha / self.weight * (value - self.level);
    }

    /// Whether there was any value yet.
    pub(super) fn started(&self) -> bool {
        self.weight > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_geometric_and_add_up_to_one() {
        let mut smoother = Smoother::new(0.2);
        assert!(!smoother.started());
        for value in [5.0, 1.0, 3.0] {
            smoother.observe(value);
        }
        let expected = (3.0 + 0.8 * 1.0 + 0.64 * 5.0) / (1.0 + 0.8 + 0.64);
        assert!((smoother.level - expected).abs() < 1e-15);
    }
}
