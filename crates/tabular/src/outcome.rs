//! What a finished run has to say besides its files, for those who keep it with the job.

use serde::Serialize;
use tabcast_table::Warning;

use crate::report::FeatureShare;
use crate::{InferenceMode, ProblemType, Summary};

/// A finished run; the predictions are in the files.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TabularSummary"))]
pub struct Finished {
    /// What was found.
    pub outcome: Outcome,
    /// SHA-256 of the table's canonical content, in hexadecimal.
    pub dataset_hash: String,
    /// Seconds by stage.
    pub timings: Timings,
    /// What the sender should know.
    pub warnings: Vec<Warning>,
    /// Whether the CSV was written.
    pub csv_written: bool,
}

/// What a classification or regression found, besides its files.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TabularOutcome"))]
pub struct Outcome {
    /// Data rows: those with a label and those without.
    pub num_samples: usize,
    /// Rows with a label.
    pub labeled_row_count: usize,
    /// Rows without one.
    pub unlabeled_row_count: usize,
    /// Rows of the predictions.
    pub predicted_row_count: usize,
    /// As it was resolved.
    pub problem_type: ProblemType,
    /// As it was resolved.
    pub inference_mode: InferenceMode,
    /// Left out of a regression.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub accuracy: Option<f64>,
    /// On rows that the models did not learn from.
    pub metrics: Metrics,
    /// Descending; shares are not negative and sum to 1; the 50 greatest, and the rest as `__other__`.
    pub feature_importance: Vec<FeatureShare>,
    /// What the models are called.
    pub model_name: &'static str,
}

/// Each is left out where it is of the other task, or not defined for these rows.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TabularMetrics", optional_fields))]
pub struct Metrics {
    /// Share of the rows whose most likely class is the right one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Mean over the classes of the share of their rows that are found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balanced_accuracy: Option<f64>,
    /// Mean negative logarithm of the probability of the right class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_loss: Option<f64>,
    /// Area under the receiver operating characteristic; of several classes the mean, each against the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roc_auc: Option<f64>,
    /// Share of the variance that is explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r2: Option<f64>,
    /// Root mean squared error, in units of the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rmse: Option<f64>,
    /// Mean absolute error, in units of the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mae: Option<f64>,
}

/// Seconds by stage, named as those of a forecast; stages do not overlap.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TabularTimings"))]
pub struct Timings {
    /// Reading the files.
    pub ingest: f64,
    /// Labels, column types, split.
    pub validate: f64,
    /// Learning.
    pub fit: f64,
    /// Weights, calibration and evaluation.
    pub predict: f64,
    /// Analyses; left out where none was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
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
