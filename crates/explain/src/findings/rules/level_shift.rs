use serde::Serialize;

use super::trend::hinge;
use crate::findings::decomposition::Decomposition;
use crate::findings::lines::{Line, sum_of_squares};
use crate::findings::robust::{centre_and_spread, median};
use crate::findings::serial::independent_share;

/// A lasting jump of the level in the last quarter of the history.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelShift {
    /// The first step on the new level.
    pub at: usize,
    /// New level minus old level.
    pub size: f64,
    /// `size` as a share of the old level; None unless the level is above zero.
    pub relative: Option<f64>,
    /// `size` in standard deviations of the residuals of trend, season and shift.
    pub deviations: f64,
}

const LEAST_DEVIATIONS: f64 = 3.0;
const LEAST_SHARE: f64 = 0.08;
/// Minimum gain of the Bayesian information criterion.
const LEAST_GAIN: f64 = 10.0;
/// Number of steps on each side that must show most of the jump; a slower change is a trend.
const SIDE: usize = 5;
const ABRUPT: f64 = 0.6;
const LEAST_STEPS: usize = 16;
const LEAST_AFTER: usize = 4;

/// The shift, and the history without season, outliers and the shift.
pub(crate) fn level_shift(of: &Decomposition) -> (Option<LevelShift>, Vec<f64>) {
    let mut level = of.adjusted.clone();
    let Some((at, size, deviations)) = find_shift(of) else { return (None, level) };
    for value in &mut level[at..] {
        *value -= size;
    }
    let before = median(&mut of.adjusted[at.saturating_sub(4 * SIDE)..at].to_vec());
    let found = LevelShift {
        at: of.start + at,
        size: size * of.scale,
        relative: of.base().filter(|_| before > 0.1 * of.size).map(|_| size / before),
        deviations,
    };
    (Some(found), level)
}

/// Position, size, and size in deviations.
pub(crate) fn find_shift(of: &Decomposition) -> Option<(usize, f64, f64)> {
    let values = &of.adjusted;
    let count = values.len();
    if count < LEAST_STEPS || of.intermittent || !of.varies() {
        return None;
    }
    let straight = Line::through(values);
    let (at, _) = best_step(&straight.residuals)?;
    let step: Vec<f64> = (0..count).map(|t| f64::from(u8::from(t >= at))).collect();
    let (stepped, size) = Line::with(values, &step);
    let (_, spread) = centre_and_spread(&stepped.residuals, &mut Vec::new());
    let spread = spread.max(1e-9 * of.size);
    let n = count as f64 * independent_share(&stepped.residuals);
    let floor = count as f64 * (1e-12 * of.size).powi(2);
    let fits = |line: &Line| sum_of_squares(&line.residuals).max(floor).ln();
    // Position and size of the step are two parameters.
    let gain = n * (fits(&straight) - fits(&stepped)) - 2.0 * n.max(1.0).ln();
    let (bent, _) = Line::with(values, &hinge(count));
    let side = SIDE.min(count - at);
    let before = median(&mut values[at - side..at].to_vec());
    let after = median(&mut values[at..at + side].to_vec());
    let is_shift = size.abs() >= LEAST_DEVIATIONS * spread
        && size.abs() >= LEAST_SHARE * of.yardstick()
        && gain > LEAST_GAIN
        && sum_of_squares(&stepped.residuals) < sum_of_squares(&bent.residuals)
        && (after - before) * size.signum() >= ABRUPT * size.abs();
    is_shift.then_some((at, size, size.abs() / spread))
}

/// The position in the last quarter of the step that explains most of a line's residuals, and how much it explains.
///
/// A step `u` at position k lowers the sum of squares by `(u·r)² / |u without line|²`.
fn best_step(residuals: &[f64]) -> Option<(usize, f64)> {
    let count = residuals.len();
    let n = count as f64;
    let earliest = (count * 3 / 4).max(LEAST_AFTER);
    let mut sum = 0.0;
    let mut best = None;
    for at in (earliest..count).rev() {
        sum += residuals[at];
        let after = (count - at) as f64;
        if count - at < LEAST_AFTER {
            continue;
        }
        // The sum of the distances from the middle of the steps from `at` on.
        let distances = after * at as f64 / 2.0;
        let left = after - after * after / n - distances * distances / (n * (n * n - 1.0) / 12.0);
        let taken = sum * sum / left;
        if best.is_none_or(|(_, most)| taken > most) {
            best = Some((at, taken));
        }
    }
    best
}
