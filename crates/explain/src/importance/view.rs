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

/// Which features predictions rest on, the most important first.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// By rank.
    pub importance: Vec<FeatureImportance>,
    /// Features in the same order; none where a surrogate is not good enough for single rows.
    pub shapley: Option<ShapleyValues>,
}

/// How much predictions rest on a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureImportance {
    /// The column or the group.
    pub feature: String,
    /// Mean absolute Shapley value over the explained rows, in the units of the target (of the margins for trees with a link).
    pub importance: f64,
    /// Its part of the sum over all features.
    pub share: f64,
    /// From 1.
    pub rank: usize,
    /// Which way predictions go with its values; none for categories, groups and features without effect.
    pub direction: Option<Direction>,
    /// Pearson's correlation of value and Shapley value, whose sign the direction is: near 0 neither way is the rule.
    pub correlation: Option<f64>,
    /// Fall of the R2 at which held-back predictions are reproduced, when its values (with exact copies of the column) are
    /// shuffled: mean of 5 repeats.
    pub permutation_drop: f64,
    /// Standard deviation over the repeats.
    pub permutation_sd: f64,
}

/// Which way predictions go when a value rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Up.
    Rising,
    /// Down.
    Falling,
}

/// What views are made of.
pub(super) struct Material<'a> {
    pub(super) input: &'a Predictions<'a>,
    pub(super) options: &'a Options,
    pub(super) contributions: &'a Contributions,
    /// The explained rows of the caller.
    pub(super) rows: &'a [usize],
    pub(super) told: &'a [Drawn],
    pub(super) has_rows: bool,
}

impl View {
    /// The view of some units, each with its fall under permutation.
    pub(super) fn of(material: &Material<'_>, units: Vec<Unit>, drops: Vec<Fall>) -> Self {
        let with_sums = units.into_iter().zip(drops).map(|(unit, drop)| {
            let values = unit.sum(material.contributions);
            let size = mean(&values.iter().map(|value| value.abs()).collect::<Vec<_>>());
            (unit, drop, values, size)
        });
        let mut found: Vec<(Unit, Fall, Vec<f64>, f64)> = with_sums.collect();
        // Stable: equal ones stay in the order of the caller.
        found.sort_by(|a, b| b.3.total_cmp(&a.3));
        let whole: f64 = found.iter().map(|(.., size)| size).sum();
        let importance = found.iter().enumerate().map(|(at, (unit, drop, values, size))| {
            let correlation = value_correlation(material, unit, values);
            FeatureImportance {
                feature: unit.name.clone(),
                importance: *size,
                share: if whole > 0.0 { size / whole } else { 0.0 },
                rank: at + 1,
                direction: correlation.and_then(direction),
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

fn value_correlation(material: &Material<'_>, unit: &Unit, values: &[f64]) -> Option<f64> {
    let cells = unit.cells(material.input.features)?;
    match cells {
        Values::Numbers(_) => {
            let (cells, values) = complete_pairs(&numbers(cells, material.rows), values);
            correlation(&cells, &values)
        }
        Values::Levels { .. } => None,
    }
}

fn direction(correlation: f64) -> Option<Direction> {
    match correlation {
        up if up > 0.0 => Some(Direction::Rising),
        down if down < 0.0 => Some(Direction::Falling),
        _ => None,
    }
}
