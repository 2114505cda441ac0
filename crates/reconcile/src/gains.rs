//! Weighted least squares on a tree in two passes.
//!
//! The base forecasts are independent measurements of the nodes with the variances `w`, and the bottom series know nothing
//! beforehand, so that the best coherent values are the means of Gaussian messages. Upwards, with `s` the variance and `m`
//! the mean of what a subtree says about its own root (a leaf: `w` and the base forecast `y`), and `S`, `M` the sums of the
//! children's:
//!
//! ```text
//! s = 1 / (1 / w + 1 / S)        m = s (y / w + M / S)
//! ```
//!
//! and downwards from the root, whose value is its `m`, the gap between a parent and its children's means is divided by
//! their variances: `x_c = m_c + s_c / S (x - M)`. The same as (Hyndman, Lee and Wang, Fast computation of reconciled
//! forecasts for hierarchical and grouped time series, 2016) solve with a matrix; linear in nodes times lanes.

use crate::tree::{Tree, row};

/// The coefficients of both passes.
#[derive(Debug)]
pub(crate) struct Gains {
    /// The part of M in m; the base forecast has the rest.
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
        // M on the way up, x - M on the way down.
        let mut sums = vec![0.0; tree.inner_end() * lanes];
        for node in (0..tree.len()).rev() {
            let own = &mut values[row(node, lanes)];
            if !tree.is_leaf(node) {
                let (children, base) = (self.from_children[node], self.from_base[node]);
                for (value, sum) in own.iter_mut().zip(&sums[row(node, lanes)]) {
                    *value = children * sum + base * *value;
                }
            }
            if let Some(parent) = tree.parent(node) {
                for (sum, value) in sums[row(parent, lanes)].iter_mut().zip(own) {
                    *sum += *value;
                }
            }
        }
        for node in 0..tree.len() {
            let own = &mut values[row(node, lanes)];
            if let Some(parent) = tree.parent(node) {
                let share = self.share[node];
                for (value, gap) in own.iter_mut().zip(&sums[row(parent, lanes)]) {
                    *value += share * gap;
                }
            }
            if !tree.is_leaf(node) {
                for (sum, value) in sums[row(node, lanes)].iter_mut().zip(own) {
                    *sum = *value - *sum;
                }
            }
        }
    }

    /// Overwrites the variances of independent base errors by those of the projected values; nodes x lanes. They need not
    /// be the weights of the projection.
    ///
    /// With `D = x - M` of a node and `k` the coefficient of a child's `m` in it (for the root `from_children - 1`):
    ///
    /// ```text
    /// k      = (from_children - 1) + share k_parent from_children
    /// var(D) = (from_children - 1)^2 var(M) + from_base^2 v + share^2 var(D_parent)
    ///          + 2 share k_parent ((from_children - 1) from_children var(M) + from_base^2 v)
    /// var(x) = var(m) + share^2 var(D_parent) + 2 share k_parent var(m)
    /// ```
    pub(crate) fn spread(&self, tree: &Tree, variances: &mut [f64], lanes: usize) {
        // var(M) on the way up, var(D) on the way down.
        let mut sums = vec![0.0; tree.inner_end() * lanes];
        // from_base^2 v, which var(D) needs again when `variances` holds var(m).
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
        for node in 0..tree.len() {
            let children = self.from_children[node];
            let share = self.share[node];
            // The root has no gap above it.
            let (above, sums_above) = match tree.parent(node) {
                Some(parent) => {
                    let own = &mut variances[row(node, lanes)];
                    let twice = 2.0 * share * coefficients[parent];
                    for (variance, gap) in own.iter_mut().zip(&sums[row(parent, lanes)]) {
                        // Zero may come out a rounding error below.
                        *variance = (*variance + share * share * gap + twice * *variance).max(0.0);
                    }
                    (coefficients[parent], Some(row(parent, lanes).start))
                }
                None => (0.0, None),
            };
            if !tree.is_leaf(node) {
                coefficients[node] = (children - 1.0) + share * above * children;
                let (linear, twice) = (children - 1.0, 2.0 * share * above);
                for lane in 0..lanes {
                    let at = node * lanes + lane;
                    let gap_above = sums_above.map_or(0.0, |start| sums[start + lane]);
                    let (sum, base) = (sums[at], bases[at]);
                    sums[at] = linear * linear * sum
                        + base
                        + share * share * gap_above
                        + twice * (linear * children * sum + base);
                }
            }
        }
    }
}
