use serde::Serialize;
use tabcast_table::Warning;

use crate::Timings;

/// The outcome of a fine-tuning; the model itself is in its file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "FineTuneSummary")]
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
    /// Warnings for the sender.
    pub warnings: Vec<Warning>,
    /// Names of the covariates that the model needs.
    pub covariates: Vec<String>,
    /// Names of the features that the model computes for each series.
    pub features: Vec<String>,
    /// Errors of the model on the validation windows, after training without them.
    pub candidate: TuneMetrics,
    /// Errors of the preset on the same windows.
    pub baseline: TuneMetrics,
    /// Size of the model file in bytes.
    pub size_bytes: u64,
}

/// Errors over all validation windows; none if nothing could be held back, or if every actual value is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "ErrorMeasures")]
pub struct TuneMetrics {
    /// Mean absolute error.
    pub mae: Option<f64>,
    /// Mean squared error.
    pub mse: Option<f64>,
    /// Root mean squared error.
    pub rmse: Option<f64>,
    /// Mean absolute percentage error over the actual values that are not 0, in percent.
    pub mape: Option<f64>,
    /// Symmetric mean absolute percentage error, in percent.
    pub smape: Option<f64>,
    /// Weighted quantile loss over the levels 0.1 to 0.9.
    pub wql: Option<f64>,
}
