use crate::residuals::Residuals;

/// How the forecasts are made to add up.
#[derive(Debug, Clone, Copy)]
pub enum Method<'a> {
    /// Parents are the sums of the bottom series.
    BottomUp,
    /// The grand total is divided by fixed shares.
    TopDown {
        /// One a bottom series, in the order of [`Tree::bottom`](crate::Tree::bottom), of any scale. What is negative
        /// or no number counts as 0; when all are 0, the total is divided equally.
        shares: &'a [f64],
    },
    /// Every node is divided as the forecasts of its children are.
    ForecastProportions {
        /// As for [`Method::TopDown`]: these divide a node that has a child with a negative forecast, or none with a
        /// positive one.
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
    /// Independent, one variance a node (`wls_var`). What is below 1e-10 of the median is raised to that; what is no
    /// variance is taken as the node's leaf count times the median of variance / leaf count.
    Diagonal(&'a [f64]),
    /// The same with the residuals' mean squares (`wls_var`).
    ResidualVariances(Residuals<'a>),
    /// The residuals' covariance, shrunk towards its diagonal (`shrink`); the diagonal is treated as in `Diagonal`.
    Shrinkage(Residuals<'a>),
}
