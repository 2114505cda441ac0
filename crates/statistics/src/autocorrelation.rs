//! Sample autocorrelation.

/// The sample autocorrelation of `values` at `lag`, between -1 and 1; 0 for a constant series and for lags that exceed
/// it.
pub fn autocorrelation(values: &[f64], lag: usize) -> f64 {
    let mean = mean(values);
    let variance = lagged_product(values, mean, 0);
    if variance > 0.0 && lag < values.len() { lagged_product(values, mean, lag) / variance } else { 0.0 }
}

/// The sample autocorrelations at lags 1 to `longest`, in order.
pub fn autocorrelations(values: &[f64], longest: usize) -> Vec<f64> {
    let mean = mean(values);
    let variance = lagged_product(values, mean, 0);
    let at = |lag| {
        if variance > 0.0 && lag < values.len() { lagged_product(values, mean, lag) / variance } else { 0.0 }
    };
    (1..=longest).map(at).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn lagged_product(values: &[f64], mean: f64, lag: usize) -> f64 {
    values
        .iter()
        .zip(&values[lag.min(values.len())..])
        .map(|(before, now)| (before - mean) * (now - mean))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_hand_computed_case() {
        // Deviations -1.5, -0.5, 0.5, 1.5; sum of squares 5; lag 1: 0.75 - 0.25 + 0.75 = 1.25.
        assert!((autocorrelation(&[1.0, 2.0, 3.0, 4.0], 1) - 0.25).abs() < 1e-15);
        assert_eq!(autocorrelations(&[1.0, 2.0, 3.0, 4.0], 2), [0.25, -0.3]);
    }

    #[test]
    fn a_constant_series_and_unreachable_lags_give_zero() {
        assert_eq!(autocorrelation(&[3.0; 5], 1), 0.0);
        assert_eq!(autocorrelation(&[1.0, 2.0], 7), 0.0);
        assert_eq!(autocorrelation(&[], 1), 0.0);
    }
}
