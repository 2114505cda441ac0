//! `analyses.json`, from which the pages of the analyses are made. Field names are those in the file.

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

/// Increase this when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// The whole file; `N` identifies a row.
#[derive(Debug, Serialize)]
pub struct Document<N> {
    version: u32,
    /// The kind of prediction: `table`; omitted for a forecast.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'static str>,
    target: String,
    /// For a classification, the class whose probability is explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// Alias of the frequency of a forecast; omitted for a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    freq: Option<String>,
    /// Analyses with a result.
    pub completed: Vec<&'static str>,
    /// Analyses without a result, with the reason.
    pub skipped: BTreeMap<&'static str, &'static str>,
    /// Warnings as sentences.
    pub warnings: Vec<String>,
    /// Importance of the features.
    pub importance: Option<Importance>,
    /// Shapley values, row by row.
    pub shap: Option<Shap<N>>,
    /// Associations of the features with the target.
    pub feature_target: Option<FeatureTarget>,
    /// Associations between features.
    pub feature_feature: Option<FeatureFeature>,
    /// Rolling regressions of a forecast.
    pub rolling: Option<Rolling>,
}

impl<N> Document<N> {
    /// An empty document for a forecast of this column.
    pub fn of_forecast(target: &str, freq: &str) -> Self {
        Self { freq: Some(freq.to_owned()), ..Self::of(target) }
    }

    /// An empty document for predictions of this column of a table; `class` is the class whose probability is
    /// explained.
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
