//! Weighted least squares on a tree in two passes.
//!
//! The base forecasts are independent measurements of the nodes with the variances `w`, without prior knowledge about
//! the bottom series, so the best coherent values are the means of Gaussian messages. Upwards, with `s` the variance
//! and `m` the mean of a subtree's message about its own root (for a leaf: `w` and the base forecast `y`), and `S`, `M`
//! the sums over the children:
//!
//! ```text
//! s = 1 / (1 / w + 1 / S)        m = s (y / w + M / S)
//! ```
//!
//! and downwards from the root, whose value is its `m`, the gap between a parent and the sum of its children's means is
//! divided in proportion to their variances: `x_c = m_c + s_c / S (x - M)`. The result is the same as from the matrix
//! form (Hyndman, Lee and Wang, Fast computation of reconciled forecasts for hierarchical and grouped time series,
//! 2016), in time linear in nodes times lanes.

use std::ops::Range;

use crate::tree::{Tree, row};

/// Minimum number of values per task: less would be done before another thread has woken up.
const TASK_VALUES: usize = 1 << 16;

/// Rows of neighbouring nodes of one level: their values, and the sums of their children, starting at the same node.
struct Rows<'a> {
    first: usize,
    values: &'a mut [f64],
    sums: &'a mut [f64],
}

impl<'a> Rows<'a> {
    /// A node near the middle at which a new parent starts; `None` if one task is enough.
    fn middle(&self, tree: &Tree, lanes: usize) -> Option<usize> {
        let nodes = self.values.len() / lanes;
        if self.values.len() < 2 * TASK_VALUES || self.first == 0 {
            return None;
        }
        let parents = &tree.parents()[self.first..self.first + nodes];
        let middle = parents.partition_point(|parent| *parent < parents[nodes / 2]);
        (middle > 0).then_some(self.first + middle)
    }

    fn split(self, node: usize, lanes: usize) -> (Rows<'a>, Rows<'a>) {
        let at = (node - self.first) * lanes;
        let (left, right) = self.values.split_at_mut(at);
        let sums_at = at.min(self.sums.len());
        let (left_sums, right_sums) = self.sums.split_at_mut(sums_at);
        let rows = |first, values, sums| Rows { first, values, sums };
        (rows(self.first, left, left_sums), rows(node, right, right_sums))
    }
}

/// Ranges of nodes in which none is another's parent, from the root down. A range only has more than one node if
/// siblings are adjacent and in the order of their parents, so that a level can be cut between two parents.
fn levels_of(tree: &Tree) -> Vec<Range<usize>> {
    let parents = tree.parents();
    if !parents.is_sorted() {
        return (0..tree.len()).map(|node| node..node + 1).collect();
    }
    let mut levels: Vec<Range<usize>> = std::iter::once(0..1).collect();
    let mut first = 1;
    while first < tree.len() {
        // The nodes whose parents are in the level above.
        let last = first + parents[first..].partition_point(|parent| (*parent as usize) < first);
        levels.push(first..last);
        first = last;
    }
    levels
}

/// The coefficients of both passes.
#[derive(Debug)]
pub(crate) struct Gains {
    /// The coefficient of M in m; the base forecast has the rest.
    from_children: Vec<f64>,
    from_base: Vec<f64>,
    /// s / S of the parent.
    share: Vec<f64>,
}

impl Gains {
    /// For positive, finite `weights`.
    pub(crate) fn new(tree: &Tree, weights: &[f64]) -> Self {
        let nodes = tree.len();
        let (mut from_children, mut from_base, mut share) =
            (vec![0.0; nodes], vec![1.0; nodes], vec![0.0; nodes]);
        let mut sums = vec![0.0; tree.inner_end()];
        for node in (0..nodes).rev() {
            let weight = weights[node];
            share[node] = weight;
            if !tree.is_leaf(node) {
                let both = weight + sums[node];
                from_children[node] = weight / both;
                from_base[node] = sums[node] / both;
                share[node] = from_children[node] * sums[node];
            }
            if let Some(parent) = tree.parent(node) {
                sums[parent] += share[node];
            }
        }
        for node in 1..nodes {
            share[node] /= sums[tree.parents()[node] as usize];
        }
        Self { from_children, from_base, share }
    }

    /// Overwrites base forecasts by their weighted projection; nodes x lanes.
    pub(crate) fn project(&self, tree: &Tree, values: &mut [f64], lanes: usize) {
        if lanes == 0 {
            return;
        }
        // First M on the way up, then x - M on the way down.
        let mut sums = vec![0.0; tree.inner_end() * lanes];
        let levels = levels_of(tree);
        for level in levels.iter().rev() {
            let (above, own_sums) = sums.split_at_mut((level.start * lanes).min(tree.inner_end() * lanes));
            let own = &mut values[level.start * lanes..level.end * lanes];
            self.climb(tree, lanes, Rows { first: level.start, values: own, sums: own_sums }, above, 0);
        }
        for level in &levels {
            let (above, own_sums) = sums.split_at_mut((level.start * lanes).min(tree.inner_end() * lanes));
            let own = &mut values[level.start * lanes..level.end * lanes];
            self.descend(tree, lanes, Rows { first: level.start, values: own, sums: own_sums }, above);
        }
    }

    /// Computes the means of some nodes of one level, and their sums in `above`, whose first row is that of node
    /// `base`.
    fn climb(&self, tree: &Tree, lanes: usize, rows: Rows<'_>, above: &mut [f64], base: usize) {
        if let Some(middle) = rows.middle(tree, lanes) {
            let parent = tree.parents()[middle] as usize;
            let (left, right) = rows.split(middle, lanes);
            let (left_above, right_above) = above.split_at_mut((parent - base) * lanes);
            rayon::join(
                || self.climb(tree, lanes, left, left_above, base),
                || self.climb(tree, lanes, right, right_above, parent),
            );
            return;
        }
        let Rows { first, values, sums } = rows;
        for (node, own) in values.chunks_exact_mut(lanes).enumerate().rev() {
            if !tree.is_leaf(first + node) {
                let (children, part) = (self.from_children[first + node], self.from_base[first + node]);
                for (value, sum) in own.iter_mut().zip(&sums[row(node, lanes)]) {
                    *value = children * sum + part * *value;
                }
            }
            if let Some(parent) = tree.parent(first + node) {
                for (sum, value) in above[row(parent - base, lanes)].iter_mut().zip(own) {
                    *sum += *value;
                }
            }
        }
    }

    /// Computes the values of some nodes of one level from the gaps `above`.
    fn descend(&self, tree: &Tree, lanes: usize, rows: Rows<'_>, above: &[f64]) {
        if let Some(middle) = rows.middle(tree, lanes) {
            let (left, right) = rows.split(middle, lanes);
            rayon::join(
                || self.descend(tree, lanes, left, above),
                || self.descend(tree, lanes, right, above),
            );
            return;
        }
        let Rows { first, values, sums } = rows;
        for (node, own) in values.chunks_exact_mut(lanes).enumerate() {
            if let Some(parent) = tree.parent(first + node) {
                let share = self.share[first + node];
                for (value, gap) in own.iter_mut().zip(&above[row(parent, lanes)]) {
                    *value += share * gap;
                }
            }
            if !tree.is_leaf(first + node) {
                for (sum, value) in sums[row(node, lanes)].iter_mut().zip(own) {
                    *sum = *value - *sum;
                }
            }
        }
    }

    /// Replaces the variances of independent base errors by those of the projected values; nodes x lanes. They need not
    /// be the weights of the projection.
    ///
    /// With `D = x - M` of a node, `k` the coefficient of a child's `m` in it, and `v` the base variance; the root has
    /// neither share nor parent:
    ///
    /// ```text
    /// k      = share k_parent from_children - from_base
    /// var(D) = from_base^2 (var(M) + v) + share^2 var(D_parent)
    ///          + 2 share k_parent (from_base^2 v - from_base from_children var(M))
    /// var(x) = var(m) + share^2 var(D_parent) + 2 share k_parent var(m)
    /// ```
    pub(crate) fn spread(&self, tree: &Tree, variances: &mut [f64], lanes: usize) {
        // First var(M) on the way up, then var(D) on the way down.
        let mut sums = vec![0.0; tree.inner_end() * lanes];
        // from_base^2 v, which var(D) needs again after `variances` holds var(m).
        let mut bases = vec![0.0; tree.inner_end() * lanes];
        for node in (0..tree.len()).rev() {
            let own = &mut variances[row(node, lanes)];
            if !tree.is_leaf(node) {
                let (children, base) = (self.from_children[node].powi(2), self.from_base[node].powi(2));
                let rows = sums[row(node, lanes)].iter().zip(&mut bases[row(node, lanes)]);
                for (variance, (sum, kept)) in own.iter_mut().zip(rows) {
                    *kept = base * *variance;
                    *variance = children * sum + *kept;
                }
            }
            if let Some(parent) = tree.parent(node) {
                for (sum, variance) in sums[row(parent, lanes)].iter_mut().zip(own) {
                    *sum += *variance;
                }
            }
        }
        let mut coefficients = vec![0.0; tree.inner_end()];
        // The root has no parent.
        let mut gaps = vec![0.0; lanes];
        for node in 0..tree.len() {
            let (children, loss, share) = (self.from_children[node], self.from_base[node], self.share[node]);
            let mut pull = 0.0;
            if let Some(parent) = tree.parent(node) {
                pull = share * coefficients[parent];
                gaps.copy_from_slice(&sums[row(parent, lanes)]);
                for (variance, gap) in variances[row(node, lanes)].iter_mut().zip(&gaps) {
                    // A zero may come out negative by rounding.
                    *variance = (*variance + share * share * gap + 2.0 * pull * *variance).max(0.0);
                }
            }
            if !tree.is_leaf(node) {
                coefficients[node] = pull * children - loss;
                let rows = bases[row(node, lanes)].iter().zip(&gaps);
                for (sum, (base, gap)) in sums[row(node, lanes)].iter_mut().zip(rows) {
                    let shared = base - loss * children * *sum;
                    *sum = loss * loss * *sum + base + share * share * gap + 2.0 * pull * shared;
                }
            }
        }
    }
}
