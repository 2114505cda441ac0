//! Generalised least squares with a shrunk covariance, without a matrix of nodes x nodes.
//!
//! The covariance is `B + U U'` with diagonal `B` and one column of `U` per column of residuals. That is the covariance
//! of `U f + e` with independent unit factors `f`. Generalised least squares minimises `|f|^2` plus the squares of `y -
//! U f - x` weighted by `1 / B`, over both `f` and the coherent `x`. For a given `f` the best `x` is the projection `R`
//! on the tree with the weights `B`, so with `Q = B^-1/2 (U - R U)`
//!
//! ```text
//! (I + Q' Q) f = Q' B^-1/2 (y - R y)        x = R (y - U f)
//! ```
//!
//! Time is linear in the nodes, plus one small system with as many unknowns as columns.

use tabcast_statistics::{factorise_positive_definite, solve_factorised};

use crate::gains::Gains;
use crate::gram::gram;
use crate::intensity::intensity;
use crate::residuals::Residuals;
use crate::tree::{Tree, row};
use crate::weights::Weights;

/// A prepared covariance.
#[derive(Debug)]
pub(crate) struct Shrunk<'a> {
    residuals: Residuals<'a>,
    /// The factors that convert a node's residuals to its row of U.
    factors: Vec<f64>,
    /// B^-1/2.
    precisions: Vec<f64>,
    gains: Gains,
    /// Q, nodes x columns.
    loadings: Vec<f64>,
    /// Cholesky factor of I + Q'Q, columns x columns.
    system: Vec<f64>,
    pub(crate) intensity: f64,
}

impl<'a> Shrunk<'a> {
    /// `weights` must come from the mean squares of the residuals.
    pub(crate) fn new(tree: &Tree, residuals: Residuals<'a>, weights: &Weights) -> Self {
        let (nodes, columns) = (tree.len(), residuals.columns());
        let intensity = intensity(&residuals, nodes);
        let kept = 1.0 - intensity;
        // A node without errors, or with infinite ones, only has its diagonal.
        let squares: Vec<(f64, usize)> = (0..nodes).map(|node| residuals.squares(node)).collect();
        let usable = |node: usize| {
            let (sum, count) = squares[node];
            count > 0 && sum.is_finite() && weights.values[node] < Weights::CEILING
        };
        let factor = |node: usize| (kept / squares[node].1 as f64).sqrt() / weights.unit.sqrt();
        let factors: Vec<f64> =
            (0..nodes).map(|node| if usable(node) { factor(node) } else { 0.0 }).collect();
        // The diagonal without U U': the intensity's share of a known variance, all of an unknown one.
        let rest_of = |node: usize| match factors[node] {
            0.0 => weights.values[node],
            factor => {
                let explained = squares[node].0 * factor * factor;
                (weights.values[node] - explained).max(intensity * weights.values[node])
            }
        };
        let rest: Vec<f64> = (0..nodes).map(rest_of).collect();
        let gains = Gains::new(tree, &rest);
        let precisions: Vec<f64> = rest.iter().map(|rest| rest.sqrt().recip()).collect();
        let mut loadings: Vec<f64> =
            (0..nodes).flat_map(|node| residuals.scaled(node, factors[node])).collect();
        gains.project(tree, &mut loadings, columns);
        for node in 0..nodes {
            for (loading, own) in
                loadings[row(node, columns)].iter_mut().zip(residuals.scaled(node, factors[node]))
            {
                *loading = (own - *loading) * precisions[node];
            }
        }
        let mut system = gram(nodes, columns, |node, out| out.copy_from_slice(&loadings[row(node, columns)]));
        for column in 0..columns {
            system[column * columns + column] += 1.0;
        }
        let definite = factorise_positive_definite(&mut system, columns);
        // The system is at least the identity, and Q'Q is at most nodes / intensity, far below the 1e16 that would hide
        // it.
        assert!(definite, "the system of the factors is singular");
        Self { residuals, factors, precisions, gains, loadings, system, intensity }
    }

    /// Replaces base forecasts by their projection; nodes x lanes.
    pub(crate) fn project(&self, tree: &Tree, values: &mut [f64], lanes: usize) {
        let columns = self.residuals.columns();
        let mut factors = self.factors_of(tree, values, lanes);
        let mut column = vec![0.0; columns];
        for lane in 0..lanes {
            for (own, factor) in column.iter_mut().zip(factors.chunks_exact(lanes)) {
                *own = factor[lane];
            }
            solve_factorised(&self.system, &mut column);
            for (own, factor) in column.iter().zip(factors.chunks_exact_mut(lanes)) {
                factor[lane] = *own;
            }
        }
        for node in 0..tree.len() {
            let own = &mut values[row(node, lanes)];
            for (error, factor) in
                self.residuals.scaled(node, self.factors[node]).zip(factors.chunks_exact(lanes))
            {
                for (value, factor) in own.iter_mut().zip(factor) {
                    *value -= error * factor;
                }
            }
        }
        self.gains.project(tree, values, lanes);
    }

    /// Q' B^-1/2 (y - R y), columns x lanes.
    fn factors_of(&self, tree: &Tree, base: &[f64], lanes: usize) -> Vec<f64> {
        let columns = self.residuals.columns();
        let mut projected = base.to_vec();
        self.gains.project(tree, &mut projected, lanes);
        let mut factors = vec![0.0; columns * lanes];
        let mut gaps = vec![0.0; lanes];
        for node in 0..tree.len() {
            let precision = self.precisions[node];
            let rows = base[row(node, lanes)].iter().zip(&projected[row(node, lanes)]);
            for (gap, (value, projected)) in gaps.iter_mut().zip(rows) {
                *gap = (value - projected) * precision;
            }
            let loadings = &self.loadings[row(node, columns)];
            for (factor, loading) in factors.chunks_exact_mut(lanes).zip(loadings) {
                for (sum, gap) in factor.iter_mut().zip(&gaps) {
                    *sum += loading * gap;
                }
            }
        }
        factors
    }

    /// The projection with only the diagonal part.
    pub(crate) fn gains(&self) -> &Gains {
        &self.gains
    }
}
