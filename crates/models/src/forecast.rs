//! What a fitted model says about the future.

use tabcast_statistics::normal_quantile;

/// The family of distributions that a forecast's mean and standard deviation are read with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Symmetric: the natural shape of models with additive errors.
    Normal,
    /// Positive and skewed to the right, with the given mean and standard deviation: the natural shape of
    /// models with multiplicative errors. A step whose mean is not positive is read as [`Shape::Normal`].
    LogNormal,
}

/// Forecast distributions for the steps after the end of a series; step 0 is the first one.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// The expected value of each step, in the units of the series.
    pub mean: Vec<f64>,
    /// The standard deviation of each step, in the units of the series; zero when the model saw no errors.
    pub sd: Vec<f64>,
    /// How a quantile is read off mean and standard deviation.
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
        let z = normal_quantile(level.clamp(f64::EPSILON, 1.0 - f64::EPSILON));
        let value = match self.shape {
            Shape::LogNormal if mean > 0.0 => {
                let relative = sd / mean;
                let log_variance = (relative * relative).ln_1p();
                mean * (z * log_variance.sqrt() - 0.5 * log_variance).exp()
            }
            _ => mean + z * sd,
        };
        value.clamp(-f64::MAX, f64::MAX)
    }

    /// The number of steps.
    pub fn horizon(&self) -> usize {
        self.mean.len()
    }
}
