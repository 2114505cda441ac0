use crate::Failure;
use crate::config::choose;

/// The hierarchy of a forecast and how its levels are made to agree, as it is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct ReconciliationOptions {
    /// Grouping columns, top to bottom; the item ids are split at the separator when there are none.
    pub hierarchy_columns: Vec<String>,
    /// `bottom_up`, `top_down` or `min_trace`.
    pub method: String,
    /// `ols`, `wls_struct`, `wls_var` or `shrink`; looked at for `min_trace` only.
    pub weights: String,
    /// `proportions_of_historical_totals`, `average_historical_proportions` or `forecast_proportions`; looked at for
    /// `top_down` only.
    pub top_down_method: String,
    /// What stands between the parts of an id.
    pub separator: String,
    /// Id of the grand total.
    pub total_label: String,
    /// Stretches of history that are held back to estimate the weights of `wls_var` and `shrink`.
    pub residual_windows: u32,
}

impl Default for ReconciliationOptions {
    fn default() -> Self {
        Self {
            hierarchy_columns: Vec::new(),
            method: "min_trace".to_owned(),
            weights: "wls_struct".to_owned(),
            top_down_method: "proportions_of_historical_totals".to_owned(),
            separator: "/".to_owned(),
            total_label: "total".to_owned(),
            residual_windows: 1,
        }
    }
}

/// How forecasts are made coherent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    BottomUp,
    TopDown(Proportions),
    MinTrace(Weights),
}

/// What the bottom series' shares of the total are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proportions {
    HistoricalTotals,
    AverageHistorical,
    Forecasts,
}

/// What is assumed about the errors of the base forecasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weights {
    Ols,
    WlsStruct,
    WlsVar,
    Shrink,
}

impl Weights {
    pub(crate) fn name(self) -> &'static str {
        WEIGHTS.iter().find(|(_, weights)| *weights == self).map_or("", |(name, _)| name)
    }

    /// Whether they are estimated from errors on stretches of history that are held back.
    pub(crate) fn need_residuals(self) -> bool {
        matches!(self, Self::WlsVar | Self::Shrink)
    }
}

/// [`ReconciliationOptions`] after every check.
#[derive(Clone, Debug)]
pub(crate) struct Reconciliation {
    pub(crate) method: Method,
    pub(crate) columns: Vec<String>,
    pub(crate) separator: String,
    pub(crate) total_label: String,
    pub(crate) residual_windows: usize,
}

const WEIGHTS: [(&str, Weights); 4] = [
    ("ols", Weights::Ols),
    ("wls_struct", Weights::WlsStruct),
    ("wls_var", Weights::WlsVar),
    ("shrink", Weights::Shrink),
];
const PROPORTIONS: [(&str, Proportions); 3] = [
    ("proportions_of_historical_totals", Proportions::HistoricalTotals),
    ("average_historical_proportions", Proportions::AverageHistorical),
    ("forecast_proportions", Proportions::Forecasts),
];

impl Reconciliation {
    /// # Errors
    ///
    /// [`Failure::Options`] for what the caller should have refused.
    pub(crate) fn resolve(options: ReconciliationOptions) -> Result<Self, Failure> {
        let weights = choose("weights", &options.weights, &WEIGHTS)?;
        let proportions = choose("top_down_method", &options.top_down_method, &PROPORTIONS)?;
        let methods = [
            ("bottom_up", Method::BottomUp),
            ("top_down", Method::TopDown(proportions)),
            ("min_trace", Method::MinTrace(weights)),
        ];
        let method = choose("method", &options.method, &methods)?;
        if options.separator.is_empty() || options.total_label.is_empty() {
            return Err(Failure::Options("separator and total_label must not be empty".to_owned()));
        }
        if options.residual_windows == 0 {
            return Err(Failure::Options("residual_windows must be at least 1".to_owned()));
        }
        Ok(Self {
            method,
            columns: options.hierarchy_columns,
            separator: options.separator,
            total_label: options.total_label,
            residual_windows: options.residual_windows as usize,
        })
    }

    pub(crate) fn method_name(&self) -> &'static str {
        match self.method {
            Method::BottomUp => "bottom_up",
            Method::TopDown(_) => "top_down",
            Method::MinTrace(_) => "min_trace",
        }
    }

    pub(crate) fn top_down_name(&self) -> Option<&'static str> {
        let Method::TopDown(wanted) = self.method else { return None };
        PROPORTIONS.iter().find(|(_, proportions)| *proportions == wanted).map(|(name, _)| *name)
    }
}
