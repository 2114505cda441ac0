/// What reconciliation did.
#[derive(Clone, Debug, PartialEq)]
pub struct ReconciliationSummary {
    /// `bottom_up`, `top_down` or `min_trace`.
    pub method: String,
    /// The weights that were used; for `min_trace` only.
    pub weights: Option<String>,
    /// For `top_down` only.
    pub top_down_method: Option<String>,
    /// Name and number of nodes of each level, top to bottom.
    pub levels: Vec<(String, u64)>,
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
    pub shrinkage: Option<f64>,
    /// The largest difference between a mean and the sum of its children's, before.
    pub max_incoherence_before: f64,
    /// The same after, in the decimals that are written.
    pub max_incoherence_after: f64,
    /// Set when other weights than those asked for were used.
    pub fallback: Option<Fallback>,
    /// Sentences.
    pub warnings: Vec<String>,
}

/// Weights that could not be estimated, and what was used instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Fallback {
    /// What was asked for.
    pub from: String,
    /// What was used.
    pub to: String,
    /// One sentence.
    pub reason: String,
}
