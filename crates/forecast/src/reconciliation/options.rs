use tabcast_reconcile::Choice;

use crate::Failure;

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

/// [`ReconciliationOptions`] after every check.
#[derive(Clone, Debug)]
pub(crate) struct Reconciliation {
    pub(crate) choice: Choice,
    pub(crate) columns: Vec<String>,
    pub(crate) separator: String,
    pub(crate) total_label: String,
    pub(crate) residual_windows: usize,
}

impl Reconciliation {
    /// # Errors
    ///
    /// [`Failure::Options`] for what the caller should have refused.
    pub(crate) fn resolve(options: ReconciliationOptions) -> Result<Self, Failure> {
        let choice = Choice::named(&options.method, Some(&options.weights), Some(&options.top_down_method))
            .map_err(|error| Failure::Options(error.to_string()))?;
        if options.separator.is_empty() || options.total_label.is_empty() {
            return Err(Failure::Options("separator and total_label must not be empty".to_owned()));
        }
        if options.residual_windows == 0 {
            return Err(Failure::Options("residual_windows must be at least 1".to_owned()));
        }
        Ok(Self {
            choice,
            columns: options.hierarchy_columns,
            separator: options.separator,
            total_label: options.total_label,
            residual_windows: options.residual_windows as usize,
        })
    }
}
