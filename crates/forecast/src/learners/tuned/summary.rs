use serde::Serialize;
use tabcast_table::Warning;

use crate::Timings;

/// What a finished fine-tuning has to say; the model is in its file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FineTuneSummary"))]
pub struct TuneSummary {
    /// Series of the dataset.
    pub num_items: u64,
    /// Data rows.
    pub rows: u64,
    /// Canonical alias of the frequency.
    pub freq: String,
    /// SHA-256 of the dataset's canonical rows.
    pub dataset_hash: String,
    /// Seconds by stage.
    pub timings: Timings,
    /// What the sender should know.
    pub warnings: Vec<Warning>,
    /// Names of the covariates that the model needs.
    pub covariates: Vec<String>,
    /// Names of the features that it makes of each series.
    pub features: Vec<String>,
    /// What the model missed on the validation windows, trained without them.
    pub candidate: TuneMetrics,
    /// What the preset missed there.
    pub baseline: TuneMetrics,
    /// Of the file.
    pub size_bytes: u64,
}

/// Errors over all validation windows; none where nothing could be held back, or where every actual value is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ErrorMeasures"))]
pub struct TuneMetrics {
    /// Mean absolute error.
    pub mae: Option<f64>,
    /// Mean squared error.
    pub mse: Option<f64>,
    /// Its root.
    pub rmse: Option<f64>,
    /// Mean absolute percentage error where the actual value is not 0, percent.
    pub mape: Option<f64>,
    /// Symmetric mean absolute percentage error, percent.
    pub smape: Option<f64>,
    /// Weighted quantile loss over the levels 0.1 to 0.9.
    pub wql: Option<f64>,
}
