use serde::Serialize;

use crate::findings::backtest::Measured;
use crate::findings::tail::sign_test;

/// The forecasts of the backtest were too high or too low on average.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bias {
    /// Mean of forecast minus actual value.
    pub mean_error: f64,
    /// `mean_error` as a share of the mean absolute value of the history.
    pub relative: f64,
    /// P value of the sign test with the number of independent errors.
    pub p: f64,
    /// Number of steps that were forecast and compared.
    pub steps: usize,
}

const LEAST: f64 = 0.05;
const LEVEL: f64 = 0.05;

/// `size` is the mean absolute value of the history.
pub(crate) fn bias(measured: &Measured, size: f64) -> Option<Bias> {
    let Measured { mean_error, steps, over, under, .. } = *measured;
    let relative = mean_error / size;
    if !relative.is_finite() || relative.abs() <= LEAST {
        return None;
    }
    let share = (measured.independent / steps as f64).min(1.0);
    let shrunk = |count: usize| (count as f64 * share).round() as usize;
    let (over, under) = (shrunk(over), shrunk(under));
    // The sign must agree with that of the mean.
    let fewer = if mean_error > 0.0 { under } else { over };
    let p = sign_test(fewer, over + under);
    (p < LEVEL && 2 * fewer < over + under).then_some(Bias { mean_error, relative, p, steps })
}
