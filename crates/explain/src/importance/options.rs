//! What can be chosen.

/// Bounds of an analysis, with the defaults of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Most rows that a surrogate learns from, spread evenly over those given; at least 50.
    pub max_rows: usize,
    /// Most features that are told apart; at least 1.
    pub max_features: usize,
    /// Most features that are told of a row in detail.
    pub top_k: usize,
    /// Most rows with Shapley values, spread evenly over those learnt from.
    pub shap_sample_size: usize,
    /// Seed of samples, folds and trees.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_rows: 5000, max_features: 25, top_k: 15, shap_sample_size: 512, seed: 0 }
    }
}
