use crate::error::ReconcileError;
use crate::gains::Gains;
use crate::method::{Covariance, Method};
use crate::non_negative::make_non_negative;
use crate::shares::Shares;
use crate::shrunk::Shrunk;
use crate::tree::Tree;
use crate::weights::Weights;

/// Maximum number of residuals per node for the shrinkage of a covariance: their products take memory in the square of
/// it.
const MOST_COLUMNS: usize = 4_096;

/// A method prepared for a tree, which can be applied to any number of arrays.
#[derive(Debug)]
pub struct Reconciler<'a> {
    tree: &'a Tree,
    plan: Plan<'a>,
    /// The weights by which the nearest non-negative values are measured.
    weights: Option<Vec<f64>>,
    counts: Counts,
}

#[derive(Debug)]
enum Plan<'a> {
    Sums,
    Shares(Shares),
    ForecastShares(Shares),
    Weighted(Gains),
    Shrunk(Box<Shrunk<'a>>),
}

/// Corrections and failures on the way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Variances below 1e-10 of the median, mostly zeros, that were raised to it.
    pub floored_variances: usize,
    /// Invalid variances, replaced by the node's leaf count times the median of variance / leaf count.
    pub unknown_variances: usize,
    /// Shares that were negative or not finite, and counted as zero.
    pub invalid_shares: usize,
    /// Parents (times lanes, for forecast proportions) that were divided equally among their leaves, because these had
    /// no share.
    pub equal_splits: usize,
    /// Parents times lanes that were divided by the fixed shares, because the children's forecasts cannot be shares.
    pub share_fallbacks: usize,
    /// Values of bottom series that were set to zero to avoid negative values.
    pub pinned_values: usize,
    /// Lanes in which the search for the nearest non-negative values was abandoned, so that negative values were cut
    /// off.
    pub clipped_lanes: usize,
}

/// The result of [`Reconciler::apply_counted`].
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// Nodes x lanes.
    pub values: Vec<f64>,
    /// Including those of the preparation.
    pub counts: Counts,
}

impl<'a> Reconciler<'a> {
    /// Prepares `method` for `tree`.
    ///
    /// # Errors
    ///
    /// If an array of the method does not match the tree.
    pub fn new(tree: &'a Tree, method: Method<'a>) -> Result<Self, ReconcileError> {
        let mut counts = Counts::default();
        let mut weights = None;
        let plan = match method {
            Method::BottomUp => Plan::Sums,
            Method::TopDown { shares } => {
                let shares = checked_shares(tree, shares, &mut counts)?;
                counts.equal_splits = usize::from(shares.are_zero());
                Plan::Shares(shares)
            }
            Method::ForecastProportions { shares } => {
                Plan::ForecastShares(checked_shares(tree, shares, &mut counts)?)
            }
            Method::MinTrace(covariance) => {
                let known = weights_of(tree, covariance)?;
                counts.floored_variances = known.floored;
                counts.unknown_variances = known.unknown;
                let plan = match covariance {
                    Covariance::Shrinkage(residuals) => {
                        Plan::Shrunk(Box::new(Shrunk::new(tree, residuals, &known)))
                    }
                    _ => Plan::Weighted(Gains::new(tree, &known.values)),
                };
                weights = Some(known.values);
                plan
            }
        };
        Ok(Self { tree, plan, weights, counts })
    }

    /// Coherent values from `base`, nodes x lanes.
    ///
    /// # Panics
    ///
    /// If `base` does not have `lanes` values per node.
    pub fn apply(&self, base: &[f64], lanes: usize) -> Vec<f64> {
        self.apply_counted(base.to_vec(), lanes, false).values
    }

    /// Non-negative coherent values: those nearest to the result of [`Reconciler::apply`] by the weights of
    /// [`Method::MinTrace`], which for independent errors are the best ones for `base` too. A shrunk covariance uses
    /// its diagonal as weights. The other methods cut the bottom series off at zero and sum them up.
    ///
    /// # Panics
    ///
    /// If `base` does not have `lanes` values per node.
    pub fn apply_non_negative(&self, base: &[f64], lanes: usize) -> Vec<f64> {
        self.apply_counted(base.to_vec(), lanes, true).values
    }

    /// The result of either function in place of `base`, with the counts.
    ///
    /// # Panics
    ///
    /// If `base` does not have `lanes` values per node.
    pub fn apply_counted(&self, base: Vec<f64>, lanes: usize, non_negative: bool) -> Applied {
        assert_eq!(base.len(), self.tree.len() * lanes, "not {lanes} values a node");
        let mut values = base;
        let mut counts = self.counts;
        if lanes == 0 {
            return Applied { values, counts };
        }
        match &self.plan {
            Plan::Sums => self.tree.sum_up(&mut values, lanes),
            Plan::Shares(shares) => shares.divide(self.tree, &mut values, lanes),
            Plan::ForecastShares(shares) => {
                let base = values.clone();
                let fallbacks = shares.divide_as_forecast(self.tree, &base, &mut values, lanes);
                counts.share_fallbacks = fallbacks.fixed;
                counts.equal_splits = fallbacks.equal;
            }
            Plan::Weighted(gains) => gains.project(self.tree, &mut values, lanes),
            Plan::Shrunk(shrunk) => shrunk.project(self.tree, &mut values, lanes),
        }
        if non_negative {
            let pinned = make_non_negative(self.tree, self.weights.as_deref(), &mut values, lanes);
            counts.pinned_values = pinned.values;
            counts.clipped_lanes = pinned.clipped_lanes;
        }
        Applied { values, counts }
    }

    /// Marginal variances of the result of [`Reconciler::apply`] if the base errors are independent with variances
    /// `base_variance`, both nodes x lanes: the diagonal of `P diag(base_variance) P'` for its matrix `P`. Linear in
    /// nodes times lanes.
    ///
    /// For a shrunk covariance, the diagonal part is used as weights. `base` only matters for forecast proportions,
    /// which are computed from it and held fixed.
    ///
    /// # Panics
    ///
    /// If an array does not have `lanes` values per node.
    pub fn variances(&self, base: &[f64], base_variance: &[f64], lanes: usize) -> Vec<f64> {
        let values = self.tree.len() * lanes;
        assert!(base.len() == values && base_variance.len() == values, "not {lanes} values a node");
        let mut variances = base_variance.to_vec();
        match &self.plan {
            Plan::Sums => self.tree.sum_up(&mut variances, lanes),
            Plan::Shares(shares) => {
                square_roots(&mut variances[..lanes]);
                shares.divide(self.tree, &mut variances, lanes);
                squares(&mut variances);
            }
            Plan::ForecastShares(shares) => {
                square_roots(&mut variances[..lanes]);
                shares.divide_as_forecast(self.tree, base, &mut variances, lanes);
                squares(&mut variances);
            }
            Plan::Weighted(gains) => gains.spread(self.tree, &mut variances, lanes),
            Plan::Shrunk(shrunk) => shrunk.gains().spread(self.tree, &mut variances, lanes),
        }
        variances
    }

    /// The shrinkage intensity, 0 to 1; only for [`Covariance::Shrinkage`].
    pub fn shrinkage(&self) -> Option<f64> {
        match &self.plan {
            Plan::Shrunk(shrunk) => Some(shrunk.intensity),
            _ => None,
        }
    }

    /// Corrections made while the method was prepared.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

fn checked_shares(tree: &Tree, shares: &[f64], counts: &mut Counts) -> Result<Shares, ReconcileError> {
    ReconcileError::unless_length("shares", shares, tree.num_bottom(), 1)?;
    let shares = Shares::new(tree, shares);
    counts.invalid_shares = shares.invalid;
    Ok(shares)
}

fn weights_of(tree: &Tree, covariance: Covariance<'_>) -> Result<Weights, ReconcileError> {
    Ok(match covariance {
        Covariance::Identity => Weights::equal(tree),
        Covariance::Structural => Weights::structural(tree),
        Covariance::Diagonal(variances) => {
            ReconcileError::unless_length("variances", variances, tree.len(), 1)?;
            Weights::from_variances(tree, variances.to_vec())
        }
        Covariance::ResidualVariances(residuals) | Covariance::Shrinkage(residuals) => {
            residuals.check(tree)?;
            let shrinks = matches!(covariance, Covariance::Shrinkage(_));
            if shrinks && residuals.columns() > MOST_COLUMNS {
                return Err(ReconcileError::TooManyColumns {
                    most: MOST_COLUMNS,
                    found: residuals.columns(),
                });
            }
            Weights::from_variances(tree, residuals.mean_squares(tree.len()))
        }
    })
}

fn square_roots(values: &mut [f64]) {
    for value in values {
        *value = value.sqrt();
    }
}

fn squares(values: &mut [f64]) {
    for value in values {
        *value *= *value;
    }
}
