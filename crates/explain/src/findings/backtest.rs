//! Measures the errors of a backtest.

use super::Backtest;
use super::decomposition::scale_of;
use super::input::usable;
use super::serial::independent_share;

/// Mean errors of a backtest, in the unit of the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    pub(super) steps: usize,
    /// Mean absolute errors of the forecast and of the seasonal naive forecast.
    pub(super) error: f64,
    pub(super) naive_error: f64,
    pub(super) mean_error: f64,
    /// Numbers of errors above and below zero.
    pub(super) over: usize,
    pub(super) under: usize,
    /// Number of independent errors.
    pub(super) independent: f64,
    pub(super) coverage: Option<f64>,
}

/// None without errors, if their numbers differ, or if one is not a number.
pub(super) fn measure(backtest: &Backtest<'_>) -> Option<Measured> {
    let Backtest { errors, naive_errors, coverage, .. } = *backtest;
    let finite = |values: &[f64]| values.iter().all(|value| usable(*value));
    if errors.is_empty() || errors.len() != naive_errors.len() || !finite(errors) || !finite(naive_errors) {
        return None;
    }
    let scale = scale_of(errors).max(scale_of(naive_errors));
    let mean = |values: &[f64], of: fn(f64) -> f64| {
        values.iter().map(|value| of(value / scale)).sum::<f64>() / values.len() as f64 * scale
    };
    let scaled: Vec<f64> = errors.iter().map(|error| error / scale).collect();
    Some(Measured {
        steps: errors.len(),
        error: mean(errors, f64::abs),
        naive_error: mean(naive_errors, f64::abs),
        mean_error: mean(errors, |error| error),
        over: errors.iter().filter(|error| **error > 0.0).count(),
        under: errors.iter().filter(|error| **error < 0.0).count(),
        independent: errors.len() as f64 * independent_share(&scaled),
        coverage: (0.0..=1.0).contains(&coverage).then_some(coverage),
    })
}
