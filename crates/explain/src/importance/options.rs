//! Options of an explanation.

/// Limits of an analysis, with the defaults of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Maximum number of rows that a surrogate learns from, spread evenly over the given ones; at least 50.
    pub max_rows: usize,
    /// Maximum number of features with an explanation of their own; at least 1.
    pub max_features: usize,
    /// Maximum number of features reported for a row in detail.
    pub top_k: usize,
    /// Maximum number of rows with Shapley values, spread evenly over those learned from.
    pub shap_sample_size: usize,
    /// Seed of samples, folds and trees.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_rows: 5000, max_features: 25, top_k: 15, shap_sample_size: 512, seed: 0 }
    }
}
