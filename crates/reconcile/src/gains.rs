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
    /// With `D = x - M` of a node, `k` the coefficient of a child's `m` in it, `v` the base variance, and at the root
    /// neither share nor parent:
    ///
    /// ```text
    /// k      = share k_parent from_children - from_base
    /// var(D) = from_base^2 (var(M) + v) + share^2 var(D_parent)
    ///          + 2 share k_parent (from_base^2 v - from_base from_children var(M))
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
        // Nothing stands above the root.
        let mut gaps = vec![0.0; lanes];
        for node in 0..tree.len() {
            let (children, loss, share) = (self.from_children[node], self.from_base[node], self.share[node]);
            let mut pull = 0.0;
            if let Some(parent) = tree.parent(node) {
                pull = share * coefficients[parent];
                gaps.copy_from_slice(&sums[row(parent, lanes)]);
                for (variance, gap) in variances[row(node, lanes)].iter_mut().zip(&gaps) {
                    // Zero may come out a rounding error below.
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
