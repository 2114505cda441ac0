use serde::Serialize;
use tabcast_reconcile::{ErrorWeights, MethodName, Proportions};

/// The outcome of reconciliation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
pub struct ReconciliationSummary {
    /// The method that was used in the end; `fallback` is set if it differs from the requested one.
    pub method: MethodName,
    /// The weights that were used; `min_trace` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub weights: Option<ErrorWeights>,
    /// `top_down` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub top_down_method: Option<Proportions>,
    /// From the grand total to the bottom.
    pub levels: Vec<HierarchyLevel>,
    /// Number of nodes of all levels.
    pub num_series: u64,
    /// Number of nodes of the last level.
    pub num_bottom: u64,
    /// Id of the grand total.
    pub total_label: String,
    /// Separator of the parts of an id.
    pub separator: String,
    /// Number of stretches of history held back to estimate weights.
    pub residual_windows_used: u32,
    /// Shrinkage intensity of the error covariance, 0 to 1; only for the weights `shrink`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shrinkage: Option<f64>,
    /// The largest difference between a mean and the sum of its children's means, before reconciliation.
    pub max_incoherence_before: f64,
    /// The same after reconciliation, in the decimals that are written.
    pub max_incoherence_after: f64,
    /// Set if other weights than the requested ones were used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fallback: Option<Fallback>,
    /// Warnings as sentences.
    pub warnings: Vec<String>,
}

/// A level of a hierarchy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
pub struct HierarchyLevel {
    /// Name of its column, or its number.
    pub name: String,
    /// Number of nodes.
    pub num_nodes: u64,
}

/// Weights that could not be estimated, and what was used instead.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "ReconciliationFallback")]
pub struct Fallback {
    /// The requested weights.
    pub from: ErrorWeights,
    /// The weights that were used.
    pub to: ErrorWeights,
    /// One sentence.
    pub reason: String,
}
