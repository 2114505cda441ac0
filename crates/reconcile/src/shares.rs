//! Top-down division by shares.

use crate::tree::{Tree, row};

/// Shares of the bottom series, summed up the tree, in units of the largest one.
#[derive(Debug)]
pub(crate) struct Shares {
    sums: Vec<f64>,
    /// Number of invalid shares.
    pub(crate) invalid: usize,
}

/// How often forecasts could not serve as shares.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fallbacks {
    pub(crate) fixed: usize,
    pub(crate) equal: usize,
}

impl Shares {
    pub(crate) fn new(tree: &Tree, shares: &[f64]) -> Self {
        let valid = |share: f64| share.is_finite() && share >= 0.0;
        let largest = shares.iter().copied().filter(|&share| valid(share)).fold(0.0, f64::max);
        let mut sums = vec![0.0; tree.len()];
        let mut invalid = 0;
        for (leaf, &share) in tree.bottom().zip(shares) {
            if !valid(share) {
                invalid += 1;
            } else if largest > 0.0 {
                sums[leaf] = share / largest;
            }
        }
        tree.sum_up(&mut sums, 1);
        Self { sums, invalid }
    }

    /// Whether the bottom series have no shares at all, so that the total is divided equally.
    pub(crate) fn are_zero(&self) -> bool {
        self.sums[0] == 0.0
    }

    /// The fraction of its parent that a node gets.
    fn part(&self, tree: &Tree, node: usize, parent: usize) -> f64 {
        if self.sums[parent] > 0.0 {
            self.sums[node] / self.sums[parent]
        } else {
            tree.leaf_count(node) as f64 / tree.leaf_count(parent) as f64
        }
    }

    /// Divides the root's values; nodes x lanes.
    pub(crate) fn divide(&self, tree: &Tree, values: &mut [f64], lanes: usize) {
        for node in 1..tree.len() {
            let part = self.part(tree, node, 0);
            let (total, own) = values.split_at_mut(node * lanes);
            for (value, total) in own[..lanes].iter_mut().zip(&total[..lanes]) {
                *value = part * total;
            }
        }
    }

    /// Divides every node in proportion to the base forecasts of its children, if these can be shares; nodes x lanes.
    pub(crate) fn divide_as_forecast(
        &self,
        tree: &Tree,
        base: &[f64],
        values: &mut [f64],
        lanes: usize,
    ) -> Fallbacks {
        let mut sums = vec![0.0; tree.inner_end() * lanes];
        for node in 1..tree.len() {
            let parent = tree.parents()[node] as usize;
            for (sum, &value) in sums[row(parent, lanes)].iter_mut().zip(&base[row(node, lanes)]) {
                // Two children of different signs are enough: once NaN, a sum stays NaN.
                let opposed = (*sum > 0.0 && value < 0.0) || (*sum < 0.0 && value > 0.0);
                *sum = if opposed { f64::NAN } else { *sum + value };
            }
        }
        let usable = |sum: f64| sum != 0.0 && sum.is_finite();
        for node in 1..tree.len() {
            let parent = tree.parents()[node] as usize;
            let part = self.part(tree, node, parent);
            let (before, own) = values.split_at_mut(node * lanes);
            let rows =
                before[row(parent, lanes)].iter().zip(&base[row(node, lanes)]).zip(&sums[row(parent, lanes)]);
            for (value, ((above, forecast), &sum)) in own[..lanes].iter_mut().zip(rows) {
                *value = above * if usable(sum) { forecast / sum } else { part };
            }
        }
        let mut fallbacks = Fallbacks::default();
        for node in (0..tree.inner_end()).filter(|&node| !tree.is_leaf(node)) {
            let lost = sums[row(node, lanes)].iter().filter(|&&sum| !usable(sum)).count();
            fallbacks.fixed += lost;
            fallbacks.equal += if self.sums[node] > 0.0 { 0 } else { lost };
        }
        fallbacks
    }
}
