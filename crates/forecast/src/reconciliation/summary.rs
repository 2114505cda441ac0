use serde::Serialize;
use tabcast_reconcile::{ErrorWeights, MethodName, Proportions};

/// What reconciliation did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReconciliationSummary {
    /// As it was done in the end: `fallback` says where that is not what was asked for.
    pub method: MethodName,
    /// The weights that were used; for `min_trace` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub weights: Option<ErrorWeights>,
    /// For `top_down` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub top_down_method: Option<Proportions>,
    /// From the grand total to the bottom.
    pub levels: Vec<HierarchyLevel>,
    /// Nodes of all levels.
    pub num_series: u64,
    /// Nodes of the last level.
    pub num_bottom: u64,
    /// Id of the grand total.
    pub total_label: String,
    /// What stands between the parts of an id.
    pub separator: String,
    /// Stretches of history that were held back to estimate weights.
    pub residual_windows_used: u32,
    /// Intensity of the shrinkage of the error covariance, 0 to 1; for the weights `shrink` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub shrinkage: Option<f64>,
    /// The largest difference between a mean and the sum of its children's, before.
    pub max_incoherence_before: f64,
    /// The same after, in the decimals that are written.
    pub max_incoherence_after: f64,
    /// Set when other weights than those asked for were used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub fallback: Option<Fallback>,
    /// Sentences.
    pub warnings: Vec<String>,
}

/// A level of a hierarchy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HierarchyLevel {
    /// Its column, or its place.
    pub name: String,
    /// How many nodes it has.
    pub num_nodes: u64,
}

/// Weights that could not be estimated, and what was used instead.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ReconciliationFallback"))]
pub struct Fallback {
    /// What was asked for.
    pub from: ErrorWeights,
    /// What was used.
    pub to: ErrorWeights,
    /// One sentence.
    pub reason: String,
}
