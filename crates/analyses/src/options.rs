//! What is asked for.

use serde::Deserialize;
use tabcast_explain::importance::Options;

use crate::runner::analysis;

/// The `explainability` block as it is asked for: which analyses are made, and how much they look at.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[expect(clippy::struct_excessive_bools, reason = "the switches of the block")]
pub struct ExplainOptions {
    /// Which features the result rests on.
    pub feature_importance: bool,
    /// The same, row by row.
    pub shap: bool,
    /// How features go together.
    pub feature_feature_correlations: bool,
    /// How each feature goes with the target.
    pub feature_target_correlations: bool,
    /// What the plot of a forecast is made of.
    pub forecast_plot: bool,
    /// Regressions in moving windows.
    pub rolling_regression: bool,
    /// Whether the operator allows them.
    pub rolling_regression_allowed: bool,
    /// Steps of the history that the plot shows; none: twice the horizon, at most 120.
    pub trailing_history_steps: Option<usize>,
    /// Rows that an analysis looks at, at least 50.
    pub max_rows: usize,
    /// Features that an analysis looks at, at least 1.
    pub max_features: usize,
    /// Features that are told of a row in detail, at least 1.
    pub top_k_features: usize,
    /// Rows whose Shapley values are told, at least 1.
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
    /// The same, with numbers that fit.
    ///
    /// # Errors
    ///
    /// A sentence naming the number that is below its least.
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

    /// Steps of the history that the plot of a forecast of `horizon` steps shows.
    pub fn trailing(&self, horizon: usize) -> usize {
        self.trailing_history_steps.unwrap_or_else(|| horizon.saturating_mul(2).min(120))
    }

    /// The analyses that one explanation makes, of those that were asked for.
    pub fn explained(&self) -> Vec<&'static str> {
        let named = [(self.feature_importance, analysis::IMPORTANCE), (self.shap, analysis::SHAP)];
        named.iter().filter(|(wanted, _)| *wanted).map(|(_, name)| *name).collect()
    }

    /// How far importance and Shapley values look.
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
