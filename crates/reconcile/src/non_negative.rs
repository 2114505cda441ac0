//! The nearest coherent values without a negative one.
//!
//! Nearest by the squares of the changes of all nodes, each weighted by `1 / w`. The bottom series that are zero are
//! found by block principal pivoting (Portugal, Júdice and Vicente, A comparison of block pivoting and interior-point
//! algorithms for linear least squares problems with nonnegative variables, 1994): solve with the pinned ones left
//! out, pin every one that came out negative, release every one whose gradient asks for it, and repeat until there is
//! none of either. Each round is two passes over the tree; a pinned leaf is one of variance 0.

use rayon::prelude::*;

use crate::tree::Tree;

/// Rounds before the search gives up; fewer than ten are usual.
const ROUNDS: usize = 100;
/// Rounds without progress before only one leaf is exchanged, which cannot go in circles (Murty's rule).
const PATIENCE: usize = 3;
/// Relative to the largest value: less is a rounding error.
const TOLERANCE: f64 = 1e-13;

/// How it ended.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pinned {
    /// Values of bottom series that were set to zero.
    pub(crate) values: usize,
    /// Lanes in which the search gave up and negative values were cut off.
    pub(crate) clipped_lanes: usize,
}

/// Overwrites coherent values, nodes x lanes, by the nearest ones without a negative; without `weights` by cutting the
/// leaves off at zero and summing them up.
pub(crate) fn make_non_negative(
    tree: &Tree,
    weights: Option<&[f64]>,
    values: &mut [f64],
    lanes: usize,
) -> Pinned {
    let negative = |&lane: &usize| tree.bottom().any(|leaf| values[leaf * lanes + lane] < 0.0);
    let affected: Vec<usize> = (0..lanes).filter(negative).collect();
    let solve = |&lane: &usize| {
        let target: Vec<f64> = values.iter().skip(lane).step_by(lanes).copied().collect();
        let mut search = Search::new(tree, weights.unwrap_or_default(), target);
        let found = weights.is_some() && search.run();
        search.finish(found)
    };
    let solved: Vec<(Vec<f64>, usize, bool)> = affected.par_iter().map(solve).collect();
    let mut pinned = Pinned::default();
    for (&lane, (column, zeros, found)) in affected.iter().zip(&solved) {
        for (value, own) in values.iter_mut().skip(lane).step_by(lanes).zip(column) {
            *value = *own;
        }
        pinned.values += zeros;
        pinned.clipped_lanes += usize::from(weights.is_some() && !found);
    }
    pinned
}

/// The search in one lane.
struct Search<'a> {
    tree: &'a Tree,
    weights: &'a [f64],
    /// The coherent values to stay near to.
    target: Vec<f64>,
    tolerance: f64,
    pinned: Vec<bool>,
    /// The best values for what is pinned; on the way up the means of the subtrees' messages.
    values: Vec<f64>,
    /// Variances of the subtrees' messages.
    variances: Vec<f64>,
    /// Sums of both over the children.
    mean_sums: Vec<f64>,
    variance_sums: Vec<f64>,
    /// What one more unit of a node's children would save, to first order.
    prices: Vec<f64>,
}

impl<'a> Search<'a> {
    fn new(tree: &'a Tree, weights: &'a [f64], target: Vec<f64>) -> Self {
        let scale = target.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let (nodes, inner) = (tree.len(), tree.inner_end());
        Self {
            tree,
            weights,
            tolerance: TOLERANCE * scale,
            pinned: (0..nodes).map(|node| tree.is_leaf(node) && target[node] < 0.0).collect(),
            values: vec![0.0; nodes],
            variances: vec![0.0; nodes],
            mean_sums: vec![0.0; inner],
            variance_sums: vec![0.0; inner],
            prices: vec![0.0; inner],
            target,
        }
    }

    /// Says whether the optimum was found; if so, it is in `values` but for rounding errors below zero.
    fn run(&mut self) -> bool {
        let mut wrong = Vec::new();
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for _ in 0..ROUNDS {
            self.climb();
            wrong.clear();
            self.descend(&mut wrong);
            if wrong.is_empty() {
                return true;
            }
            if wrong.len() < fewest {
                (fewest, patience) = (wrong.len(), PATIENCE);
            } else if patience > 0 {
                patience -= 1;
            } else {
                wrong.drain(..wrong.len() - 1);
            }
            for &leaf in &wrong {
                self.pinned[leaf] = !self.pinned[leaf];
            }
        }
        false
    }

    /// Messages from the leaves to the root, as in `gains.rs`.
    fn climb(&mut self) {
        self.mean_sums.fill(0.0);
        self.variance_sums.fill(0.0);
        for node in (0..self.tree.len()).rev() {
            let (weight, target) = (self.weights[node], self.target[node]);
            let (variance, mean) = if self.tree.is_leaf(node) {
                if self.pinned[node] { (0.0, 0.0) } else { (weight, target) }
            } else {
                let below = self.variance_sums[node];
                let both = weight + below;
                (weight * (below / both), (weight * self.mean_sums[node] + below * target) / both)
            };
            (self.variances[node], self.values[node]) = (variance, mean);
            if let Some(parent) = self.tree.parent(node) {
                self.variance_sums[parent] += variance;
                self.mean_sums[parent] += mean;
            }
        }
    }

    /// Values and prices from the root to the leaves; collects the leaves that should be pinned and are not, or are and
    /// should not be.
    fn descend(&mut self, wrong: &mut Vec<usize>) {
        for node in 0..self.tree.len() {
            let (weight, target) = (self.weights[node], self.target[node]);
            let price_above = match self.tree.parent(node) {
                Some(parent) => {
                    let gap = self.values[parent] - self.mean_sums[parent];
                    if self.variance_sums[parent] > 0.0 {
                        self.values[node] += self.variances[node] / self.variance_sums[parent] * gap;
                    }
                    self.prices[parent]
                }
                None => 0.0,
            };
            let value = self.values[node];
            if !self.tree.is_leaf(node) {
                let below = self.variance_sums[node];
                // Two forms of the same; each loses digits where its divisor is the smaller one.
                self.prices[node] = if below > weight {
                    (value - self.mean_sums[node]) / below
                } else {
                    price_above - (value - target) / weight
                };
            } else if self.pinned[node] {
                if target + weight * price_above > self.tolerance {
                    wrong.push(node);
                }
            } else if value < -self.tolerance {
                wrong.push(node);
            }
        }
    }

    /// The values, how many leaves were set to zero that were not, and `found` again. Without an optimum the target is
    /// taken and its negative leaves are cut off.
    fn finish(mut self, found: bool) -> (Vec<f64>, usize, bool) {
        let mut zeros = 0;
        for leaf in self.tree.bottom() {
            let value = if found { self.values[leaf] } else { self.target[leaf] };
            self.values[leaf] = if found && self.pinned[leaf] { 0.0 } else { value.max(0.0) };
            zeros += usize::from(self.values[leaf] == 0.0 && self.target[leaf] != 0.0);
        }
        self.tree.sum_up(&mut self.values, 1);
        (self.values, zeros, found)
    }
}
