//! `analyses.json`: what the pages of the analyses are made from. Field names are those of the file.

mod associations;
mod importance;
mod rolling;

use std::collections::BTreeMap;

use serde::Serialize;

pub use associations::{FeatureFeature, FeatureTarget, FeatureTargetRow, Pair};
pub use importance::{
    Cell, Contribution, DetailedRow, FeatureImportance, Fidelity, Importance, Shap, ShapPoints, ShapSummary,
};
pub use rolling::{Rolling, RollingFeature, RollingPoint, RollingSeries};

/// Changes when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// The whole file; `N` is how a row is named.
#[derive(Debug, Serialize)]
pub struct Document<N> {
    version: u32,
    /// What was predicted: `table`; left out for a forecast.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'static str>,
    target: String,
    /// Of a classification, the class whose probability importance and Shapley values are of.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// Alias of the frequency of a forecast; left out for a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    freq: Option<String>,
    /// Analyses with a result.
    pub completed: Vec<&'static str>,
    /// Those without one, and why.
    pub skipped: BTreeMap<&'static str, &'static str>,
    /// Sentences for the reader of the results.
    pub warnings: Vec<String>,
    /// What the predictions rest on.
    pub importance: Option<Importance>,
    /// The same, row by row.
    pub shap: Option<Shap<N>>,
    /// How each feature goes with the target.
    pub feature_target: Option<FeatureTarget>,
    /// How features go together.
    pub feature_feature: Option<FeatureFeature>,
    /// Regressions in moving windows, of a forecast.
    pub rolling: Option<Rolling>,
}

impl<N> Document<N> {
    /// An empty one of a forecast of this column.
    pub fn of_forecast(target: &str, freq: &str) -> Self {
        Self { freq: Some(freq.to_owned()), ..Self::of(target) }
    }

    /// An empty one of predictions of this column of a table; `class` is the one whose probability is explained.
    pub fn of_table(target: &str, class: Option<&str>) -> Self {
        Self { subject: Some("table"), class: class.map(str::to_owned), ..Self::of(target) }
    }

    fn of(target: &str) -> Self {
        Self {
            version: VERSION,
            subject: None,
            target: target.to_owned(),
            class: None,
            freq: None,
            completed: Vec::new(),
            skipped: BTreeMap::new(),
            warnings: Vec::new(),
            importance: None,
            shap: None,
            feature_target: None,
            feature_feature: None,
            rolling: None,
        }
    }
}
