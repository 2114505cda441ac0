use serde::Serialize;

use crate::findings::backtest::Measured;

/// The 80 % interval contained too few or too many of the actual values of the backtest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coverage {
    /// Share of the actual values inside the interval.
    pub share: f64,
    /// Number of steps that were forecast and compared.
    pub steps: usize,
    /// Too narrow if true, otherwise too wide.
    pub too_narrow: bool,
}

const BAND: (f64, f64) = (0.7, 0.9);
const NOMINAL: f64 = 0.8;
/// The two-sided 95 % quantile of the normal distribution: few steps are often outside by chance.
const NORMAL_95: f64 = 1.96;

pub(crate) fn coverage(measured: &Measured) -> Option<Coverage> {
    let share = measured.coverage?;
    let chance = NORMAL_95 * (NOMINAL * (1.0 - NOMINAL) / measured.independent.max(1.0)).sqrt();
    let outside = !(BAND.0..=BAND.1).contains(&share) && (share - NOMINAL).abs() > chance;
    outside.then_some(Coverage { share, steps: measured.steps, too_narrow: share < NOMINAL })
}
