use crate::error::ReconcileError;
use crate::gains::Gains;
use crate::method::{Covariance, Method};
use crate::non_negative::make_non_negative;
use crate::shares::Shares;
use crate::shrunk::Shrunk;
use crate::tree::Tree;
use crate::weights::Weights;

/// Residuals a node that a covariance is shrunk with at most: their products take their square of memory.
const MOST_COLUMNS: usize = 4_096;

/// A method prepared for a tree; applies it to any number of arrays.
#[derive(Debug)]
pub struct Reconciler<'a> {
    tree: &'a Tree,
    plan: Plan<'a>,
    /// What the nearest non-negative values are measured with.
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

/// What was put right or given up on the way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Variances below 1e-10 of the median, zero mostly, that were raised to that.
    pub floored_variances: usize,
    /// What was no variance; the node's leaf count times the median of variance / leaf count was taken.
    pub unknown_variances: usize,
    /// Shares that were negative or not finite, and counted as zero.
    pub invalid_shares: usize,
    /// Parents, times lanes for forecast proportions, that were divided equally among their leaves, which had no share.
    pub equal_splits: usize,
    /// Parents times lanes that were divided by the fixed shares, because the children's forecasts are no shares.
    pub share_fallbacks: usize,
    /// Values of bottom series that were set to zero because they may not be negative.
    pub pinned_values: usize,
    /// Lanes in which the search for the nearest non-negative values gave up, so that negative values were cut off.
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
    /// When `base` does not hold `lanes` values a node.
    pub fn apply(&self, base: &[f64], lanes: usize) -> Vec<f64> {
        self.apply_counted(base.to_vec(), lanes, false).values
    }

    /// Coherent values of which none is negative: the nearest to those of [`Reconciler::apply`] by the weights of
    /// [`Method::MinTrace`], which for independent errors are the best ones for `base` too. A shrunk covariance gives
    /// its diagonal as weights. The other methods cut the bottom series off at zero and sum them up.
    ///
    /// # Panics
    ///
    /// When `base` does not hold `lanes` values a node.
    pub fn apply_non_negative(&self, base: &[f64], lanes: usize) -> Vec<f64> {
        self.apply_counted(base.to_vec(), lanes, true).values
    }

    /// Either of the two in place of `base`, with the counts.
    ///
    /// # Panics
    ///
    /// When `base` does not hold `lanes` values a node.
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

    /// Marginal variances of what [`Reconciler::apply`] gives when the base errors are independent with
    /// `base_variance`, both nodes x lanes: the diagonal of `P diag(base_variance) P'` for its matrix `P`. Linear in
    /// nodes times lanes.
    ///
    /// Of a shrunk covariance the diagonal part is taken as weights. `base` matters to forecast proportions alone,
    /// whose proportions come from it and are held fixed.
    ///
    /// # Panics
    ///
    /// When an array does not hold `lanes` values a node.
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

    /// The intensity, 0 to 1, of [`Covariance::Shrinkage`] only.
    pub fn shrinkage(&self) -> Option<f64> {
        match &self.plan {
            Plan::Shrunk(shrunk) => Some(shrunk.intensity),
            _ => None,
        }
    }

    /// What was put right while the method was prepared.
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
