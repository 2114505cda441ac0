use serde::{Deserialize, Serialize};

use crate::error::ReconcileError;
use crate::method::{Covariance, Method};
use crate::residuals::Residuals;

/// A method by its name, without what it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ReconciliationMethod"))]
pub enum MethodName {
    /// Sums of the forecasts of the leaves.
    BottomUp,
    /// Shares of the forecast of the root.
    TopDown,
    /// What is nearest to all forecasts, by their errors.
    MinTrace,
}

/// A method by its names, without the arrays that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// `bottom_up`
    BottomUp,
    /// `top_down`
    TopDown(Proportions),
    /// `min_trace`
    MinTrace(ErrorWeights),
}

/// Where the shares of `top_down` are from. The first two differ only in how a caller makes them of the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TopDownMethod"))]
pub enum Proportions {
    /// `proportions_of_historical_totals`
    #[serde(rename = "proportions_of_historical_totals")]
    HistoricalTotals,
    /// `average_historical_proportions`
    #[serde(rename = "average_historical_proportions")]
    AverageHistorical,
    /// `forecast_proportions`
    #[serde(rename = "forecast_proportions")]
    Forecasts,
}

/// What `min_trace` holds the errors of the base forecasts to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ReconciliationWeights"))]
pub enum ErrorWeights {
    /// `ols`
    Ols,
    /// `wls_struct`
    WlsStruct,
    /// `wls_var`
    WlsVar,
    /// `shrink`
    Shrink,
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

impl Choice {
    /// The method of these names; `weights` count for `min_trace` only, `top_down_method` for `top_down` only.
    pub fn of(method: MethodName, weights: ErrorWeights, top_down_method: Proportions) -> Self {
        match method {
            MethodName::BottomUp => Self::BottomUp,
            MethodName::TopDown => Self::TopDown(top_down_method),
            MethodName::MinTrace => Self::MinTrace(weights),
        }
    }

    /// The name of the method.
    pub fn method(self) -> MethodName {
        match self {
            Self::BottomUp => MethodName::BottomUp,
            Self::TopDown(_) => MethodName::TopDown,
            Self::MinTrace(_) => MethodName::MinTrace,
        }
    }

    /// The weights, of `min_trace` only.
    pub fn weights(self) -> Option<ErrorWeights> {
        match self {
            Self::MinTrace(weights) => Some(weights),
            _ => None,
        }
    }

    /// The method within the method, of `top_down` only.
    pub fn top_down_method(self) -> Option<Proportions> {
        match self {
            Self::TopDown(proportions) => Some(proportions),
            _ => None,
        }
    }

    /// The method itself; `wls_var` takes variances before residuals.
    ///
    /// # Errors
    ///
    /// When what it needs is missing.
    pub fn with(self, inputs: Inputs<'_>) -> Result<Method<'_>, ReconcileError> {
        let missing = |what| ReconcileError::Missing { what };
        let shares = inputs.shares.ok_or(missing("shares"));
        Ok(match self {
            Self::BottomUp => Method::BottomUp,
            Self::TopDown(Proportions::Forecasts) => Method::ForecastProportions { shares: shares? },
            Self::TopDown(_) => Method::TopDown { shares: shares? },
            Self::MinTrace(weights) => Method::MinTrace(match weights {
                ErrorWeights::Ols => Covariance::Identity,
                ErrorWeights::WlsStruct => Covariance::Structural,
                ErrorWeights::WlsVar => match (inputs.variances, inputs.residuals) {
                    (Some(variances), _) => Covariance::Diagonal(variances),
                    (None, Some(residuals)) => Covariance::ResidualVariances(residuals),
                    (None, None) => return Err(missing("variances or residuals")),
                },
                ErrorWeights::Shrink => Covariance::Shrinkage(inputs.residuals.ok_or(missing("residuals"))?),
            }),
        })
    }
}
