use serde::Serialize;

use crate::findings::decomposition::Decomposition;
use crate::findings::lines::Line;
use crate::findings::serial::independent_share;
use crate::findings::trend_test::{mann_kendall_p, theil_sen_slope};

/// A monotone trend of the history without season, outliers and level shift.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trend {
    /// Change per step.
    pub slope: f64,
    /// Change per season, or per step without a season; if the history is shorter than a season, `total`.
    pub change: f64,
    /// `change` as a share of the level; None unless that is above zero.
    pub relative: Option<f64>,
    /// Change from the first to the last step.
    pub total: f64,
    /// `total` as a share of the level.
    pub total_relative: Option<f64>,
    /// Whether the history is shorter than a season, so that `change` covers all of it.
    pub whole: bool,
    /// P value of the Mann-Kendall test, corrected for serial dependence.
    pub p: f64,
    /// Whether the change is at least 10 % of the level per season.
    pub strong: bool,
    /// First examined step.
    pub from: usize,
    /// Last examined step.
    pub to: usize,
}

/// Minimum change as a share of the level: per season, or over the whole history.
const LEAST: (f64, f64) = (0.02, 0.1);
const STRONG: f64 = 0.1;
const LEVEL: f64 = 0.01;
const LEAST_STEPS: usize = 8;

/// `level` is the history without season, outliers and level shift.
pub(crate) fn trend(of: &Decomposition, level: &[f64]) -> Option<Trend> {
    let count = level.len();
    if count < LEAST_STEPS || !of.varies() {
        return None;
    }
    let slope = theil_sen_slope(level, &mut Vec::new());
    let total = slope * (count - 1) as f64;
    let whole = count < of.season_length;
    let change = if whole { total } else { slope * of.season_length as f64 };
    let yardstick = of.yardstick();
    if change.abs() < LEAST.0 * yardstick && total.abs() < LEAST.1 * yardstick {
        return None;
    }
    // A bend of the trend is not noise, so it must not count as dependence.
    let (bent, _) = Line::with(level, &hinge(count));
    let p = mann_kendall_p(level, independent_share(&bent.residuals));
    (p < LEVEL).then(|| Trend {
        slope: slope * of.scale,
        change: change * of.scale,
        relative: of.base().map(|base| change / base),
        total: total * of.scale,
        total_relative: of.base().map(|base| total / base),
        whole,
        p,
        strong: change.abs() >= STRONG * yardstick,
        from: of.start,
        to: of.start + count - 1,
    })
}

/// Zero over the first two thirds of the steps, then the distance from there.
pub(super) fn hinge(count: usize) -> Vec<f64> {
    (0..count).map(|t| t.saturating_sub(bend(count)) as f64).collect()
}

/// The start of the last third.
pub(super) fn bend(count: usize) -> usize {
    count * 2 / 3
}
