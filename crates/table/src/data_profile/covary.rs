//! Columns that move with the target.

use rayon::prelude::*;

use super::look::Window;
use super::season::correlation;

/// Minimum number of pairs of changes in a series.
const FEWEST: usize = 8;
/// Below this rank correlation of the changes, a column says little about the target.
const LEAST: f64 = 0.1;
/// Number of standard errors that a correlation must exceed; chance does so less than once in thirty thousand columns.
const SURE: f64 = 4.0;
/// Maximum number of columns to report.
const NAMED: usize = 50;

/// Indices of the columns whose changes correlate with those of the target, strongest first. Spearman's rank
/// correlation is averaged over the series, so that chance cancels out.
pub(super) fn moving_together(windows: &[Window], columns: usize) -> Vec<usize> {
    let mut found: Vec<(f64, usize)> = (0..columns)
        .into_par_iter()
        .filter_map(|column| {
            let (mut sum, mut pairs) = (0.0, 0.0);
            for window in windows {
                let (changes, of_target) = changes(&window.covariates[column], &window.targets);
                if changes.len() < FEWEST {
                    continue;
                }
                // A column that is constant in a series says nothing about it.
                if let Some(correlation) = correlation(&ranks(&changes), &ranks(&of_target)) {
                    sum += correlation * changes.len() as f64;
                    pairs += changes.len() as f64;
                }
            }
            let strength = (sum / pairs).abs();
            (pairs > 0.0 && strength > LEAST.max(SURE / pairs.sqrt())).then_some((strength, column))
        })
        .collect();
    found.sort_by(|(left, before), (right, after)| right.total_cmp(left).then(before.cmp(after)));
    found.into_iter().take(NAMED).map(|(_, column)| column).collect()
}

/// Changes between consecutive rows in which both columns have values.
fn changes(column: &[f64], targets: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let both = column.windows(2).zip(targets.windows(2));
    both.map(|(column, targets)| (column[1] - column[0], targets[1] - targets[0]))
        .filter(|(column, target)| column.is_finite() && target.is_finite())
        .unzip()
}

/// Ranks of the values; equal values share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|left, right| values[*left].total_cmp(&values[*right]));
    let (mut ranks, mut first) = (vec![0.0; values.len()], 0);
    for equal in order.chunk_by(|left, right| values[*left] == values[*right]) {
        let mean = first as f64 + (equal.len() - 1) as f64 / 2.0;
        for place in equal {
            ranks[*place] = mean;
        }
        first += equal.len();
    }
    ranks
}
