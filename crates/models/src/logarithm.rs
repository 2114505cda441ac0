//! When to model a series in logarithms.

/// The smallest value must be above this part of the mean: closer to zero, logarithms turn the smallest changes
/// into the largest ones.
const SMALLEST_PART: f64 = 0.02;

/// Whether all values are positive, and far enough from zero for logarithms to describe the series.
pub(crate) fn suits_logarithms(values: &[f64]) -> bool {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    lowest > 0.0 && lowest > SMALLEST_PART * mean
}
