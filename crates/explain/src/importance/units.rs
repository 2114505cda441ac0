//! The units of a view: columns, or groups of columns.

use super::FeatureGroups;
use super::contributions::Contributions;
use crate::{Features, Values};

/// The name of the remaining features.
const OTHERS: &str = "other features";

/// The caller's columns that are shown as one.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub(super) name: String,
    pub(super) columns: Vec<usize>,
}

impl Unit {
    /// The cells of a single-column unit.
    pub(super) fn cells<'a>(&self, features: &'a Features) -> Option<&'a Values> {
        match self.columns[..] {
            [at] => Some(&features.columns()[at].values),
            _ => None,
        }
    }

    /// The sum of the contributions of its columns.
    pub(super) fn sum(&self, contributions: &Contributions) -> Vec<f64> {
        let mut sums = vec![0.0; contributions.base.len()];
        for values in self.columns.iter().filter_map(|&at| contributions.column(at)) {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        sums
    }
}

/// Each explained column separately. If there are more than `most`, those with the smallest contributions share the
/// last unit.
pub(super) fn single(features: &Features, contributions: &Contributions, most: usize) -> Vec<Unit> {
    let unit = |&at: &usize| Unit { name: features.columns()[at].name.clone(), columns: vec![at] };
    let columns = &contributions.columns;
    if columns.len() <= most {
        return columns.iter().map(unit).collect();
    }
    let size = |at: usize| contributions.values[at].iter().map(|value| value.abs()).sum::<f64>();
    let sizes: Vec<f64> = (0..columns.len()).map(size).collect();
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]).then(a.cmp(&b)));
    let mut by_size = order.into_iter().map(|at| columns[at]);
    let mut first: Vec<usize> = by_size.by_ref().take(most - 1).collect();
    let mut others: Vec<usize> = by_size.collect();
    first.sort_unstable();
    others.sort_unstable();
    let others = Unit { name: OTHERS.to_owned(), columns: others };
    first.iter().map(unit).chain([others]).collect()
}

/// The groups with an explained column.
pub(super) fn grouped(groups: &FeatureGroups, contributions: &Contributions) -> Vec<Unit> {
    let of = |group: usize| {
        contributions.columns.iter().copied().filter(move |&at| groups.of_column[at] == group).collect()
    };
    let units =
        groups.names.iter().enumerate().map(|(at, name)| Unit { name: name.clone(), columns: of(at) });
    units.filter(|unit: &Unit| !unit.columns.is_empty()).collect()
}
