//! `analyses.json`: what the pages of the analyses are made from. Field names are those of the file.

use std::collections::BTreeMap;

use serde::Serialize;

/// Changes when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// The whole file.
#[derive(Serialize)]
pub(crate) struct Document {
    version: u32,
    target: String,
    freq: String,
    pub(crate) completed: Vec<&'static str>,
    pub(crate) skipped: BTreeMap<&'static str, &'static str>,
    pub(crate) warnings: Vec<String>,
    pub(crate) importance: Option<Importance>,
    pub(crate) shap: Option<Shap>,
    pub(crate) feature_target: Option<FeatureTarget>,
    pub(crate) feature_feature: Option<FeatureFeature>,
    pub(crate) rolling: Option<Rolling>,
}

impl Document {
    pub(crate) fn new(target: &str, freq: &str) -> Self {
        Self {
            version: VERSION,
            target: target.to_owned(),
            freq: freq.to_owned(),
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

#[derive(Serialize)]
pub(crate) struct Importance {
    pub(crate) method: &'static str,
    pub(crate) rows: usize,
    pub(crate) explained_rows: usize,
    pub(crate) max_additivity_error: f64,
    pub(crate) fidelity: Option<Fidelity>,
    pub(crate) left_out: Vec<String>,
    pub(crate) features: Vec<FeatureImportance>,
    pub(crate) groups: Vec<FeatureImportance>,
}

#[derive(Serialize)]
pub(crate) struct Fidelity {
    pub(crate) r2: f64,
    pub(crate) label: &'static str,
    pub(crate) nrmse: f64,
    pub(crate) series_above: Option<f64>,
    pub(crate) accuracy_r2: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct FeatureImportance {
    pub(crate) feature: String,
    pub(crate) importance: f64,
    pub(crate) share: f64,
    pub(crate) rank: usize,
    pub(crate) direction: Option<&'static str>,
    pub(crate) permutation_drop: f64,
    pub(crate) permutation_sd: f64,
}

#[derive(Serialize)]
pub(crate) struct Shap {
    pub(crate) features: Vec<String>,
    pub(crate) summary: Vec<ShapSummary>,
    pub(crate) points: Vec<ShapPoints>,
    pub(crate) detailed: Vec<DetailedRow>,
}

#[derive(Serialize)]
pub(crate) struct ShapSummary {
    pub(crate) feature: String,
    pub(crate) mean_abs: f64,
    pub(crate) mean: f64,
    pub(crate) sd: f64,
    pub(crate) p05: f64,
    pub(crate) p25: f64,
    pub(crate) p50: f64,
    pub(crate) p75: f64,
    pub(crate) p95: f64,
}

#[derive(Serialize)]
pub(crate) struct ShapPoints {
    pub(crate) feature: String,
    pub(crate) values: Vec<f64>,
    /// Rank of the feature's value among the rows, 0 to 1; null where it is missing.
    pub(crate) positions: Vec<Option<f64>>,
}

#[derive(Serialize)]
pub(crate) struct DetailedRow {
    pub(crate) item_id: String,
    pub(crate) timestamp: String,
    pub(crate) step: usize,
    pub(crate) told: &'static str,
    pub(crate) base: f64,
    pub(crate) prediction: f64,
    pub(crate) reproduced: f64,
    pub(crate) contributions: Vec<Contribution>,
    pub(crate) others: f64,
}

#[derive(Serialize)]
pub(crate) struct Contribution {
    pub(crate) feature: String,
    pub(crate) value: Option<f64>,
    pub(crate) shap: f64,
}

#[derive(Serialize)]
pub(crate) struct FeatureTarget {
    pub(crate) rows: Vec<FeatureTargetRow>,
}

#[derive(Serialize)]
pub(crate) struct FeatureTargetRow {
    pub(crate) feature: String,
    pub(crate) transform: tabcast_explain::Transform,
    pub(crate) method: tabcast_explain::Method,
    pub(crate) value: f64,
    pub(crate) abs_value: f64,
    pub(crate) n: u32,
    pub(crate) p_value: f64,
    pub(crate) p_adjusted: f64,
    pub(crate) best_lag: Option<i32>,
    pub(crate) value_at_best_lag: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct FeatureFeature {
    pub(crate) features: Vec<String>,
    pub(crate) order: Vec<u32>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) constant: Vec<String>,
    pub(crate) beyond_limit: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct Pair {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) method: tabcast_explain::Method,
    pub(crate) value: f64,
    pub(crate) n: u32,
    pub(crate) p_value: f64,
    pub(crate) redundant: bool,
}

#[derive(Serialize)]
pub(crate) struct Rolling {
    pub(crate) features: Vec<String>,
    pub(crate) window: usize,
    pub(crate) series: Vec<RollingSeries>,
}

#[derive(Serialize)]
pub(crate) struct RollingSeries {
    pub(crate) item_id: String,
    pub(crate) features: Vec<RollingFeature>,
}

#[derive(Serialize)]
pub(crate) struct RollingFeature {
    pub(crate) feature: u32,
    pub(crate) points: Vec<RollingPoint>,
    pub(crate) sign_change: bool,
    pub(crate) separate_intervals: bool,
}

#[derive(Serialize)]
pub(crate) struct RollingPoint {
    pub(crate) start: String,
    pub(crate) end: String,
    pub(crate) coefficient: f64,
    pub(crate) ci_low: f64,
    pub(crate) ci_high: f64,
    pub(crate) r2: f64,
    pub(crate) weak: bool,
}
