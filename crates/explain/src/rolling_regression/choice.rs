//! Chooses the features of a regression.

use rayon::prelude::*;

use crate::correlations::{REDUNDANT, complete_pairs, correlation, half_differences};
use crate::{Features, MIN_ROWS, SeriesRows, Skip, Stop, Values};

/// Maximum number of features in a regression.
const MOST_FEATURES: usize = 5;

/// Indices of the numeric columns whose changes have the largest absolute correlations with those of the target, in
/// descending order. Changes are used because anything that grows with the target correlates with it.
///
/// A column is skipped if its changes have a correlation of .9 or more with those of a column chosen before. Columns
/// with constant changes come last.
pub(super) fn choose(
    features: &Features,
    target: &[f64],
    series: &SeriesRows,
    stop: Stop<'_>,
) -> Result<Vec<usize>, Skip> {
    let changes_of_target = half_differences(target, series, 1);
    let measured: Vec<Option<(f64, usize)>> = features
        .columns()
        .par_iter()
        .enumerate()
        .map(|(place, feature)| {
            if stop() {
                return Err(Skip::Timeout);
            }
            let Values::Numbers(numbers) = &feature.values else { return Ok(None) };
            let (known, _) = complete_pairs(numbers, target);
            let varies = known.len() >= MIN_ROWS && known.iter().any(|&value| value != known[0]);
            let changes = half_differences(numbers, series, 1);
            Ok(varies.then(|| (absolute_correlation(&changes, &changes_of_target), place)))
        })
        .collect::<Result<_, _>>()?;
    let mut candidates: Vec<(f64, usize)> = measured.into_iter().flatten().collect();
    candidates.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut chosen: Vec<(usize, Vec<f64>)> = Vec::new();
    for (_, place) in candidates {
        if chosen.len() == MOST_FEATURES {
            break;
        }
        let Values::Numbers(numbers) = &features.columns()[place].values else { continue };
        let changes = half_differences(numbers, series, 1);
        if chosen.iter().all(|(_, other)| absolute_correlation(&changes, other) < REDUNDANT) {
            chosen.push((place, changes));
        }
    }
    Ok(chosen.into_iter().map(|(place, _)| place).collect())
}

/// 0 if there is none.
fn absolute_correlation(x: &[f64], y: &[f64]) -> f64 {
    let (x, y) = complete_pairs(x, y);
    if x.len() < MIN_ROWS { 0.0 } else { correlation(&x, &y).map_or(0.0, f64::abs) }
}
