//! What a reconciliation did, as part of a forecast's summary.

use napi_derive::napi;

/// What was done to make the forecasts add up.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct ReconciliationSummary {
    /// `bottom_up`, `top_down` or `min_trace`.
    pub method: String,
    /// Of `min_trace`.
    pub weights: Option<String>,
    /// Of `top_down`.
    pub top_down_method: Option<String>,
    /// From the grand total to the bottom.
    pub levels: Vec<HierarchyLevel>,
    /// Nodes of the hierarchy.
    pub num_series: f64,
    /// Nodes of its lowest level: the series of the dataset.
    pub num_bottom: f64,
    /// Item id of the grand total.
    pub total_label: String,
    /// What joins the groups to the id of a series.
    pub separator: String,
    /// Windows of the backtest that the weights come from.
    pub residual_windows_used: u32,
    /// Intensity of the shrinkage, 0 to 1; of `shrink`.
    pub shrinkage: Option<f64>,
    /// Largest distance between a parent and the sum of its children, as they were forecast.
    pub max_incoherence_before: f64,
    /// The same in the table.
    pub max_incoherence_after: f64,
    /// What was done instead of what was asked for.
    pub fallback: Option<ReconciliationFallback>,
    /// One sentence each.
    pub warnings: Vec<String>,
}

/// A level of a hierarchy.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct HierarchyLevel {
    /// Its column, or its place.
    pub name: String,
    /// How many nodes it has.
    pub num_nodes: f64,
}

/// A method that could not be used.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct ReconciliationFallback {
    /// What was asked for.
    pub from: String,
    /// What was done.
    pub to: String,
    /// One sentence.
    pub reason: String,
}

impl From<tabcast_forecast::ReconciliationSummary> for ReconciliationSummary {
    fn from(summary: tabcast_forecast::ReconciliationSummary) -> Self {
        let level = |(name, num_nodes): (String, u64)| HierarchyLevel { name, num_nodes: num_nodes as f64 };
        Self {
            method: summary.method,
            weights: summary.weights,
            top_down_method: summary.top_down_method,
            levels: summary.levels.into_iter().map(level).collect(),
            num_series: summary.num_series as f64,
            num_bottom: summary.num_bottom as f64,
            total_label: summary.total_label,
            separator: summary.separator,
            residual_windows_used: summary.residual_windows_used,
            shrinkage: summary.shrinkage,
            max_incoherence_before: summary.max_incoherence_before,
            max_incoherence_after: summary.max_incoherence_after,
            fallback: summary.fallback.map(|fallback| ReconciliationFallback {
                from: fallback.from,
                to: fallback.to,
                reason: fallback.reason,
            }),
            warnings: summary.warnings,
        }
    }
}
