//! When to model a series in logarithms, and the inverse transformation.

/// The smallest value must be above this fraction of the mean: closer to zero, logarithms turn the smallest changes
/// into the largest ones.
const SMALLEST_PART: f64 = 0.02;
/// Upper limit of the variance of logarithms: beyond it, the mean of a skewed distribution lies far outside the
/// observed values.
pub(crate) const LARGEST_LOG_VARIANCE: f64 = 0.5;

/// Whether all values are positive, and far enough from zero for logarithms to describe the series.
pub(crate) fn suits_logarithms(values: &[f64]) -> bool {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    lowest > 0.0 && lowest > SMALLEST_PART * mean
}

/// Mean and standard deviation of a log-normal distribution whose median corresponds to the centre of the logarithms.
pub(crate) fn log_normal_moments(centre: f64, variance: f64) -> (f64, f64) {
    let variance = variance.min(LARGEST_LOG_VARIANCE);
    let mean = (centre + 0.5 * variance).exp();
    (mean, mean * variance.exp_m1().sqrt())
}
