//! The outcome of a run besides its files, to be stored with the job.

use serde::Serialize;
use tabcast_table::Warning;

use crate::report::FeatureShare;
use crate::{InferenceMode, ProblemType, Summary};

/// A finished run; the predictions are in the files.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "TabularSummary")]
pub struct Finished {
    /// The findings.
    pub outcome: Outcome,
    /// SHA-256 of the table's canonical content, in hexadecimal.
    pub dataset_hash: String,
    /// Seconds by stage.
    pub timings: Timings,
    /// Warnings for the sender.
    pub warnings: Vec<Warning>,
    /// Whether the CSV was written.
    pub csv_written: bool,
}

/// The findings of a classification or regression, besides its files.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "TabularOutcome")]
pub struct Outcome {
    /// Number of data rows, with and without a label.
    pub num_samples: usize,
    /// Number of rows with a label.
    pub labeled_row_count: usize,
    /// Number of rows without a label.
    pub unlabeled_row_count: usize,
    /// Number of predicted rows.
    pub predicted_row_count: usize,
    /// The resolved problem type.
    pub problem_type: ProblemType,
    /// The resolved inference mode.
    pub inference_mode: InferenceMode,
    /// Omitted for a regression.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub accuracy: Option<f64>,
    /// Metrics on rows that the models did not learn from.
    pub metrics: Metrics,
    /// Descending shares, not negative, which sum to 1; the 50 largest, and the rest as `__other__`.
    pub feature_importance: Vec<FeatureShare>,
    /// Name of the model.
    pub model_name: &'static str,
}

/// Metrics; each is omitted if it belongs to the other task, or is undefined for these rows.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "TabularMetrics", optional_fields)]
pub struct Metrics {
    /// Share of the rows whose most likely class is correct.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Mean recall over the classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balanced_accuracy: Option<f64>,
    /// Mean negative logarithm of the probability of the actual class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_loss: Option<f64>,
    /// Area under the receiver operating characteristic; for several classes the mean of each against the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roc_auc: Option<f64>,
    /// Share of the variance explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r2: Option<f64>,
    /// Root mean squared error, in units of the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rmse: Option<f64>,
    /// Mean absolute error, in units of the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mae: Option<f64>,
}

/// Seconds by stage, with the names of a forecast's stages; stages do not overlap.
#[derive(Debug, Serialize, ts_rs::TS)]
#[ts(rename = "TabularTimings")]
pub struct Timings {
    /// Reading the files.
    pub ingest: f64,
    /// Checking labels, column types and split.
    pub validate: f64,
    /// Learning.
    pub fit: f64,
    /// Weights, calibration and evaluation.
    pub predict: f64,
    /// Analyses; omitted if none was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub explain: Option<f64>,
    /// Writing the files.
    pub write: f64,
}

impl From<Summary> for Finished {
    fn from(Summary { report, problem_type, inference_mode, csv_written }: Summary) -> Self {
        let metric = |name: &str| report.metrics.iter().find(|metric| metric.name == name)?.value;
        let seconds = |stage: &str| report.timings.get(stage).copied().unwrap_or_default();
        let outcome = Outcome {
            num_samples: report.counts.num_samples,
            labeled_row_count: report.counts.labeled,
            unlabeled_row_count: report.counts.unlabeled,
            predicted_row_count: report.counts.predicted,
            problem_type,
            inference_mode,
            accuracy: metric("accuracy"),
            metrics: Metrics {
                accuracy: metric("accuracy"),
                balanced_accuracy: metric("balanced_accuracy"),
                log_loss: metric("log_loss"),
                roc_auc: metric("roc_auc"),
                r2: metric("r2"),
                rmse: metric("rmse"),
                mae: metric("mae"),
            },
            feature_importance: report.importance,
            model_name: report.model_name,
        };
        let timings = Timings {
            ingest: seconds("ingest"),
            validate: seconds("validate"),
            fit: seconds("fit"),
            predict: seconds("combine") + seconds("evaluate"),
            explain: report.timings.get("explain").copied(),
            write: seconds("write"),
        };
        Self { outcome, dataset_hash: report.dataset_hash, timings, warnings: report.warnings, csv_written }
    }
}
