//! Sums of two doubles: about 32 digits, for references that must be better than what they judge.

use std::ops::{Add, Mul, Sub};

/// The unevaluated sum of two doubles that do not overlap.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// The sum and what rounding it lost (Knuth).
    fn sum(one: f64, other: f64) -> Self {
        let high = one + other;
        let part = high - one;
        Self { high, low: (one - (high - part)) + (other - part) }
    }

    /// The product and what rounding it lost (Dekker), for factors below 1e150.
    fn product(one: f64, other: f64) -> Self {
        let split = |value: f64| {
            let scaled = value * 134_217_729.0;
            let high = scaled - (scaled - value);
            (high, value - high)
        };
        let ((a, b), (c, d)) = (split(one), split(other));
        let high = one * other;
        Self { high, low: ((a * c - high) + a * d + b * c) + b * d }
    }

    pub(crate) fn rounded(self) -> f64 {
        self.high + self.low
    }
}

impl From<f64> for DoubleDouble {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = Self::sum(self.high, other.high);
        Self::sum(sum.high, sum.low + self.low + other.low)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Mul<f64> for DoubleDouble {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        let product = Self::product(self.high, factor);
        Self::sum(product.high, product.low + self.low * factor)
    }
}
