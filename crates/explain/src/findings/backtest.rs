//! Errors of a backtest, measured.

use super::Backtest;
use super::decomposition::scale_of;
use super::input::usable;
use super::serial::independent_share;

/// Mean errors of a backtest, in the unit of the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    pub(super) steps: usize,
    /// Mean absolute errors of the forecast and of the seasonal naive one.
    pub(super) error: f64,
    pub(super) naive_error: f64,
    pub(super) mean_error: f64,
    /// Errors above and below zero.
    pub(super) over: usize,
    pub(super) under: usize,
    /// How many of the errors are independent of each other.
    pub(super) independent: f64,
    pub(super) coverage: Option<f64>,
}

/// None without errors, where their numbers differ, or where one is no number.
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
