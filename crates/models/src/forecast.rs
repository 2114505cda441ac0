//! The forecast distributions of a fitted model.

use serde::{Deserialize, Serialize};
use tabcast_statistics::normal_quantile;

/// The family of distributions that mean and standard deviation describe.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// Symmetric: the natural shape of models with additive errors.
    Normal,
    /// Positive and skewed to the right, with the given mean and standard deviation: the natural shape of models with
    /// multiplicative errors. A step whose mean is not positive uses [`Shape::Normal`].
    LogNormal,
    /// Zero in most steps and log-normal in the others: the natural shape of intermittent demand. Mean and standard
    /// deviation are those of all steps together.
    Demand {
        /// The probability that a step has any demand, above 0 and at most 1.
        occurrence: f64,
        /// Demand comes in multiples of this unit, in the units of the series; zero if demand has no unit.
        unit: f64,
    },
    /// Measured: the distances of the quantiles at [`LEVELS`] from the mean, step by step, in the units of the series.
    Measured(Vec<f64>),
}

/// The levels of measured quantiles.
pub const LEVELS: [f64; 13] = [0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975];

impl Shape {
    /// The same distribution in units that are `factor` times smaller.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        match self {
            Self::Demand { occurrence, unit } => Self::Demand { occurrence, unit: unit * factor },
            Self::Measured(distances) => {
                Self::Measured(distances.into_iter().map(|distance| distance * factor).collect())
            }
            Self::Normal | Self::LogNormal => self,
        }
    }
}

/// The quantile of a log-normal distribution, `z` standard deviations from its median in logarithms.
fn log_normal(mean: f64, sd: f64, z: f64) -> f64 {
    let relative = sd / mean;
    let log_variance = (relative * relative).ln_1p();
    mean * (z * log_variance.sqrt() - 0.5 * log_variance).exp()
}

/// The quantile between measured ones: linear in the normal quantile. Beyond the outermost, the distance from the median
/// grows in proportion to it.
fn measured(distances: &[f64], level: f64) -> f64 {
    let z = normal_quantile(level);
    let last = LEVELS.len() - 1;
    let median = distances[last / 2];
    let beyond = |end: usize| median + (distances[end] - median) * z / normal_quantile(LEVELS[end]);
    let after = LEVELS.partition_point(|&known| known < level);
    if LEVELS.get(after) == Some(&level) {
        return distances[after];
    }
    if after == 0 || after > last {
        return beyond(after.min(last));
    }
    let (from, to) = (normal_quantile(LEVELS[after - 1]), normal_quantile(LEVELS[after]));
    distances[after - 1] + (distances[after] - distances[after - 1]) * (z - from) / (to - from)
}

/// The quantile of demand that is zero with probability `1 - occurrence`; the moments of the steps with demand follow
/// from those of all steps.
fn demand(mean: f64, sd: f64, occurrence: f64, unit: f64, level: f64) -> f64 {
    let above_zero = level - (1.0 - occurrence);
    if above_zero <= 0.0 {
        return 0.0;
    }
    let size = mean / occurrence;
    // Computes relative to the size, because squares of numbers near the ends of the range overflow or underflow.
    let relative = sd / size;
    let variance = (relative * relative / occurrence + occurrence - 1.0).max(0.0);
    let z = normal_quantile((above_zero / occurrence).clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON));
    let continuous = log_normal(size, size * variance.sqrt(), z);
    if unit > 0.0 { (continuous / unit).round().max(1.0) * unit } else { continuous }
}

/// Forecast distributions for the steps after the end of a series; step 0 is the first one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// The expected value of each step, in the units of the series.
    pub mean: Vec<f64>,
    /// The standard deviation of each step, in the units of the series; zero if the model had no errors.
    pub sd: Vec<f64>,
    /// The distribution of each step, given mean and standard deviation.
    pub shape: Shape,
}

impl Forecast {
    /// A forecast without steps yet.
    pub(crate) fn with_capacity(horizon: usize, shape: Shape) -> Self {
        Self { mean: Vec::with_capacity(horizon), sd: Vec::with_capacity(horizon), shape }
    }

    /// The quantile of `step` (0 is the first step ahead) at `level`, strictly between 0 and 1.
    ///
    /// Finite for every level in that range and non-decreasing in `level`; levels outside it are clamped.
    ///
    /// # Panics
    ///
    /// When `step` is not below the horizon.
    pub fn quantile(&self, step: usize, level: f64) -> f64 {
        let (mean, sd) = (self.mean[step], self.sd[step]);
        if sd == 0.0 {
            return mean;
        }
        let level = level.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
        let value = match &self.shape {
            Shape::Measured(distances) => {
                mean + measured(&distances[step * LEVELS.len()..][..LEVELS.len()], level)
            }
            &Shape::Demand { occurrence, unit } if mean > 0.0 => demand(mean, sd, occurrence, unit, level),
            Shape::LogNormal if mean > 0.0 => log_normal(mean, sd, normal_quantile(level)),
            _ => mean + normal_quantile(level) * sd,
        };
        value.clamp(-f64::MAX, f64::MAX)
    }

    /// The number of steps.
    pub fn horizon(&self) -> usize {
        self.mean.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A third of the steps have demand, with mean 6 and variance 4: mean 2, variance (4 + 36) / 3 - 4 over all steps.
    #[test]
    fn demand_is_zero_below_its_occurrence_and_log_normal_above() {
        let shape = Shape::Demand { occurrence: 1.0 / 3.0, unit: 0.0 };
        let forecast = Forecast { mean: vec![2.0], sd: vec![(40.0_f64 / 3.0 - 4.0).sqrt()], shape };
        assert_eq!(forecast.quantile(0, 0.66), 0.0);
        // The median of the steps with demand: 6 / sqrt(1 + 4 / 36).
        let median = forecast.quantile(0, 2.0 / 3.0 + 1.0 / 6.0);
        assert!((median - 6.0 / (10.0_f64 / 9.0).sqrt()).abs() < 1e-12, "{median}");
        let whole = Forecast { shape: Shape::Demand { occurrence: 1.0 / 3.0, unit: 2.0 }, ..forecast };
        assert_eq!(whole.quantile(0, 2.0 / 3.0 + 1.0 / 6.0), 6.0);
        assert_eq!(whole.quantile(0, 0.667), 2.0);
    }
}
