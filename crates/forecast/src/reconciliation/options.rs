use serde::Deserialize;
use tabcast_reconcile::{Choice, ErrorWeights, MethodName, Proportions};

use crate::Failure;

/// The requested hierarchy and reconciliation method.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "ReconciliationSpec")]
pub struct ReconciliationOptions {
    /// Grouping columns, top to bottom; if there are none, the item ids are split at the separator.
    pub hierarchy_columns: Vec<String>,
    /// The reconciliation method.
    pub method: MethodName,
    /// For `min_trace` only.
    pub weights: ErrorWeights,
    /// For `top_down` only.
    pub top_down_method: Proportions,
    /// Separator of the parts of an id.
    pub separator: String,
    /// Id of the grand total.
    pub total_label: String,
    /// Number of held-back stretches of history from which the weights of `wls_var` and `shrink` are estimated.
    pub residual_windows: u32,
}

impl Default for ReconciliationOptions {
    fn default() -> Self {
        Self {
            hierarchy_columns: Vec::new(),
            method: MethodName::MinTrace,
            weights: ErrorWeights::WlsStruct,
            top_down_method: Proportions::HistoricalTotals,
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
        if options.separator.is_empty() || options.total_label.is_empty() {
            return Err(Failure::Options("separator and total_label must not be empty".to_owned()));
        }
        if options.residual_windows == 0 {
            return Err(Failure::Options("residual_windows must be at least 1".to_owned()));
        }
        Ok(Self {
            choice: Choice::of(options.method, options.weights, options.top_down_method),
            columns: options.hierarchy_columns,
            separator: options.separator,
            total_label: options.total_label,
            residual_windows: options.residual_windows as usize,
        })
    }
}
