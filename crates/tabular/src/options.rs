//! The options of a job on a table, before and after checks and defaults.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use tabcast_analyses::ExplainOptions;
use tabcast_table::{Compression, FileFormat, Limits};

use crate::Failure;

/// A job request. [`Config::resolve`] is the one place that checks it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[ts(rename = "TableOptions")]
pub struct Options {
    /// The table: local files, read as one table in this order.
    pub input_paths: Vec<PathBuf>,
    /// The declared format of the files.
    pub format: FileFormat,
    /// Compression of text files; none when absent.
    pub compression: Option<Compression>,
    /// Sheet of a spreadsheet; the first when absent.
    pub sheet: Option<String>,
    /// `classification` or `regression`.
    pub task: String,
    /// The column to predict.
    pub label_column: String,
    /// `auto`; `binary` or `multiclass` for a classification; `regression` or `quantile` for a regression.
    pub problem_type: String,
    /// `auto`, `train_evaluate` or `train_predict`.
    pub inference_mode: String,
    /// Share of the labelled rows that an evaluation trains on, 0.5 to 0.95.
    pub train_split_ratio: f64,
    /// Share of the rows that each fold holds back, 0.05 to 0.5.
    pub validation_holdout_ratio: f64,
    /// Column by whose order rows are split, with the last ones held back; random when absent.
    pub time_column: Option<String>,
    /// Caps that are enforced while the file is read.
    pub limits: Limits,
    /// Threads that this run may use; results do not depend on it.
    pub threads: usize,
    /// Wall time that the run should keep to. When it runs short, fewer members take part; only then do results depend
    /// on the speed of the machine. None: no limit.
    #[serde(rename = "budgetSeconds", default, deserialize_with = "seconds")]
    #[ts(as = "Option<f64>")]
    pub budget: Option<Duration>,
    /// The analyses of the predictions; none when absent. Those that only suit a forecast do not apply to a table.
    pub explain: Option<ExplainOptions>,
    /// Which stages of the pipeline take part; all, except to measure a stage.
    #[serde(skip)]
    #[ts(skip)]
    pub extent: Extent,
    /// Rows of the table, 0-based, that an evaluation holds back instead of a random share.
    #[serde(skip)]
    #[ts(skip)]
    pub test_rows: Option<Vec<u32>>,
}

/// Which stages of the pipeline take part, each with all before it: the steps of an ablation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Extent {
    /// One boosted model, fitted on one fold.
    Single,
    /// The same model on every fold.
    Bagged,
    /// A second kind of trees, averaged.
    SecondKind,
    /// All members, averaged.
    Members,
    /// Weighted members.
    Weighted,
    /// Calibrated.
    #[default]
    Calibrated,
}

/// The kind of prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
pub enum ProblemType {
    /// One of two classes.
    Binary,
    /// One of several classes.
    Multiclass,
    /// The mean of a numeric label.
    Regression,
    /// The median of a numeric label, with quantiles that are learned directly.
    Quantile,
}

/// Which rows are predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
pub enum InferenceMode {
    /// Labelled rows that are held back.
    TrainEvaluate,
    /// Rows without a label.
    TrainPredict,
}

/// [`Options`] after every check.
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) input_paths: Vec<PathBuf>,
    pub(crate) format: FileFormat,
    pub(crate) compression: Option<Compression>,
    pub(crate) sheet: Option<String>,
    pub(crate) is_classification: bool,
    pub(crate) label_column: String,
    /// None: decided by the labels.
    pub(crate) problem_type: Option<ProblemType>,
    /// None: decided by whether labels are missing.
    pub(crate) inference_mode: Option<InferenceMode>,
    pub(crate) train_split_ratio: f64,
    pub(crate) validation_holdout_ratio: f64,
    pub(crate) time_column: Option<String>,
    pub(crate) limits: Limits,
    pub(crate) threads: usize,
    pub(crate) budget: Option<Duration>,
    pub(crate) explain: Option<ExplainOptions>,
    pub(crate) extent: Extent,
    pub(crate) test_rows: Option<Vec<u32>>,
}

/// Seconds that a run should keep to; a number too large for a duration means no limit.
fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let seconds = Option::<f64>::deserialize(deserializer)?;
    Ok(seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()))
}

impl Options {
    /// A job with defaults on one thread. The format follows from the file extension; CSV if the extension is unknown.
    pub fn new(input_path: impl Into<PathBuf>, task: &str, label_column: &str) -> Self {
        let input_path = input_path.into();
        let extension = input_path.extension().and_then(|extension| extension.to_str());
        Self {
            format: extension.and_then(FileFormat::from_name).unwrap_or(FileFormat::Csv),
            input_paths: vec![input_path],
            compression: None,
            sheet: None,
            task: task.to_owned(),
            label_column: label_column.to_owned(),
            problem_type: "auto".to_owned(),
            inference_mode: "train_evaluate".to_owned(),
            train_split_ratio: 0.8,
            validation_holdout_ratio: 0.2,
            time_column: None,
            limits: Limits::default(),
            threads: 1,
            budget: None,
            explain: None,
            extent: Extent::default(),
            test_rows: None,
        }
    }
}

impl Config {
    /// Checks the options.
    ///
    /// # Errors
    /// [`Failure::Options`] with the name of the wrong one.
    pub fn resolve(options: Options) -> Result<Self, Failure> {
        let wrong = |message: String| Err(Failure::Options(message));
        if options.input_paths.is_empty() {
            return wrong("input_paths must name a file".to_owned());
        }
        let is_classification = match options.task.as_str() {
            "classification" => true,
            "regression" => false,
            task => return wrong(format!("task is '{task}'")),
        };
        let problem_type = match (options.problem_type.as_str(), is_classification) {
            ("auto", _) => None,
            ("binary", true) => Some(ProblemType::Binary),
            ("multiclass", true) => Some(ProblemType::Multiclass),
            ("regression", false) => Some(ProblemType::Regression),
            ("quantile", false) => Some(ProblemType::Quantile),
            (other, _) => return wrong(format!("problem_type is '{other}' in a {}", options.task)),
        };
        let inference_mode = match options.inference_mode.as_str() {
            "auto" => None,
            "train_evaluate" => Some(InferenceMode::TrainEvaluate),
            "train_predict" => Some(InferenceMode::TrainPredict),
            other => return wrong(format!("inference_mode is '{other}'")),
        };
        if options.time_column.as_deref().map(str::trim) == Some(options.label_column.trim()) {
            return wrong("time_column is the label_column".to_owned());
        }
        for (name, value, low, high) in [
            ("train_split_ratio", options.train_split_ratio, 0.5, 0.95),
            ("validation_holdout_ratio", options.validation_holdout_ratio, 0.05, 0.5),
        ] {
            if !(low..=high).contains(&value) {
                return wrong(format!("{name} is {value}, not between {low} and {high}"));
            }
        }
        Ok(Self {
            input_paths: options.input_paths,
            format: options.format,
            compression: options.compression,
            sheet: options.sheet,
            is_classification,
            label_column: options.label_column,
            problem_type,
            inference_mode,
            train_split_ratio: options.train_split_ratio,
            validation_holdout_ratio: options.validation_holdout_ratio,
            time_column: options.time_column,
            limits: options.limits,
            threads: options.threads.max(1),
            budget: options.budget,
            explain: options.explain.map(ExplainOptions::resolve).transpose().map_err(Failure::Options)?,
            extent: options.extent,
            test_rows: options.test_rows,
        })
    }
}

impl ProblemType {
    /// The name in requests and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Multiclass => "multiclass",
            Self::Regression => "regression",
            Self::Quantile => "quantile",
        }
    }
}

impl InferenceMode {
    /// The name in requests and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::TrainEvaluate => "train_evaluate",
            Self::TrainPredict => "train_predict",
        }
    }
}
