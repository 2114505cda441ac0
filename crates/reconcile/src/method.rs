use crate::residuals::Residuals;

/// How the forecasts are made to add up.
#[derive(Debug, Clone, Copy)]
pub enum Method<'a> {
    /// Parents are the sums of the bottom series.
    BottomUp,
    /// The grand total is divided by fixed shares.
    TopDown {
        /// One a bottom series, in the order of [`Tree::bottom`](crate::Tree::bottom); any scale.
        shares: &'a [f64],
    },
    /// Each node is divided as the forecasts of its children are.
    ForecastProportions {
        /// As for [`Method::TopDown`]; used where the forecasts of the children cannot be shares.
        shares: &'a [f64],
    },
    /// Minimum trace: generalised least squares with the given covariance of the base errors.
    MinTrace(Covariance<'a>),
}

/// Covariance of the errors of the base forecasts, up to a factor.
#[derive(Debug, Clone, Copy)]
pub enum Covariance<'a> {
    /// Equal and independent (`ols`).
    Identity,
    /// Independent, proportional to the number of bottom series under the node (`wls_struct`).
    Structural,
    /// Independent, one variance a node (`wls_var`).
    Diagonal(&'a [f64]),
    /// The residuals' covariance, shrunk towards its diagonal (`shrink`).
    Shrinkage(Residuals<'a>),
}
