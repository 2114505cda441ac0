//! Grows a tree with one split per level (Kohavi, *Bottom-up induction of oblivious read-once decision graphs*, 1994).

use std::ops::Range;

use rayon::prelude::*;

use super::categories::in_order;
use super::grown::{Grown, GrownNode};
use super::histogram::{BinSums, Histogram};
use super::packing::Sums;
use super::params::Monotone;
use super::partition::partition;
use super::round::Round;
use super::search::fall;
use crate::Tree;
use crate::boosting::candidate::{BinSet, first_bins, insert};

/// With fewer histograms to search, starting tasks costs more than it saves.
const LITTLE: usize = 64;

/// A leaf of the current level.
struct Cell {
    rows: Range<usize>,
    packed: i64,
    histogram: Histogram,
}

/// The best split of a level.
#[derive(Debug, Clone, Copy)]
struct LevelSplit {
    gain: f64,
    feature: usize,
    left_bins: BinSet,
}

/// Grows on `rows`, which are partitioned in place. `pool` keeps histograms between trees. Cells without rows are kept
/// with cover 0, so that a tree of depth d always has 2^d leaves; there are fewer levels if no split helps.
pub(crate) fn grow_oblivious(
    round: &Round<'_>,
    depth: usize,
    rows: &mut [u32],
    scratch: &mut [u32],
    pool: &mut Vec<Histogram>,
) -> Grown {
    let mut take = || pool.pop().unwrap_or_else(|| vec![[0; 256]; round.allowed.len()]);
    let mut histogram = take();
    round.fill(rows, &mut histogram);
    let orders = category_orders(round, &histogram);
    let mut cells = vec![Cell { rows: 0..rows.len(), packed: round.sum(&histogram), histogram }];
    let mut splits: Vec<LevelSplit> = Vec::new();
    while splits.len() < depth {
        let Some(split) = best_level_split(round, &orders, &cells) else { break };
        splits.push(split);
        let last = splits.len() == depth;
        cells = cells
            .into_iter()
            .flat_map(|cell| part(round, &split, cell, rows, scratch, if last { None } else { Some(take()) }))
            .collect();
    }
    let leaves = cells.iter().map(|cell| cell.rows.clone()).collect();
    pool.extend(cells.into_iter().map(|cell| cell.histogram).filter(|histogram| !histogram.is_empty()));
    Grown { nodes: to_nodes(&splits), leaves }
}

/// Partitions a cell; if a histogram is given, both children get theirs.
fn part(
    round: &Round<'_>,
    split: &LevelSplit,
    cell: Cell,
    rows: &mut [u32],
    scratch: &mut [u32],
    free: Option<Histogram>,
) -> [Cell; 2] {
    let range = cell.rows;
    let bin = round.table.column(split.feature);
    let lefts = partition(&mut rows[range.clone()], &mut scratch[range.clone()], &split.left_bins, &bin);
    let middle = range.start + lefts;
    let (left_rows, right_rows) = (range.start..middle, middle..range.end);
    let mut many = cell.histogram;
    let mut few = Histogram::new();
    let left_is_small = left_rows.len() <= right_rows.len();
    let small_rows = &rows[if left_is_small { left_rows.clone() } else { right_rows.clone() }];
    // The sums of the last level are not needed.
    let mut small = 0;
    if let Some(free) = free {
        few = free;
        round.fill_children(small_rows, &mut few, &mut many);
        small = round.sum(&few);
    }
    let large = cell.packed - small;
    let cell = |rows, packed, histogram| Cell { rows, packed, histogram };
    if left_is_small {
        [cell(left_rows, small, few), cell(right_rows, large, many)]
    } else {
        [cell(left_rows, large, many), cell(right_rows, small, few)]
    }
}

/// The order of the categories of each categorical feature, from all rows of the tree.
fn category_orders(round: &Round<'_>, histogram: &[BinSums]) -> Vec<Option<Vec<usize>>> {
    let order = |(feature, bins): (usize, &BinSums)| {
        let binning = &round.search.binnings[feature];
        let filled = || (0..=binning.values).filter(|&bin| bins[bin] != 0).collect();
        binning.is_categorical().then(|| in_order(&round.search, bins, filled()))
    };
    histogram.iter().enumerate().map(order).collect()
}

fn best_level_split(round: &Round<'_>, orders: &[Option<Vec<usize>>], cells: &[Cell]) -> Option<LevelSplit> {
    let features: Vec<usize> = (0..orders.len()).filter(|&feature| round.allowed[feature]).collect();
    let best = |feature: usize| match &orders[feature] {
        Some(order) => best_prefix(round, feature, order, cells),
        None => best_threshold(round, feature, cells),
    };
    let found: Vec<Option<LevelSplit>> = if features.len() * cells.len() < LITTLE {
        features.into_iter().map(best).collect()
    } else {
        features.into_par_iter().map(best).collect()
    };
    found.into_iter().flatten().reduce(|best, next| if next.gain > best.gain { next } else { best })
}

fn best_threshold(round: &Round<'_>, feature: usize, cells: &[Cell]) -> Option<LevelSplit> {
    let values = round.search.binnings[feature].values;
    let is_missing = cells.iter().any(|cell| cell.histogram[feature][values] != 0);
    let mut gains = vec![[0.0; 2]; values];
    for cell in cells {
        let bins = &cell.histogram[feature];
        let mut left = 0;
        let mut here = [0.0; 2];
        for (bin, gains) in gains.iter_mut().enumerate() {
            // An empty bin partitions the cell like the bin before it.
            if bins[bin] != 0 {
                left += bins[bin];
                let here_with = |left: i64| gain(round, cell.packed, left, feature, 0.0);
                let without = here_with(left);
                here = [without, if bins[values] == 0 { without } else { here_with(left + bins[values]) }];
            }
            for (gain, here) in gains.iter_mut().zip(here) {
                *gain += here;
            }
        }
    }
    let sides = if is_missing { 2 } else { 1 };
    let tried = gains
        .iter()
        .enumerate()
        .flat_map(|(bin, gains)| (0..sides).map(move |side| (gains[side], bin, side)));
    let (gain, bin, side) =
        tried.reduce(|best, next| if next.0 > best.0 { next } else { best }).filter(|best| best.0 > 0.0)?;
    let mut left_bins = first_bins(bin + 1);
    let mut missing_left = side == 1;
    if !is_missing {
        // Missing values go to the side with most rows.
        let left: i64 = cells.iter().flat_map(|cell| &cell.histogram[feature][..=bin]).sum();
        let whole: i64 = cells.iter().map(|cell| cell.packed).sum();
        missing_left = round.search.is_heavier(left, whole - left);
    }
    if missing_left {
        insert(&mut left_bins, values as u8);
    }
    (gain > round.search.params.min_gain).then_some(LevelSplit { gain, feature, left_bins })
}

/// The best prefix of the categories in their order.
fn best_prefix(round: &Round<'_>, feature: usize, order: &[usize], cells: &[Cell]) -> Option<LevelSplit> {
    let l2 = round.search.params.categories.l2;
    let mut lefts = vec![0; cells.len()];
    let mut left_bins = BinSet::default();
    let mut best: Option<LevelSplit> = None;
    for &category in order.iter().take(order.len().saturating_sub(1)) {
        insert(&mut left_bins, category as u8);
        let mut total = 0.0;
        for (left, cell) in lefts.iter_mut().zip(cells) {
            *left += cell.histogram[feature][category];
            total += gain(round, cell.packed, *left, feature, l2);
        }
        if total > best.map_or(round.search.params.min_gain, |best| best.gain) {
            best = Some(LevelSplit { gain: total, feature, left_bins });
        }
    }
    best
}

/// The gain in one cell: none if a side is empty, or if the children contradict the direction of the feature, because
/// they will then get one value.
fn gain(round: &Round<'_>, whole: i64, left: i64, feature: usize, more_l2: f64) -> f64 {
    let search = &round.search;
    let sums: [Sums; 3] = [left, whole - left, whole].map(|packed| search.packing.sums(packed));
    if sums[0].rows == 0.0
        || sums[1].rows == 0.0
        || sums[0].hessian.min(sums[1].hessian) < search.params.min_hessian
    {
        return 0.0;
    }
    let l2 = search.params.l2 + more_l2;
    let order = sums[0].gradient / (sums[0].hessian + l2) - sums[1].gradient / (sums[1].hessian + l2);
    match search.params.direction(feature) {
        Monotone::Rising if order < 0.0 => 0.0,
        Monotone::Falling if order > 0.0 => 0.0,
        _ => fall(&sums[0], l2) + fall(&sums[1], l2) - fall(&sums[2], search.params.l2),
    }
}

/// The levels as a complete binary tree, in breadth-first order.
fn to_nodes(splits: &[LevelSplit]) -> Vec<GrownNode> {
    let mut nodes = Vec::new();
    for (level, split) in splits.iter().enumerate() {
        let (count, last) = (1 << level, level + 1 == splits.len());
        for at in 0..count {
            let child = |side: usize| {
                let place = 2 * at + side;
                if last { Tree::to_leaf(place) } else { (2 * count - 1 + place) as i32 }
            };
            nodes.push(GrownNode {
                feature: split.feature,
                left_bins: split.left_bins,
                left: child(0),
                right: child(1),
                // The gain of a level is recorded once, at its first node.
                gain: if at == 0 { split.gain } else { 0.0 },
            });
        }
    }
    nodes
}
