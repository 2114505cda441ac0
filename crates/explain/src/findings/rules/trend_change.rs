use serde::Serialize;

use super::trend::{bend, hinge};
use crate::findings::decomposition::Decomposition;
use crate::findings::lines::{Line, sum_of_squares};
use crate::findings::serial::independent_share;

/// The slope over the last third of the history differs from the slope before.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrendChange {
    /// Earlier change per season, or per step without a season.
    pub before: f64,
    /// The same over the last third.
    pub after: f64,
    /// `before` as a share of the level; None unless that is above zero.
    pub before_relative: Option<f64>,
    /// `after` as a share of the level.
    pub after_relative: Option<f64>,
    /// The first step of the last third.
    pub at: usize,
    /// The improvement of the Bayesian information criterion by the bend.
    pub gain: f64,
}

const LEAST_GAIN: f64 = 10.0;
/// Minimum ratio of the slopes if they have the same sign.
const FACTOR: f64 = 2.0;
/// Minimum difference of the slopes as a share of the level: per season, or over the last third.
const LEAST: (f64, f64) = (0.02, 0.05);
const LEAST_STEPS: usize = 24;

/// `level` is the history without season, outliers and level shift.
pub(crate) fn trend_change(of: &Decomposition, level: &[f64]) -> Option<TrendChange> {
    let count = level.len();
    // Within a season, the season itself bends.
    if count < LEAST_STEPS.max(of.season_length) || of.intermittent || !of.varies() {
        return None;
    }
    let straight = Line::through(level);
    let (bent, difference) = Line::with(level, &hinge(count));
    let (before, after) = (bent.slope, bent.slope + difference);
    let season = of.season_length as f64;
    let third = (count - bend(count)) as f64;
    let yardstick = of.yardstick();
    if difference.abs() * season < LEAST.0 * yardstick && difference.abs() * third < LEAST.1 * yardstick {
        return None;
    }
    let turns = before * after < 0.0;
    let (small, large) = (before.abs().min(after.abs()), before.abs().max(after.abs()));
    if !turns && large < FACTOR * small {
        return None;
    }
    let n = count as f64 * independent_share(&bent.residuals);
    let floor = count as f64 * (1e-12 * of.size).powi(2);
    let fits = |line: &Line| sum_of_squares(&line.residuals).max(floor).ln();
    let gain = n * (fits(&straight) - fits(&bent)) - n.max(1.0).ln();
    (gain > LEAST_GAIN).then(|| TrendChange {
        before: before * season * of.scale,
        after: after * season * of.scale,
        before_relative: of.base().map(|base| before * season / base),
        after_relative: of.base().map(|base| after * season / base),
        at: of.start + bend(count),
        gain,
    })
}
