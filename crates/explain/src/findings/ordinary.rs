//! Separates ordinary values from outliers.

use super::robust::{centre_and_spread, median};

/// Number of steps on each side with which a value is compared.
const REACH: usize = 3;

/// The distance of each value from the median of itself and its three neighbours on each side. A lasting change of the
/// level gives no distance; an isolated value does.
pub(super) fn distances(values: &[f64]) -> Vec<f64> {
    let mut window = [0.0; 2 * REACH + 1];
    (0..values.len())
        .map(|at| {
            let near = &values[at.saturating_sub(REACH)..values.len().min(at + REACH + 1)];
            let room = &mut window[..near.len()];
            room.copy_from_slice(near);
            values[at] - median(room)
        })
        .collect()
}

/// The threshold of an outlier in standard deviations of the ordinary values: 4; more in long series, in which normal
/// noise reaches farther, and in short ones, in which the deviation itself is uncertain.
pub(super) fn threshold(count: usize) -> f64 {
    let n = count.max(2) as f64;
    (1.0 + (2.0 * n.ln()).sqrt()).max(4.0) * (1.0 + 10.0 / n)
}

/// Observed positions at which both the `remainder` (without trend and season) and the distance from the neighbours are
/// outliers, by median and median absolute deviation; empty if more than half of the values are equal.
pub(super) fn outliers(
    remainder: &[f64],
    adjusted: &[f64],
    observed: &[bool],
    room: &mut Vec<f64>,
) -> Vec<usize> {
    // Interpolated values lie closer to their neighbours than observed ones.
    let seen = |values: &[f64]| -> Vec<f64> {
        values.iter().zip(observed).filter_map(|(value, seen)| seen.then_some(*value)).collect()
    };
    let limit = threshold(remainder.len());
    let (centre, spread) = centre_and_spread(&seen(remainder), room);
    let size = adjusted.iter().map(|value| value.abs()).fold(0.0, f64::max);
    if spread <= 1e-9 * size || !remainder.iter().any(|value| (value - centre).abs() > limit * spread) {
        return Vec::new();
    }
    let distances = distances(adjusted);
    let (_, near_spread) = centre_and_spread(&seen(&distances), room);
    (0..remainder.len())
        .filter(|&at| {
            observed[at]
                && (remainder[at] - centre).abs() > limit * spread
                && distances[at].abs() > limit * near_spread
        })
        .collect()
}
