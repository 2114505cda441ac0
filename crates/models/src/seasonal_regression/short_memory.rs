//! The path of an autoregression after the end of each day: what the next hours owe to the last ones.

use crate::autoregression::solve_ridge;

/// The penalty, as a fraction of the variance.
const RIDGE: f64 = 1e-3;
/// The autoregression is fitted to this many of the latest steps.
const FITTED: usize = 20_000;
/// Deviations are clipped at this many usual sizes.
const FURTHEST: f64 = 10.0;

/// Forecasts of the `steps` deviations after each day, row by row, from the deviations `z` of all days. Zero if the
/// regression is degenerate.
pub(super) fn paths(z: &[f64], season: usize, steps: usize) -> Vec<f64> {
    let count = z.len() / season;
    let clipped: Vec<f64> = z.iter().map(|value| value.clamp(-FURTHEST, FURTHEST)).collect();
    let recent = &clipped[clipped.len().saturating_sub(FITTED)..];
    let lags = lags(season, recent.len() / 3);
    let mut paths = vec![0.0; count * steps];
    let Some(coefficients) = solve_ridge(recent, &lags, RIDGE) else { return paths };
    let longest = lags[lags.len() - 1];
    let mut values = Vec::with_capacity(longest + steps);
    for (day, path) in paths.chunks_exact_mut(steps).enumerate() {
        let end = (day + 1) * season;
        values.clear();
        values.resize(longest.saturating_sub(end), 0.0);
        values.extend_from_slice(&clipped[end.saturating_sub(longest)..end]);
        for step in path {
            let next: f64 =
                lags.iter().zip(&coefficients).map(|(lag, weight)| weight * values[values.len() - lag]).sum();
            *step = next.clamp(-FURTHEST, FURTHEST);
            values.push(*step);
        }
    }
    paths
}

/// Recent lags, parts of a day, and those around one day, two days and a week; ascending, at most `most`.
fn lags(season: usize, most: usize) -> Vec<usize> {
    let mut lags = vec![1, 2, 3, 4, 5, 6, 8, 12, season / 4, season / 2, season - 1, season, season + 1];
    lags.extend([2 * season, 7 * season]);
    lags.sort_unstable();
    lags.dedup();
    lags.retain(|&lag| lag > 0 && lag <= most);
    lags
}
