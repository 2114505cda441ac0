//! `checkTabular` and `tabular`: a table in; predictions, metrics and a report out.

use std::sync::Arc;
use std::time::Duration;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_table::Limits;
use tabcast_tabular::{Config, Control, Failure, Options, Output, Summary};

use crate::check::EngineWarning;
use crate::failure::EngineFailure;
use crate::forecast::Timings;
use crate::guarded::guarded;
use crate::options::ExplainOptions;
use crate::task_handle::TaskHandle;

/// A table to learn from.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct TableOptions {
    /// Local files, which are one table in this order.
    pub input_paths: Vec<String>,
    /// `csv`, `json`, `jsonl`, `parquet`, `xls` or `xlsx`.
    pub format: String,
    /// `gzip` or `zstd`, of files that are text; missing: they are not packed.
    pub compression: Option<String>,
    /// Which sheet of a spreadsheet; missing: the first.
    pub sheet: Option<String>,
    /// Threads of this call; results do not depend on it.
    pub threads: u32,
    /// Caps that hold while the file is read.
    pub limits: TableLimitOptions,
    /// What is to be learned.
    pub spec: TabularSpecOptions,
    /// What is to be analysed; missing: nothing.
    pub explain: Option<ExplainOptions>,
}

/// Caps that hold while a table is read.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct TableLimitOptions {
    /// Data rows.
    pub max_rows: f64,
    /// Columns of the file.
    pub max_columns: f64,
    /// Characters of a cell.
    pub max_cell_chars: f64,
}

/// What is to be learned.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct TabularSpecOptions {
    /// `classification` or `regression`.
    pub task: String,
    /// What is to be predicted.
    pub label_column: String,
    /// `auto`; `binary` or `multiclass` of a classification; `regression` or `quantile` of a regression.
    pub problem_type: String,
    /// `auto`, `train_evaluate` or `train_predict`.
    pub inference_mode: String,
    /// Share of the labelled rows that an evaluation learns from.
    pub train_split_ratio: f64,
    /// Share of the rows that each fold holds back.
    pub validation_holdout_ratio: f64,
    /// Column by whose order rows are split; missing: at random.
    pub time_column: Option<String>,
}

/// Where the results go.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct TabularOutput {
    /// The predictions as Parquet.
    pub parquet_path: String,
    /// The predictions as CSV.
    pub csv_path: String,
    /// The CSV is given up once it would grow beyond this many bytes.
    pub max_csv_bytes: f64,
    /// The metrics as JSON.
    pub metrics_path: String,
    /// The report as JSON.
    pub report_path: String,
    /// Folder, which exists, for `analyses.json` and the tables of the analyses; missing: nothing is analysed.
    pub analyses_dir: Option<String>,
    /// Wall clock that the run should keep to, seconds.
    pub budget_seconds: f64,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct CheckTabularReply {
    /// What is in the table.
    pub value: Option<CheckedTable>,
    /// What is wrong with it.
    pub error: Option<EngineFailure>,
}

/// A table that can be learned from.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct CheckedTable {
    /// Data rows.
    pub rows: f64,
    /// Columns of the file.
    pub columns: f64,
    /// Rows with a label.
    pub labeled_rows: f64,
    /// What the sender should know.
    pub warnings: Vec<EngineWarning>,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct TabularReply {
    /// What was done.
    pub value: Option<TabularSummary>,
    /// Why there are no predictions.
    pub error: Option<EngineFailure>,
}

/// What a finished run has to say; the predictions are in the files.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct TabularSummary {
    /// Data rows.
    pub num_samples: f64,
    /// Rows with a label.
    pub labeled_row_count: f64,
    /// Rows without one.
    pub unlabeled_row_count: f64,
    /// Rows of the predictions.
    pub predicted_row_count: f64,
    /// `binary`, `multiclass`, `regression` or `quantile`.
    pub problem_type: String,
    /// `train_evaluate` or `train_predict`.
    pub inference_mode: String,
    /// Missing: a regression.
    pub accuracy: Option<f64>,
    /// On rows that were held back.
    pub metrics: TabularMetrics,
    /// Descending; the 50 greatest, and the rest as `__other__`.
    pub feature_importance: Vec<FeatureShare>,
    /// What the models are called.
    pub model_name: String,
    /// SHA-256 of the table's canonical content, in hexadecimal.
    pub dataset_hash: String,
    /// Seconds by stage.
    pub timings: Timings,
    /// What the sender should know.
    pub warnings: Vec<EngineWarning>,
    /// Whether the CSV was written.
    pub csv_written: bool,
}

/// Missing: of the other task, or not defined for these rows.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct TabularMetrics {
    /// Share of the rows whose most likely class is the right one.
    pub accuracy: Option<f64>,
    /// Mean over the classes of the share of their rows that are found.
    pub balanced_accuracy: Option<f64>,
    /// Mean negative logarithm of the probability of the right class.
    pub log_loss: Option<f64>,
    /// Area under the receiver operating characteristic; of several classes the mean, each against the rest.
    pub roc_auc: Option<f64>,
    /// Share of the variance that is explained.
    pub r2: Option<f64>,
    /// Root mean squared error, in units of the label.
    pub rmse: Option<f64>,
    /// Mean absolute error, in units of the label.
    pub mae: Option<f64>,
}

/// A column and its part in what sets the predictions apart.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct FeatureShare {
    /// Name of the column.
    pub feature: String,
    /// 0 to 1.
    pub share: f64,
}

impl TableOptions {
    fn resolve(self, budget: Option<Duration>) -> Result<Config, Failure> {
        Config::resolve(Options {
            input_paths: self.input_paths.into_iter().map(Into::into).collect(),
            format: self.format,
            compression: self.compression,
            sheet: self.sheet,
            problem_type: self.spec.problem_type,
            inference_mode: self.spec.inference_mode,
            train_split_ratio: self.spec.train_split_ratio,
            validation_holdout_ratio: self.spec.validation_holdout_ratio,
            time_column: self.spec.time_column,
            limits: Limits {
                max_rows: self.limits.max_rows as u64,
                max_columns: self.limits.max_columns as usize,
                max_cell_chars: self.limits.max_cell_chars as usize,
                ..Limits::default()
            },
            threads: self.threads as usize,
            budget,
            explain: self.explain.map(Into::into),
            ..Options::new("", &self.spec.task, &self.spec.label_column)
        })
    }
}

impl From<Summary> for TabularSummary {
    fn from(summary: Summary) -> Self {
        let report = summary.report;
        let metric = |name: &str| {
            report.metrics.iter().find(|metric| metric.name == name).and_then(|metric| metric.value)
        };
        let seconds = |stage: &str| report.timings.get(stage).copied().unwrap_or_default();
        Self {
            num_samples: report.counts.num_samples as f64,
            labeled_row_count: report.counts.labeled as f64,
            unlabeled_row_count: report.counts.unlabeled as f64,
            predicted_row_count: report.counts.predicted as f64,
            problem_type: summary.problem_type.name().to_owned(),
            inference_mode: summary.inference_mode.name().to_owned(),
            accuracy: metric("accuracy"),
            metrics: TabularMetrics {
                accuracy: metric("accuracy"),
                balanced_accuracy: metric("balanced_accuracy"),
                log_loss: metric("log_loss"),
                roc_auc: metric("roc_auc"),
                r2: metric("r2"),
                rmse: metric("rmse"),
                mae: metric("mae"),
            },
            timings: Timings {
                ingest: seconds("ingest"),
                validate: seconds("validate"),
                fit: seconds("fit"),
                predict: seconds("combine") + seconds("evaluate"),
                reconcile: None,
                explain: report.timings.get("explain").copied(),
                write: seconds("write"),
            },
            feature_importance: report
                .importance
                .into_iter()
                .map(|share| FeatureShare { feature: share.feature, share: share.share })
                .collect(),
            model_name: report.model_name.to_owned(),
            dataset_hash: report.dataset_hash,
            warnings: report
                .warnings
                .into_iter()
                .map(|warning| EngineWarning {
                    code: warning.code.to_owned(),
                    message: warning.message,
                    count: warning.count as f64,
                })
                .collect(),
            csv_written: summary.csv_written,
        }
    }
}

/// One call of `checkTabular`.
#[derive(Debug)]
pub struct CheckTabularTask {
    options: Option<TableOptions>,
    control: Arc<Control>,
}

impl CheckTabularTask {
    fn work(&mut self) -> Result<CheckedTable, Box<EngineFailure>> {
        let Some(options) = self.options.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        let (profile, warnings) = guarded(|| tabcast_tabular::check(&options.resolve(None)?, &self.control))?;
        Ok(CheckedTable {
            rows: profile.rows as f64,
            columns: profile.columns as f64,
            labeled_rows: profile.labeled_rows as f64,
            warnings: warnings.into_iter().map(EngineWarning::from).collect(),
        })
    }
}

#[napi]
impl Task for CheckTabularTask {
    type Output = CheckTabularReply;
    type JsValue = CheckTabularReply;

    fn compute(&mut self) -> napi::Result<CheckTabularReply> {
        Ok(match self.work() {
            Ok(value) => CheckTabularReply { value: Some(value), error: None },
            Err(error) => CheckTabularReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: CheckTabularReply) -> napi::Result<CheckTabularReply> {
        Ok(output)
    }
}

/// One call of `tabular`.
#[derive(Debug)]
pub struct TabularTask {
    work: Option<(TableOptions, TabularOutput)>,
    control: Arc<Control>,
}

impl TabularTask {
    fn work(&mut self) -> Result<TabularSummary, Box<EngineFailure>> {
        let Some((options, output)) = self.work.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        let budget = Duration::try_from_secs_f64(output.budget_seconds).ok();
        let output = Output {
            parquet_path: output.parquet_path.into(),
            csv_path: output.csv_path.into(),
            max_csv_bytes: output.max_csv_bytes as u64,
            metrics_path: output.metrics_path.into(),
            report_path: output.report_path.into(),
            analyses_dir: output.analyses_dir.map(Into::into),
        };
        guarded(|| tabcast_tabular::run(&options.resolve(budget)?, &output, &self.control))
            .map(TabularSummary::from)
    }
}

#[napi]
impl Task for TabularTask {
    type Output = TabularReply;
    type JsValue = TabularReply;

    fn compute(&mut self) -> napi::Result<TabularReply> {
        Ok(match self.work() {
            Ok(value) => TabularReply { value: Some(value), error: None },
            Err(error) => TabularReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: TabularReply) -> napi::Result<TabularReply> {
        Ok(output)
    }
}

/// Reads the table and says what is in it or what is wrong with it.
#[napi(catch_unwind)]
pub fn check_tabular(options: TableOptions, task: &TaskHandle) -> AsyncTask<CheckTabularTask> {
    AsyncTask::new(CheckTabularTask { options: Some(options), control: task.tabular_control() })
}

/// Learns from the labelled rows of a table, predicts, and writes predictions, metrics and report.
#[napi(catch_unwind)]
pub fn tabular(options: TableOptions, output: TabularOutput, task: &TaskHandle) -> AsyncTask<TabularTask> {
    AsyncTask::new(TabularTask { work: Some((options, output)), control: task.tabular_control() })
}
