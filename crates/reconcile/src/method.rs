use crate::residuals::Residuals;

/// How the forecasts are made coherent.
#[derive(Debug, Clone, Copy)]
pub enum Method<'a> {
    /// Parents are the sums of the bottom series.
    BottomUp,
    /// The grand total is divided by fixed shares.
    TopDown {
        /// One per bottom series, in the order of [`Tree::bottom`](crate::Tree::bottom), in any unit. Negative numbers
        /// and NaN count as 0; if all are 0, the total is divided equally.
        shares: &'a [f64],
    },
    /// Every node is divided in proportion to the forecasts of its children.
    ForecastProportions {
        /// As for [`Method::TopDown`]; used for a node with a child whose forecast is negative, or without any positive
        /// one.
        shares: &'a [f64],
    },
    /// Minimum trace (Wickramasuriya, Athanasopoulos and Hyndman, Optimal forecast reconciliation for hierarchical and
    /// grouped time series through trace minimization, 2019): generalised least squares with a covariance of the base
    /// errors.
    MinTrace(Covariance<'a>),
}

/// Covariance of the errors of the base forecasts, up to a factor.
#[derive(Debug, Clone, Copy)]
pub enum Covariance<'a> {
    /// Equal and independent (`ols`).
    Identity,
    /// Independent, proportional to the number of bottom series under the node (`wls_struct`).
    Structural,
    /// Independent, one variance per node (`wls_var`). Variances below 1e-10 of the median are raised to that; an
    /// invalid one is replaced by the node's leaf count times the median of variance / leaf count.
    Diagonal(&'a [f64]),
    /// The same with the mean squares of the residuals (`wls_var`).
    ResidualVariances(Residuals<'a>),
    /// The residuals' covariance, shrunk towards its diagonal (`shrink`); the diagonal is treated as in `Diagonal`.
    Shrinkage(Residuals<'a>),
}
