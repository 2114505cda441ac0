//! Importance and Shapley values of the features, or of groups of them.

use super::columns::numbers;
use super::contributions::Contributions;
use super::detail::Drawn;
use super::measures::mean;
use super::permutation::Fall;
use super::units::Unit;
use super::{Options, Predictions, ShapleyValues};
use crate::Values;
use crate::correlations::{complete_pairs, correlation};

/// The importance of features, most important first.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// By rank.
    pub importance: Vec<FeatureImportance>,
    /// Shapley values in the same order of features; none if a surrogate is not good enough for single rows.
    pub shapley: Option<ShapleyValues>,
}

/// The importance of a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureImportance {
    /// The name of the column or the group.
    pub feature: String,
    /// Mean absolute Shapley value over the explained rows, in the units of the target (of the margins for trees with
    /// a link).
    pub importance: f64,
    /// Its share of the sum over all features.
    pub share: f64,
    /// 1-based.
    pub rank: usize,
    /// The direction in which predictions move with the feature: only for single numeric columns that are not cyclic,
    /// and only if values and Shapley values have largely the same order.
    pub direction: Option<Direction>,
    /// Pearson's correlation of value and Shapley value.
    pub correlation: Option<f64>,
    /// Decrease of the R2 with which held-back predictions are reproduced if its values (with exact copies of the
    /// column) are shuffled: mean of 5 repeats.
    pub permutation_drop: f64,
    /// Standard deviation over the repeats.
    pub permutation_sd: f64,
}

/// The direction of predictions when a value increases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Up.
    Rising,
    /// Down.
    Falling,
}

/// The input of views.
pub(super) struct Material<'a> {
    pub(super) input: &'a Predictions<'a>,
    pub(super) options: &'a Options,
    pub(super) contributions: &'a Contributions,
    /// The explained rows in the caller's numbering.
    pub(super) rows: &'a [usize],
    pub(super) told: &'a [Drawn],
    pub(super) has_rows: bool,
}

impl View {
    /// The view of some units, each with its decrease under permutation.
    pub(super) fn of(material: &Material<'_>, units: Vec<Unit>, drops: Vec<Fall>) -> Self {
        let with_sums = units.into_iter().zip(drops).map(|(unit, drop)| {
            let values = unit.sum(material.contributions);
            let size = mean(&values.iter().map(|value| value.abs()).collect::<Vec<_>>());
            (unit, drop, values, size)
        });
        let mut found: Vec<(Unit, Fall, Vec<f64>, f64)> = with_sums.collect();
        // The sort is stable: equal ones keep the order of the caller.
        found.sort_by(|a, b| b.3.total_cmp(&a.3));
        let whole: f64 = found.iter().map(|(.., size)| size).sum();
        let importance = found.iter().enumerate().map(|(at, (unit, drop, values, size))| {
            let pairs = value_pairs(material, unit, values);
            let correlation = pairs.as_ref().and_then(|(cells, values)| correlation(cells, values));
            let is_cyclic = unit.columns.iter().any(|at| material.input.cyclic.get(*at) == Some(&true));
            FeatureImportance {
                feature: unit.name.clone(),
                importance: *size,
                share: if whole > 0.0 { size / whole } else { 0.0 },
                rank: at + 1,
                direction: pairs
                    .filter(|_| !is_cyclic)
                    .and_then(|(cells, values)| direction(correlation?, &cells, &values)),
                correlation,
                permutation_drop: drop.mean,
                permutation_sd: drop.deviation,
            }
        });
        let importance = importance.collect();
        let of_rows = || {
            let (units, values) = found.into_iter().map(|(unit, _, values, _)| (unit, values)).unzip();
            ShapleyValues::new(material, units, values)
        };
        Self { importance, shapley: material.has_rows.then(of_rows) }
    }
}

/// The known values of a single numeric column, and the Shapley values of these rows.
fn value_pairs(material: &Material<'_>, unit: &Unit, values: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    match unit.cells(material.input.features)? {
        cells @ Values::Numbers(_) => Some(complete_pairs(&numbers(cells, material.rows), values)),
        Values::Levels { .. } => None,
    }
}

/// Minimum relative rank correlation for a direction.
const ORDERED: f64 = 0.5;

/// The sign of the correlation, if the rank correlation has the same sign and is large.
fn direction(correlation: f64, cells: &[f64], values: &[f64]) -> Option<Direction> {
    let order = rank_order(cells, values)?;
    match (correlation > 0.0, correlation < 0.0) {
        (true, _) if order >= ORDERED => Some(Direction::Rising),
        (_, true) if order <= -ORDERED => Some(Direction::Falling),
        _ => None,
    }
}

/// Spearman's correlation relative to the largest one of its sign that these ranks allow: rare flags have many ties,
/// and could not reach 1 otherwise.
fn rank_order(x: &[f64], y: &[f64]) -> Option<f64> {
    let (x, y) = (ranks(x), ranks(y));
    let found = correlation(&x, &y)?;
    let (mut x, mut y) = (x, y);
    x.sort_by(f64::total_cmp);
    y.sort_by(f64::total_cmp);
    if found < 0.0 {
        y.reverse();
    }
    let most = correlation(&x, &y)?.abs();
    (most > 0.0).then(|| (found / most).clamp(-1.0, 1.0))
}

/// Equal values share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        for &at in group {
            ranks[at] = below as f64 + 0.5 * (group.len() as f64 + 1.0);
        }
        below += group.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direction_of(cells: &[f64], of: impl Fn(f64) -> f64) -> Option<Direction> {
        let values: Vec<f64> = cells.iter().map(|cell| of(*cell)).collect();
        direction(correlation(cells, &values)?, cells, &values)
    }

    #[test]
    fn only_what_goes_one_way_has_a_direction() {
        let week: Vec<f64> = (0..140).map(|at| f64::from(at % 7)).collect();
        assert_eq!(direction_of(&week, |day| 2.0 * day), Some(Direction::Rising));
        assert_eq!(direction_of(&week, |day| (-day).exp()), Some(Direction::Falling));
        // Highest on the second to last day, lowest on the last: Pearson's correlation has a sign, the order has none.
        let sunday = |day: f64| if day == 6.0 { -3.0 } else { day };
        assert_eq!(direction_of(&week, sunday), None);
        // One value in fifty differs.
        let rare: Vec<f64> = (0..200).map(|at| f64::from(u8::from(at % 50 == 3))).collect();
        let noise = std::cell::Cell::new(0_u32);
        let noisy = |flag: f64| {
            noise.set(noise.get() + 1);
            5.0 * flag + f64::from(noise.get() * 37 % 101) / 100.0
        };
        assert_eq!(direction_of(&rare, noisy), Some(Direction::Rising));
        assert_eq!(direction_of(&rare, |_| 1.0), None);
    }
}
