use crate::error::ReconcileError;
use crate::tree::Tree;
use crate::weights::estimate_unknown;

/// Errors of base forecasts: nodes x columns, node by node, NaN if missing.
///
/// Their squares must stay within the range of a double: errors between 1e-150 and 1e150.
#[derive(Debug, Clone, Copy)]
pub struct Residuals<'a> {
    values: &'a [f64],
    columns: usize,
}

impl<'a> Residuals<'a> {
    /// `values` has `columns` errors per node; whether it matches the tree is checked where both are used.
    pub fn new(values: &'a [f64], columns: usize) -> Self {
        Self { values, columns }
    }

    /// Number of errors per node, including missing ones.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The mean square of each node's errors, not centred, over its known errors; a node without any gets its leaf
    /// count times the median of variance / leaf count.
    ///
    /// # Panics
    ///
    /// If the number of nodes differs from the tree's.
    pub fn variances(&self, tree: &Tree) -> Vec<f64> {
        assert_eq!(self.values.len(), tree.len() * self.columns, "not {} residuals a node", self.columns);
        let mut variances = self.mean_squares(tree.len());
        estimate_unknown(tree, &mut variances);
        variances
    }

    /// NaN for a node without any error.
    pub(crate) fn mean_squares(&self, nodes: usize) -> Vec<f64> {
        (0..nodes)
            .map(|node| {
                let (sum, count) = self.squares(node);
                sum / count as f64
            })
            .collect()
    }

    pub(crate) fn check(&self, tree: &Tree) -> Result<(), ReconcileError> {
        ReconcileError::unless_length("residuals", self.values, tree.len(), self.columns)
    }

    /// The sum of the squares of the node's errors, and the number of known errors.
    pub(crate) fn squares(&self, node: usize) -> (f64, usize) {
        let errors = self.of(node);
        // Four parallel sums fill a vector register; a missing error makes them NaN.
        let (fours, rest) = errors.as_chunks::<4>();
        let mut sums = [0.0; 4];
        for four in fours {
            for (sum, error) in sums.iter_mut().zip(four) {
                *sum += error * error;
            }
        }
        let sum = sums.iter().sum::<f64>() + rest.iter().map(|error| error * error).sum::<f64>();
        if sum.is_finite() {
            return (sum, errors.len());
        }
        let known = || errors.iter().filter(|error| error.is_finite());
        (known().map(|error| error * error).sum(), known().count())
    }

    /// The node's errors times `factor`, 0 for the missing ones.
    pub(crate) fn scaled(&self, node: usize, factor: f64) -> impl Iterator<Item = f64> + 'a {
        self.of(node).iter().map(move |error| if error.is_finite() { error * factor } else { 0.0 })
    }

    fn of(&self, node: usize) -> &'a [f64] {
        &self.values[node * self.columns..][..self.columns]
    }
}
