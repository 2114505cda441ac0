use crate::error::ReconcileError;
use crate::method::Method;
use crate::tree::Tree;

/// A method prepared for a tree; applies it to any number of arrays.
#[derive(Debug)]
pub struct Reconciler<'a> {
    tree: &'a Tree,
    counts: Counts,
}

/// What was put right or given up on the way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Variances that were zero, or less than 1e-10 of the median, and were raised to that.
    pub floored_variances: usize,
    /// Variances that were no number; the node's leaf count times the median of variance / leaf count was taken.
    pub unknown_variances: usize,
    /// Shares that were negative or not finite, and counted as zero.
    pub invalid_shares: usize,
    /// Parents (times lanes for forecast proportions) that no leaf had a share under and that were split equally among their leaves.
    pub equal_splits: usize,
    /// Parents times lanes whose children's forecasts are no shares, so that the fixed shares were taken.
    pub share_fallbacks: usize,
    /// Values of bottom series that were set to zero because they may not be negative.
    pub pinned_values: usize,
    /// Lanes in which the search for the best non-negative forecast gave up, so that negative values were cut off.
    pub clipped_lanes: usize,
}

/// What [`Reconciler::apply_counted`] gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// Nodes x lanes.
    pub values: Vec<f64>,
    /// Those of the preparation included.
    pub counts: Counts,
}

impl<'a> Reconciler<'a> {
    /// Prepares `method` for `tree`.
    ///
    /// # Errors
    ///
    /// When an array of the method does not fit the tree.
    pub fn new(tree: &'a Tree, _method: Method<'a>) -> Result<Self, ReconcileError> {
        Ok(Self { tree, counts: Counts::default() })
    }

    /// Coherent values from `base`, nodes x lanes.
    ///
    /// # Panics
    ///
    /// When `base` does not hold `lanes` values a node.
    pub fn apply(&self, base: &[f64], lanes: usize) -> Vec<f64> {
        self.apply_counted(base, lanes, false).values
    }

    /// Coherent values without a negative one.
    ///
    /// # Panics
    ///
    /// When `base` does not hold `lanes` values a node.
    pub fn apply_non_negative(&self, base: &[f64], lanes: usize) -> Vec<f64> {
        self.apply_counted(base, lanes, true).values
    }

    /// Either of the two, with the counts.
    ///
    /// # Panics
    ///
    /// When `base` does not hold `lanes` values a node.
    pub fn apply_counted(&self, _base: &[f64], _lanes: usize, _non_negative: bool) -> Applied {
        let _ = self.tree;
        unimplemented!()
    }

    /// Marginal variances of the reconciled values when the base errors are independent with `base_variance`, both nodes x
    /// lanes. `base` matters to forecast proportions only, which are taken from it and held fixed.
    ///
    /// # Panics
    ///
    /// When an array does not hold `lanes` values a node.
    pub fn variances(&self, _base: &[f64], _base_variance: &[f64], _lanes: usize) -> Vec<f64> {
        unimplemented!()
    }

    /// The shrinkage intensity, of a shrunk covariance only.
    pub fn shrinkage(&self) -> Option<f64> {
        unimplemented!()
    }

    /// What was put right while the method was prepared.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}
