//! The requested analyses.

use serde::{Deserialize, Serialize};
use tabcast_explain::importance::Options;

use crate::runner::analysis;

/// The `explainability` block of a request: which analyses are run, and their limits.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[expect(clippy::struct_excessive_bools, reason = "the switches of the block")]
pub struct ExplainOptions {
    /// Importance of the features.
    pub feature_importance: bool,
    /// Shapley values, row by row.
    pub shap: bool,
    /// Associations between features.
    pub feature_feature_correlations: bool,
    /// Associations of the features with the target.
    pub feature_target_correlations: bool,
    /// The data of the forecast plot.
    pub forecast_plot: bool,
    /// Rolling regressions.
    pub rolling_regression: bool,
    /// Whether the operator allows rolling regressions.
    pub rolling_regression_allowed: bool,
    /// Number of history steps that the plot shows; none: twice the horizon, at most 120.
    pub trailing_history_steps: Option<usize>,
    /// Maximum number of rows in an analysis, at least 50.
    pub max_rows: usize,
    /// Maximum number of features in an analysis, at least 1.
    pub max_features: usize,
    /// Number of features reported for a row in detail, at least 1.
    pub top_k_features: usize,
    /// Number of rows with reported Shapley values, at least 1.
    pub shap_sample_size: usize,
}

impl Default for ExplainOptions {
    /// Everything on, with the numbers of the specification.
    fn default() -> Self {
        Self {
            feature_importance: true,
            shap: true,
            feature_feature_correlations: true,
            feature_target_correlations: true,
            forecast_plot: true,
            rolling_regression: true,
            rolling_regression_allowed: true,
            trailing_history_steps: None,
            max_rows: 5_000,
            max_features: 25,
            top_k_features: 15,
            shap_sample_size: 512,
        }
    }
}

impl ExplainOptions {
    /// The same options, after checking the numbers.
    ///
    /// # Errors
    ///
    /// A sentence with the number that is too small.
    pub fn resolve(self) -> Result<Self, String> {
        let bounds = [
            ("trailing_history_steps", self.trailing_history_steps.unwrap_or(1), 1),
            ("max_rows", self.max_rows, tabcast_explain::MIN_ROWS),
            ("max_features", self.max_features, 1),
            ("top_k_features", self.top_k_features, 1),
            ("shap_sample_size", self.shap_sample_size, 1),
        ];
        match bounds.iter().find(|(_, value, least)| value < least) {
            Some((name, value, least)) => Err(format!("{name} is {value}, the least is {least}")),
            None => Ok(self),
        }
    }

    /// Number of history steps in the plot of a forecast of `horizon` steps.
    pub fn trailing(&self, horizon: usize) -> usize {
        self.trailing_history_steps.unwrap_or_else(|| horizon.saturating_mul(2).min(120))
    }

    /// The requested analyses that a single explanation provides.
    pub fn explained(&self) -> Vec<&'static str> {
        let named = [(self.feature_importance, analysis::IMPORTANCE), (self.shap, analysis::SHAP)];
        named.iter().filter(|(wanted, _)| *wanted).map(|(_, name)| *name).collect()
    }

    /// Limits for importance and Shapley values.
    pub fn importance(&self) -> Options {
        Options {
            max_rows: self.max_rows,
            max_features: self.max_features,
            top_k: self.top_k_features,
            shap_sample_size: self.shap_sample_size,
            seed: 0,
        }
    }
}
