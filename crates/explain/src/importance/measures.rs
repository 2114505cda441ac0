//! Moments, quantiles and the coefficient of determination.

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Sum of squared deviations from the mean.
pub(super) fn spread(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// Standard deviation with n - 1; 0 for fewer than two values.
pub(super) fn standard_deviation(values: &[f64]) -> f64 {
    if values.len() < 2 { 0.0 } else { (spread(values) / (values.len() - 1) as f64).sqrt() }
}

/// Share of the variance of `values` that `reproduced` explains; none if they are constant.
pub(super) fn r2(values: &[f64], reproduced: &[f64]) -> Option<f64> {
    let whole = spread(values);
    let rest: f64 = values.iter().zip(reproduced).map(|(value, other)| (value - other).powi(2)).sum();
    (whole > 0.0).then(|| 1.0 - rest / whole)
}

/// A quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan, 1996), of an ascending,
/// non-empty slice.
pub(super) fn quantile(ascending: &[f64], level: f64) -> f64 {
    let place = level * (ascending.len() - 1) as f64;
    let (below, above) = (ascending[place.floor() as usize], ascending[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_sets_by_hand() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.25), 1.5);
        assert_eq!(quantile(&[7.0], 0.95), 7.0);
        assert_eq!(standard_deviation(&[1.0, 3.0]), 2.0_f64.sqrt());
        assert_eq!(standard_deviation(&[1.0]), 0.0);
        assert_eq!(r2(&[1.0, 2.0, 3.0], &[1.0, 2.0, 4.0]), Some(0.5));
        assert_eq!(r2(&[2.0, 2.0], &[2.0, 2.0]), None);
    }
}
