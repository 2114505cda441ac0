use crate::error::ReconcileError;
use crate::residuals::Residuals;

/// How the forecasts are made to add up.
#[derive(Debug, Clone, Copy)]
pub enum Method<'a> {
    /// Parents are the sums of the bottom series.
    BottomUp,
    /// The grand total is divided by fixed shares.
    TopDown {
        /// One a bottom series, in the order of [`Tree::bottom`](crate::Tree::bottom), of any scale. What is negative or no
        /// number counts as 0; when all are 0, the total is divided equally.
        shares: &'a [f64],
    },
    /// Every node is divided as the forecasts of its children are.
    ForecastProportions {
        /// As for [`Method::TopDown`]: these divide a node that has a child with a negative forecast, or none with a
        /// positive one.
        shares: &'a [f64],
    },
    /// Minimum trace (Wickramasuriya, Athanasopoulos and Hyndman, Optimal forecast reconciliation for hierarchical and
    /// grouped time series through trace minimization, 2019): generalised least squares with a covariance of the base errors.
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

/// What a method may need besides the forecasts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs<'a> {
    /// See [`Method::TopDown`].
    pub shares: Option<&'a [f64]>,
    /// See [`Covariance::Diagonal`].
    pub variances: Option<&'a [f64]>,
    /// See [`Residuals`].
    pub residuals: Option<Residuals<'a>>,
}

impl<'a> Method<'a> {
    /// The method of these names: `bottom_up`; `top_down`, whose own method is `forecast_proportions` or one of the two that
    /// only say where the shares are from, `proportions_of_historical_totals` and `average_historical_proportions`;
    /// `min_trace`, with the weights `ols`, `wls_struct`, `wls_var` (variances, else residuals) or `shrink`.
    ///
    /// # Errors
    ///
    /// When a name is unknown, or what the method needs is missing.
    pub fn named(
        method: &str,
        weights: Option<&str>,
        top_down_method: Option<&str>,
        inputs: Inputs<'a>,
    ) -> Result<Self, ReconcileError> {
        let missing = |what| ReconcileError::Missing { what };
        let unknown = |what, name: &str| ReconcileError::UnknownName { what, name: name.to_owned() };
        Ok(match method {
            "bottom_up" => Self::BottomUp,
            "top_down" => {
                let name = top_down_method.ok_or(missing("a top-down method"))?;
                let shares = inputs.shares.ok_or(missing("shares"));
                match name {
                    "proportions_of_historical_totals" | "average_historical_proportions" => {
                        Self::TopDown { shares: shares? }
                    }
                    "forecast_proportions" => Self::ForecastProportions { shares: shares? },
                    _ => return Err(unknown("top-down method", name)),
                }
            }
            "min_trace" => Self::MinTrace(match weights.ok_or(missing("weights"))? {
                "ols" => Covariance::Identity,
                "wls_struct" => Covariance::Structural,
                "wls_var" => match (inputs.variances, inputs.residuals) {
                    (Some(variances), _) => Covariance::Diagonal(variances),
                    (None, Some(residuals)) => Covariance::ResidualVariances(residuals),
                    (None, None) => return Err(missing("variances or residuals")),
                },
                "shrink" => Covariance::Shrinkage(inputs.residuals.ok_or(missing("residuals"))?),
                name => return Err(unknown("kind of weights", name)),
            }),
            name => return Err(unknown("method", name)),
        })
    }
}
