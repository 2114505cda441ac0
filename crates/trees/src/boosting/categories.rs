//! Splits by sets of categories.

use super::histogram::BinSums;
use super::packing::Sums;
use super::params::Monotone;
use super::search::Search;
use crate::boosting::candidate::{BinSet, Candidate, Node, insert};

/// The best set of categories. In order of mean gradient the best set is a prefix (Fisher, *On Grouping for Maximum
/// Homogeneity*, 1958); prefixes from both ends are tried, up to a maximum length. Missing values are a category like
/// any other.
pub(crate) fn best_set(
    search: &Search<'_>,
    feature: usize,
    values: usize,
    bins: &BinSums,
    node: &Node,
) -> Option<Candidate> {
    let params = &search.params.categories;
    let filled: Vec<usize> = (0..=values).filter(|&bin| bins[bin] != 0).collect();
    let mut best: Option<Candidate> = None;
    let mut consider = |left: i64, more_l2: f64, set: &BinSet| {
        let Some((gain, _)) = search.gain(node, left, more_l2, Monotone::Free) else { return };
        if best.is_none_or(|best| gain > best.gain) {
            let mut left_bins = *set;
            // This leaf has no missing values, so they go to the heavier side.
            if bins[values] == 0 && search.is_heavier(left, node.packed - left) {
                insert(&mut left_bins, values as u8);
            }
            best = Some(Candidate { gain, feature, left_bins, left, middle: None });
        }
    };
    if filled.len() <= params.one_against_rest {
        for &bin in &filled {
            let mut set = BinSet::default();
            insert(&mut set, bin as u8);
            consider(bins[bin], 0.0, &set);
        }
        return best;
    }
    let order = in_order(search, bins, filled);
    let longest = params.max_set.min(order.len().div_ceil(2));
    let forwards = order.iter().take(longest);
    let backwards = order.iter().rev().take(longest);
    try_prefixes(search, bins, forwards, &mut consider);
    try_prefixes(search, bins, backwards, &mut consider);
    best
}

/// The categories with enough rows, sorted by mean gradient shrunk towards zero; equal ones by number.
pub(crate) fn in_order(search: &Search<'_>, bins: &BinSums, filled: Vec<usize>) -> Vec<usize> {
    let smoothing = search.params.categories.smoothing;
    let mean = |sums: Sums| sums.gradient / (sums.hessian + smoothing).max(f64::MIN_POSITIVE);
    let mut order: Vec<(f64, usize)> = filled
        .into_iter()
        .map(|bin| (search.packing.sums(bins[bin]), bin))
        .filter(|(sums, _)| sums.rows >= smoothing - 0.5)
        .map(|(sums, bin)| (mean(sums), bin))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, bin)| bin).collect()
}

fn try_prefixes<'a>(
    search: &Search<'_>,
    bins: &BinSums,
    order: impl Iterator<Item = &'a usize>,
    consider: &mut impl FnMut(i64, f64, &BinSet),
) {
    let params = &search.params.categories;
    let mut set = BinSet::default();
    let mut left = 0;
    let mut group = 0.0;
    for &bin in order {
        insert(&mut set, bin as u8);
        left += bins[bin];
        group += search.packing.sums(bins[bin]).rows;
        if group >= params.min_rows as f64 - 0.5 {
            consider(left, params.l2, &set);
            group = 0.0;
        }
    }
}
