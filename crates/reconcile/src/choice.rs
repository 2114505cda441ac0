use serde::{Deserialize, Serialize};

use crate::error::ReconcileError;
use crate::method::{Covariance, Method};
use crate::residuals::Residuals;

/// The name of a method, without its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
#[ts(rename = "ReconciliationMethod")]
pub enum MethodName {
    /// Sums of the forecasts of the leaves.
    BottomUp,
    /// Shares of the forecast of the root.
    TopDown,
    /// The coherent forecasts closest to all forecasts, weighted by their errors.
    MinTrace,
}

/// A method and its details, without the arrays that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// `bottom_up`
    BottomUp,
    /// `top_down`
    TopDown(Proportions),
    /// `min_trace`
    MinTrace(ErrorWeights),
}

/// The source of the shares of `top_down`. The first two only differ in how the caller computes them from the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[ts(rename = "TopDownMethod")]
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

/// The covariance that `min_trace` assumes for the errors of the base forecasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
#[ts(rename = "ReconciliationWeights")]
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

/// The arrays that a method may need besides the forecasts.
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
    /// The method with this name and these details; `weights` are only used for `min_trace`, `top_down_method` only for
    /// `top_down`.
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

    /// The weights; only for `min_trace`.
    pub fn weights(self) -> Option<ErrorWeights> {
        match self {
            Self::MinTrace(weights) => Some(weights),
            _ => None,
        }
    }

    /// The source of shares; only for `top_down`.
    pub fn top_down_method(self) -> Option<Proportions> {
        match self {
            Self::TopDown(proportions) => Some(proportions),
            _ => None,
        }
    }

    /// The method with its arrays; `wls_var` prefers variances to residuals.
    ///
    /// # Errors
    ///
    /// If an array that it needs is missing.
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
