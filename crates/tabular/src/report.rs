//! The report of a job as data: the content of `report.json`, from which pages and tables are made.

use std::collections::BTreeMap;

use serde::Serialize;
use tabcast_table::Warning;

/// The complete report.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Version of this structure.
    pub v: u32,
    /// `binary`, `multiclass`, `regression` or `quantile`.
    pub problem_type: &'static str,
    /// `train_evaluate` or `train_predict`.
    pub inference_mode: &'static str,
    /// Name of the model, neutral about its parts.
    pub model_name: &'static str,
    /// The label column.
    pub label: String,
    /// Numbers of rows by use.
    pub counts: Counts,
    /// How rows were divided.
    pub split: SplitReport,
    /// Classes with their numbers of rows, most frequent first; none for a regression.
    pub classes: Option<Vec<ClassReport>>,
    /// Columns of the table and the decision about each.
    pub columns: Vec<ColumnReport>,
    /// Members, best first.
    pub leaderboard: Vec<MemberReport>,
    /// The kind of `loss` in the leaderboard.
    pub loss_name: &'static str,
    /// `test` or `cross_validation`.
    pub evaluated_on: &'static str,
    /// Number of evaluated rows.
    pub evaluated_rows: usize,
    /// Metrics with 95 % intervals (Wilson's for the accuracy, bootstrap for the others), beside those of the baseline
    /// (shares of the classes, or the mean) and of the linear member.
    pub metrics: Vec<MetricReport>,
    /// Only for a classification.
    pub calibration: Option<CalibrationReport>,
    /// Only for a classification.
    pub confusion: Option<ConfusionReport>,
    /// Only for a regression.
    pub residuals: Option<ResidualReport>,
    /// Shares of the columns, descending: the fifty largest, and the rest as `__other__`. Empty if they are unknown.
    pub importance: Vec<FeatureShare>,
    /// How exact the importance is.
    pub explanation: ExplanationReport,
    /// The evaluated rows with the largest losses.
    pub worst_rows: Vec<WorstRow>,
    /// Warnings for the sender.
    pub warnings: Vec<Warning>,
    /// Seconds by stage.
    pub timings: BTreeMap<&'static str, f64>,
    /// SHA-256 of the table.
    pub dataset_hash: String,
    /// Version of this engine.
    pub engine_version: &'static str,
}

/// Numbers of rows by use.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Counts {
    pub num_samples: usize,
    pub labeled: usize,
    pub unlabeled: usize,
    pub predicted: usize,
    pub training: usize,
    pub test: usize,
}

/// How rows were divided.
#[derive(Debug, Clone, Serialize)]
pub struct SplitReport {
    /// `stratified`, `random` or `time_ordered`.
    pub kind: &'static str,
    /// Share of the labelled rows that were learned from.
    pub train_ratio: f64,
    /// Number of folds, in which every row is held back once; 1: one part is held back.
    pub folds: usize,
    /// How often the folds were drawn.
    pub repeats: usize,
    /// Seed of everything random, in hexadecimal.
    pub seed: String,
}

/// A class and its labelled rows.
#[derive(Debug, Clone, Serialize)]
pub struct ClassReport {
    pub label: String,
    pub rows: usize,
    /// The column with its probability in the table of predictions.
    pub column: String,
}

/// A column and the decision about it.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnReport {
    /// Its name.
    pub name: String,
    /// The role assigned to it.
    pub role: &'static str,
    /// Number of distinct values.
    pub distinct: usize,
    /// Number of rows without a value.
    pub missing: usize,
    /// The reasons, as sentences.
    pub notes: Vec<String>,
}

/// A member of the ensemble.
#[derive(Debug, Clone, Serialize)]
pub struct MemberReport {
    /// Name of the member, neutral about its method.
    pub member: &'static str,
    /// Loss on the rows that the folds held back.
    pub loss: f64,
    /// Weight in the prediction.
    pub weight: f64,
    /// Training time over all folds.
    pub seconds: f64,
}

/// A metric over the evaluated rows.
#[derive(Debug, Clone, Serialize)]
pub struct MetricReport {
    /// Its name.
    pub name: &'static str,
    /// None: undefined for these rows.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// The metric for the class shares, or for the mean.
    pub baseline: Option<f64>,
    /// The metric for the linear member alone.
    pub linear: Option<f64>,
}

/// Whether probabilities were adjusted, and how they compare with the outcomes.
#[derive(Debug, Clone, Serialize)]
pub struct CalibrationReport {
    /// `temperature`, or none if it did not help.
    pub method: Option<&'static str>,
    /// Log loss of held-back rows before the adjustment.
    pub before: Option<f64>,
    /// Log loss after it, on held-back rows that it was not fitted on.
    pub after: Option<f64>,
    /// By bins of the predicted probability.
    pub curve: Vec<CurvePoint>,
}

/// A bin of predicted probabilities.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CurvePoint {
    pub predicted: f64,
    pub observed: f64,
    pub rows: u64,
}

/// Number of rows by actual (outer) and predicted (inner) class.
#[derive(Debug, Clone, Serialize)]
pub struct ConfusionReport {
    pub labels: Vec<String>,
    pub counts: Vec<Vec<u64>>,
}

/// Predictions beside actual values, and the accuracy of the intervals.
#[derive(Debug, Clone, Serialize)]
pub struct ResidualReport {
    /// Some of the evaluated rows.
    pub points: Vec<ResidualPoint>,
    /// Share of the evaluated rows between the 0.1 and 0.9 quantiles.
    pub coverage_80: f64,
    /// Mean distance between the two quantiles.
    pub width_80: f64,
}

/// One row.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ResidualPoint {
    pub predicted: f64,
    pub actual: f64,
}

/// A column's share in the predictions.
#[derive(Debug, Clone, Serialize, ts_rs::TS)]
pub struct FeatureShare {
    pub feature: String,
    pub share: f64,
}

/// How exact the importance is.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ExplanationReport {
    /// Share of the prediction with exact Shapley values; the rest is explained by surrogate trees.
    pub exact_share: f64,
    /// Share of the variance that the surrogate trees reproduce on rows that they did not learn from, above 0; none
    /// without surrogate trees.
    pub surrogate_fidelity: Option<f64>,
    /// Largest deviation of the sum of contributions from the margin.
    pub max_additivity_error: f64,
}

/// A badly predicted row.
#[derive(Debug, Clone, Serialize)]
pub struct WorstRow {
    /// Row of the file, 0-based.
    pub row_index: u64,
    /// Its label.
    pub actual: String,
    /// Its prediction.
    pub prediction: String,
    /// Log loss, or absolute error.
    pub loss: f64,
    /// The cells of the most important columns.
    pub cells: Vec<CellReport>,
}

/// A cell as text.
#[derive(Debug, Clone, Serialize)]
pub struct CellReport {
    pub column: String,
    pub value: String,
}
