//! The nearest non-negative coherent values.
//!
//! Nearest means the smallest sum of squared changes over all nodes, each weighted by `1 / w`. Block principal pivoting
//! finds the bottom series that are zero (Portugal, Júdice and Vicente, A comparison of block pivoting and
//! interior-point algorithms for linear least squares problems with nonnegative variables, 1994): solve without the
//! pinned ones, pin every one that came out negative, release every one with a negative gradient, and repeat until
//! neither occurs. Each round is two passes over the tree; a pinned leaf has variance 0.

use rayon::prelude::*;

use crate::tree::Tree;

/// Maximum number of rounds; fewer than ten are usual.
const ROUNDS: usize = 100;
/// After this many rounds without progress only one leaf is exchanged at a time, which cannot cycle (Murty's rule).
const PATIENCE: usize = 3;
/// Relative to the largest value; smaller differences are rounding errors.
const TOLERANCE: f64 = 1e-13;

/// The outcome of the search.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pinned {
    /// Number of values of bottom series set to zero.
    pub(crate) values: usize,
    /// Number of lanes in which the search was abandoned and negative values were cut off.
    pub(crate) clipped_lanes: usize,
}

/// Replaces coherent values, nodes x lanes, by the nearest non-negative ones; without `weights`, cuts the leaves off at
/// zero and sums them up.
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
    /// The coherent values to approximate.
    target: Vec<f64>,
    tolerance: f64,
    pinned: Vec<bool>,
    /// The best values given the pinned leaves; on the way up, the means of the subtrees' messages.
    values: Vec<f64>,
    /// Variances of the subtrees' messages.
    variances: Vec<f64>,
    /// Sums of both over the children.
    mean_sums: Vec<f64>,
    variance_sums: Vec<f64>,
    /// The first-order saving of one more unit in a node's children.
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

    /// Returns whether the optimum was found; if so, it is in `values`, up to negative rounding errors.
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

    /// Computes values and prices from the root to the leaves, and collects the leaves that should be pinned and are
    /// not, or the reverse.
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
                // Two equivalent forms; each loses precision if its divisor is the smaller one.
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

    /// The values, the number of leaves newly set to zero, and `found`. Without an optimum, the target is used with its
    /// negative leaves cut off.
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
