//! The report of a job as data: what `report.json` holds, and what pages and tables are made from.

use std::collections::BTreeMap;

use serde::Serialize;
use tabcast_table::Warning;

/// Everything that a run has to say.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Version of this shape.
    pub v: u32,
    /// `binary`, `multiclass`, `regression` or `quantile`.
    pub problem_type: &'static str,
    /// `train_evaluate` or `train_predict`.
    pub inference_mode: &'static str,
    /// A neutral name.
    pub model_name: &'static str,
    /// The label column.
    pub label: String,
    /// Rows by what became of them.
    pub counts: Counts,
    /// How rows were divided.
    pub split: SplitReport,
    /// Classes with their rows, the most frequent first; none in a regression.
    pub classes: Option<Vec<ClassReport>>,
    /// Columns of the table and what was decided about each.
    pub columns: Vec<ColumnReport>,
    /// Members, the best first.
    pub leaderboard: Vec<MemberReport>,
    /// What `loss` of the leaderboard is.
    pub loss_name: &'static str,
    /// `test` or `cross_validation`.
    pub evaluated_on: &'static str,
    /// Rows that were evaluated.
    pub evaluated_rows: usize,
    /// Measures with 95 % intervals (of the accuracy after Wilson, of the others by the bootstrap), beside the
    /// baseline (shares of the classes, or the mean) and the linear member.
    pub metrics: Vec<MetricReport>,
    /// Of a classification.
    pub calibration: Option<CalibrationReport>,
    /// Of a classification.
    pub confusion: Option<ConfusionReport>,
    /// Of a regression.
    pub residuals: Option<ResidualReport>,
    /// Shares of the columns, descending: the fifty greatest, and the rest as `__other__`. Empty where nothing is
    /// known of them.
    pub importance: Vec<FeatureShare>,
    /// How far the importance is exact.
    pub explanation: ExplanationReport,
    /// The evaluated rows with the largest losses.
    pub worst_rows: Vec<WorstRow>,
    /// What the sender should know.
    pub warnings: Vec<Warning>,
    /// Seconds by stage.
    pub timings: BTreeMap<&'static str, f64>,
    /// SHA-256 of the table.
    pub dataset_hash: String,
    /// Version of this engine.
    pub engine_version: &'static str,
}

/// Rows by what became of them.
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
    /// Share of the labelled rows that was learned from.
    pub train_ratio: f64,
    /// Folds that every row is held back in once; 1: one part is held back.
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
    /// The column of the table of predictions that has its probability.
    pub column: String,
}

/// A column and what was decided about it.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnReport {
    /// Its name.
    pub name: String,
    /// What it was taken for.
    pub role: &'static str,
    /// Distinct values.
    pub distinct: usize,
    /// Rows without one.
    pub missing: usize,
    /// Why, in sentences.
    pub notes: Vec<String>,
}

/// A member of the ensemble.
#[derive(Debug, Clone, Serialize)]
pub struct MemberReport {
    /// A neutral name.
    pub member: &'static str,
    /// On the rows that the folds held back.
    pub loss: f64,
    /// Share in the prediction.
    pub weight: f64,
    /// Of learning, all folds.
    pub seconds: f64,
}

/// A measure of the evaluated rows.
#[derive(Debug, Clone, Serialize)]
pub struct MetricReport {
    /// Its name.
    pub name: &'static str,
    /// None: not defined for these rows.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Of the shares of the classes, or of the mean.
    pub baseline: Option<f64>,
    /// Of the linear member alone.
    pub linear: Option<f64>,
}

/// Whether probabilities were adjusted, and how they compare with what happened.
#[derive(Debug, Clone, Serialize)]
pub struct CalibrationReport {
    /// `temperature`, or none where it did not help.
    pub method: Option<&'static str>,
    /// Log loss of held-back rows without.
    pub before: Option<f64>,
    /// Log loss of held-back rows that the adjustment was not fitted on.
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

/// Rows by actual (outer) and predicted (inner) class.
#[derive(Debug, Clone, Serialize)]
pub struct ConfusionReport {
    pub labels: Vec<String>,
    pub counts: Vec<Vec<u64>>,
}

/// Predictions beside actual values, and how the intervals did.
#[derive(Debug, Clone, Serialize)]
pub struct ResidualReport {
    /// Some of the evaluated rows.
    pub points: Vec<ResidualPoint>,
    /// Share of the evaluated rows between the 0.1 and 0.9 quantiles.
    pub coverage_80: f64,
    /// Mean distance of the two.
    pub width_80: f64,
}

/// A row.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ResidualPoint {
    pub predicted: f64,
    pub actual: f64,
}

/// A column's share in the predictions.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FeatureShare {
    pub feature: String,
    pub share: f64,
}

/// How far the importance is exact.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ExplanationReport {
    /// Share of the prediction whose Shapley values are exact; the rest is explained by trees that reproduce it.
    pub exact_share: f64,
    /// Share of the variance that these trees reproduce on rows that they did not learn from, above 0; none
    /// where there are no such trees.
    pub surrogate_fidelity: Option<f64>,
    /// Largest deviation of a sum of contributions from the margin.
    pub max_additivity_error: f64,
}

/// A row that was predicted badly.
#[derive(Debug, Clone, Serialize)]
pub struct WorstRow {
    /// Row of the file, from 0.
    pub row_index: u64,
    /// Its label.
    pub actual: String,
    /// What was predicted.
    pub prediction: String,
    /// Log loss, or absolute error.
    pub loss: f64,
    /// The most important columns.
    pub cells: Vec<CellReport>,
}

/// A cell as text.
#[derive(Debug, Clone, Serialize)]
pub struct CellReport {
    pub column: String,
    pub value: String,
}
