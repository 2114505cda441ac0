//! Standardises features.

use serde::{Deserialize, Serialize};

/// Features are clipped at these quantiles of the sample: growth from nearly nothing must not dominate the rest.
const TAILS: (f64, f64) = (0.001, 0.999);

/// Centre, scale and bounds of each feature.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Standard {
    features: Vec<Feature>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Feature {
    low: f64,
    high: f64,
    mean: f64,
    /// 0 for a constant feature, which is ignored.
    deviation: f64,
}

impl Standard {
    /// From a sample of consecutive rows of `width` features.
    pub(super) fn of(sample: &[f64], width: usize) -> Self {
        let features = (0..width).map(|place| {
            let mut values: Vec<f64> =
                sample[place.min(sample.len())..].iter().step_by(width).copied().collect();
            values.retain(|value| value.is_finite());
            values.sort_unstable_by(f64::total_cmp);
            Feature::of(&values)
        });
        Self { features: features.collect() }
    }

    pub(super) fn width(&self) -> usize {
        self.features.len()
    }

    /// Four numbers per feature.
    pub(super) fn numbers(&self) -> Vec<f64> {
        let numbers = |feature: &Feature| [feature.low, feature.high, feature.mean, feature.deviation];
        self.features.iter().flat_map(numbers).collect()
    }

    /// Restores the result of [`Standard::numbers`]; none if a number is missing or bounds are reversed.
    pub(super) fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (features, rest) = numbers.as_chunks();
        let feature = |&[low, high, mean, deviation]: &[f64; 4]| {
            (low <= high && deviation >= 0.0).then_some(Feature { low, high, mean, deviation })
        };
        let features = features.iter().map(feature).collect::<Option<Vec<_>>>()?;
        rest.is_empty().then_some(Self { features })
    }

    /// Standardises the features of a row, which may have further values after them; a missing feature takes its mean,
    /// which is 0.
    pub(super) fn apply(&self, row: &mut [f64]) {
        for (value, feature) in row.iter_mut().zip(&self.features) {
            let usual = (value.clamp(feature.low, feature.high) - feature.mean) / feature.deviation;
            *value = if usual.is_finite() { usual } else { 0.0 };
        }
    }
}

impl Feature {
    fn of(sorted: &[f64]) -> Self {
        let at = |part: f64| sorted.get((part * sorted.len().saturating_sub(1) as f64).round() as usize);
        let (Some(&low), Some(&high)) = (at(TAILS.0), at(TAILS.1)) else {
            return Self { low: 0.0, high: 0.0, mean: 0.0, deviation: 0.0 };
        };
        let count = sorted.len() as f64;
        let drawn_in = || sorted.iter().map(|value| value.clamp(low, high));
        let mean = drawn_in().map(|value| value / count).sum::<f64>();
        let deviation = (drawn_in().map(|value| (value - mean).powi(2) / count).sum::<f64>()).sqrt();
        Self { low, high, mean, deviation }
    }
}
