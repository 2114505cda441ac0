//! Leaks: columns that know the label.
//!
//! A column that alone predicts the label almost perfectly was often filled in after the outcome was known. It is kept,
//! because the table cannot prove that, and the report warns about it.

use std::collections::HashMap;

use tabcast_table::FrameColumn;

use super::{Role, reading};
use crate::Target;

/// A single feature is not expected to exceed this score.
const SUSPICIOUS: f64 = 0.995;
/// Maximum number of rows examined, evenly spread.
const SAMPLED: usize = 50_000;
/// With fewer rows, near perfection is easily an accident.
const ENOUGH: usize = 50;

/// The leak score of a column, if it is suspiciously high: the area under the ROC curve of the column alone, its mean
/// over the classes if there are several, or R squared.
pub(super) fn suspicion(column: &FrameColumn, role: Role, rows: &[u32], target: &Target) -> Option<f64> {
    if rows.len() < ENOUGH || target.len() != rows.len() {
        return None;
    }
    let places: Vec<usize> = (0..rows.len()).step_by(rows.len().div_ceil(SAMPLED)).collect();
    let score = match target {
        Target::Classes { labels, classes } => {
            let counts = places.iter().fold(vec![0_usize; *classes], |mut counts, place| {
                counts[labels[*place] as usize] += 1;
                counts
            });
            let mut present: Vec<usize> = (0..*classes).filter(|class| counts[*class] > 0).collect();
            match present.len() {
                0 | 1 => return None,
                // Two classes share one curve.
                2 => drop(present.pop()),
                _ => {}
            }
            let (mut sum, mut left) = (0.0, present.len() as f64);
            let needed = SUSPICIOUS * left;
            let count = left;
            for class in present {
                let outcome: Vec<f64> =
                    places.iter().map(|place| f64::from(labels[*place] as usize == class)).collect();
                sum += area(&values(column, role, rows, &places, &outcome), &outcome);
                left -= 1.0;
                // Even perfection in all remaining classes would not be enough.
                if sum + left < needed {
                    return None;
                }
            }
            sum / count
        }
        Target::Values(all) => {
            let outcome: Vec<f64> = places.iter().map(|place| all[*place]).collect();
            let values = values(column, role, rows, &places, &outcome);
            let known: Vec<(f64, f64)> =
                values.into_iter().zip(outcome).filter(|(value, _)| !value.is_nan()).collect();
            if known.len() * 2 < places.len() {
                return None;
            }
            let (values, outcome): (Vec<f64>, Vec<f64>) = known.into_iter().unzip();
            let straight = correlation(&values, &outcome);
            let monotone = correlation(&ranks(&values), &ranks(&outcome));
            (straight * straight).max(monotone * monotone)
        }
    };
    (score > SUSPICIOUS).then_some(score)
}

/// The sentence for the report.
pub(super) fn sentence(score: f64, target: &Target) -> String {
    let measure = match target {
        Target::Classes { .. } => "area under the ROC curve",
        Target::Values(_) => "R squared",
    };
    format!(
        "It predicts the label almost perfectly alone ({measure} {score:.4}): leave it out if it is not known at the time of \
        the prediction."
    )
}

/// The column as numbers that rank the rows: its own numbers, or for levels the mean outcome of the other half of the
/// rows, so that no row sees its own label.
fn values(column: &FrameColumn, role: Role, rows: &[u32], places: &[usize], outcome: &[f64]) -> Vec<f64> {
    let row = |place: &usize| rows[*place] as usize;
    match column {
        FrameColumn::Numbers(numbers) => places.iter().map(|place| numbers[row(place)]).collect(),
        FrameColumn::Texts(texts) if role == Role::Number || role == Role::Date => {
            let read = |text: &str| match role {
                Role::Number => reading::number(text),
                _ => reading::date(text).map(|micros| micros as f64),
            };
            places.iter().map(|place| texts.get(row(place)).and_then(read).unwrap_or(f64::NAN)).collect()
        }
        FrameColumn::Texts(texts) => {
            let mean = outcome.iter().sum::<f64>() / outcome.len() as f64;
            let mut sums: [HashMap<u32, (f64, f64)>; 2] = Default::default();
            for (at, place) in places.iter().enumerate() {
                let (sum, count) = sums[at % 2].entry(texts.codes[row(place)]).or_default();
                *sum += outcome[at];
                *count += 1.0;
            }
            let of = |(at, place): (usize, &usize)| {
                sums[1 - at % 2].get(&texts.codes[row(place)]).map_or(mean, |(sum, count)| sum / count)
            };
            places.iter().enumerate().map(of).collect()
        }
    }
}

/// Area under the ROC curve, whichever way the values point. Missing values rank before all others, because being
/// missing may be just as informative.
fn area(values: &[f64], outcome: &[f64]) -> f64 {
    let lowest = values.iter().map(|value| if value.is_nan() { f64::NEG_INFINITY } else { *value });
    let ranks = ranks(&lowest.collect::<Vec<_>>());
    let positive: f64 = outcome.iter().sum();
    let negative = outcome.len() as f64 - positive;
    let sum: f64 = ranks.iter().zip(outcome).map(|(rank, outcome)| rank * outcome).sum();
    // Mann and Whitney 1947: pairs in which the positive row comes later; ties count half.
    let area = (sum - positive * (positive + 1.0) / 2.0) / (positive * negative);
    area.max(1.0 - area)
}

/// Ranks from 1; equal values share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|left, right| values[*left].total_cmp(&values[*right]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for tied in order.chunk_by(|left, right| values[*left] == values[*right]) {
        let rank = first as f64 + 0.5 * (tied.len() + 1) as f64;
        for place in tied {
            ranks[*place] = rank;
        }
        first += tied.len();
    }
    ranks
}

/// Pearson's correlation; 0 if one side is constant.
fn correlation(left: &[f64], right: &[f64]) -> f64 {
    let count = left.len() as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count;
    let (center_left, center_right) = (mean(left), mean(right));
    let (mut both, mut of_left, mut of_right) = (0.0, 0.0, 0.0);
    for (left, right) in left.iter().zip(right) {
        let (left, right) = (left - center_left, right - center_right);
        both += left * right;
        of_left += left * left;
        of_right += right * right;
    }
    let scale = (of_left * of_right).sqrt();
    if scale > 0.0 { both / scale } else { 0.0 }
}
