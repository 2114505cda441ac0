use crate::error::ReconcileError;
use crate::method::{Covariance, Method};
use crate::residuals::Residuals;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proportions {
    /// `proportions_of_historical_totals`
    HistoricalTotals,
    /// `average_historical_proportions`
    AverageHistorical,
    /// `forecast_proportions`
    Forecasts,
}

/// What `min_trace` holds the errors of the base forecasts to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

const PROPORTIONS: [(&str, Proportions); 3] = [
    ("proportions_of_historical_totals", Proportions::HistoricalTotals),
    ("average_historical_proportions", Proportions::AverageHistorical),
    ("forecast_proportions", Proportions::Forecasts),
];
const WEIGHTS: [(&str, ErrorWeights); 4] = [
    ("ols", ErrorWeights::Ols),
    ("wls_struct", ErrorWeights::WlsStruct),
    ("wls_var", ErrorWeights::WlsVar),
    ("shrink", ErrorWeights::Shrink),
];

impl Choice {
    /// The method of these names; `weights` are looked at for `min_trace` only, `top_down_method` for `top_down` only.
    ///
    /// # Errors
    ///
    /// When a name that is looked at is unknown or missing.
    pub fn named(
        method: &str,
        weights: Option<&str>,
        top_down_method: Option<&str>,
    ) -> Result<Self, ReconcileError> {
        let given = |what, name: Option<_>| name.ok_or(ReconcileError::Missing { what });
        Ok(match method {
            "bottom_up" => Self::BottomUp,
            "top_down" => Self::TopDown(find(
                "top-down method",
                given("a top-down method", top_down_method)?,
                &PROPORTIONS,
            )?),
            "min_trace" => Self::MinTrace(find("kind of weights", given("weights", weights)?, &WEIGHTS)?),
            name => return Err(ReconcileError::UnknownName { what: "method", name: name.to_owned() }),
        })
    }

    /// The name of the method.
    pub fn method_name(self) -> &'static str {
        match self {
            Self::BottomUp => "bottom_up",
            Self::TopDown(_) => "top_down",
            Self::MinTrace(_) => "min_trace",
        }
    }

    /// The name of the weights, for `min_trace` only.
    pub fn weights_name(self) -> Option<&'static str> {
        match self {
            Self::MinTrace(weights) => name_of(weights, &WEIGHTS),
            _ => None,
        }
    }

    /// The name of the method within the method, for `top_down` only.
    pub fn top_down_name(self) -> Option<&'static str> {
        match self {
            Self::TopDown(proportions) => name_of(proportions, &PROPORTIONS),
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

fn find<T: Copy>(what: &'static str, name: &str, names: &[(&str, T)]) -> Result<T, ReconcileError> {
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|&(_, meant)| meant).ok_or_else(|| ReconcileError::UnknownName { what, name: name.to_owned() })
}

fn name_of<T: Copy + PartialEq>(meant: T, names: &[(&'static str, T)]) -> Option<&'static str> {
    names.iter().find(|(_, known)| *known == meant).map(|(name, _)| *name)
}
