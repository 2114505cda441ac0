//! Fits a series at unit scale.

use crate::{Fit, Forecast, Series, Shape, Unfit};

/// Forecasts are clamped to this many times the range of the series around its values: wide enough for every plausible
/// trend, narrow enough that one unstable fit cannot spoil an aggregate.
const RANGE_CAP: f64 = 10.0;

/// A fit to a series that has been multiplied by a power of two.
///
/// Such a factor only changes exponents, so no digit is lost. Tolerances inside the models can be absolute, and squares
/// of very large or very small values neither overflow nor underflow.
pub(crate) struct Rescaled {
    inner: Box<dyn Fit>,
    /// The factor from the fitted scale back to the series' own.
    factor: f64,
    fitted: Vec<f64>,
    lowest: f64,
    highest: f64,
}

impl Rescaled {
    /// Fits `series` at unit scale with `fit`.
    pub(crate) fn fit(
        series: &Series<'_>,
        fit: impl FnOnce(&Series<'_>) -> Result<Box<dyn Fit>, Unfit>,
    ) -> Result<Self, Unfit> {
        let factor = power_of_two_scale(series.values);
        let inverse = factor.recip();
        let values: Vec<f64> = series.values.iter().map(|value| value * inverse).collect();
        let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
        for &value in &values {
            lowest = lowest.min(value);
            highest = highest.max(value);
        }
        let inner = fit(&Series { values: &values, ..*series })?;
        let fitted = inner.fitted().iter().map(|value| value * factor).collect();
        Ok(Self { inner, factor, fitted, lowest, highest })
    }
}

impl Fit for Rescaled {
    fn forecast(&self, horizon: usize) -> Forecast {
        let mut forecast = self.inner.forecast(horizon);
        forecast.shape = std::mem::replace(&mut forecast.shape, Shape::Normal).scaled(self.factor);
        // A trend may continue for the whole horizon, so the allowance grows with it.
        let slack =
            (self.highest - self.lowest) * RANGE_CAP * (1.0 + horizon as f64 / self.fitted.len() as f64);
        let (floor, ceiling) = (self.lowest - slack, self.highest + slack);
        let middle = f64::midpoint(self.lowest, self.highest);
        for mean in &mut forecast.mean {
            let held = if mean.is_finite() { mean.clamp(floor, ceiling) } else { middle };
            *mean = (held * self.factor).clamp(-f64::MAX, f64::MAX);
        }
        for sd in &mut forecast.sd {
            let held = if sd.is_finite() { sd.clamp(0.0, slack) } else { slack };
            *sd = (held * self.factor).min(f64::MAX);
        }
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}

/// The largest power of two that is not above the largest absolute value, within the range that can be inverted
/// exactly; 1 if all values are zero.
pub(crate) fn power_of_two_scale(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    let exponent = ((largest.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    2.0_f64.powi(exponent.clamp(-1000, 1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_brings_the_largest_value_into_one_to_two() {
        for value in [1e-12, 0.3, 1.0, 2.0, 7.5, 1e15, -4.0] {
            let scaled = (value / power_of_two_scale(&[value, 0.0])).abs();
            assert!((1.0..2.0).contains(&scaled), "{value} became {scaled}");
        }
        assert_eq!(power_of_two_scale(&[0.0, 0.0]), 1.0);
        assert!(power_of_two_scale(&[f64::MIN_POSITIVE / 8.0]).recip().is_finite());
    }
}
