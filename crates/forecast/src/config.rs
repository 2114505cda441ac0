use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use tabcast_calendar::Frequency;
use tabcast_table::{
    Columns, Compression, ContentError, FileFormat, HierarchyColumns, Kind, Limits, TimestampFormat,
};

use crate::covariates::engineered::Recipe;
use crate::reconciliation::Reconciliation;
use crate::{ExplainOptions, ExternalOptions, Failure, FeatureEngineering, Preset, ReconciliationOptions};

/// A forecast request. [`Config::resolve`] is the one place that checks it and fills in defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[ts(rename = "DatasetOptions")]
pub struct Options {
    /// The dataset: local files, read as one table in this order.
    pub input_paths: Vec<PathBuf>,
    /// The declared format of the files.
    pub format: FileFormat,
    /// Compression of text files; none when absent.
    pub compression: Option<Compression>,
    /// Sheet of a spreadsheet; the first when absent.
    pub sheet: Option<String>,
    /// The roles of the columns.
    pub columns: Columns,
    /// Steps to forecast.
    pub prediction_length: usize,
    /// How much work to spend on each series.
    pub preset: Preset,
    /// Pandas alias; inferred from the timestamps when absent.
    pub freq: Option<String>,
    /// In any order, repetitions allowed; 0.1 to 0.9 when empty.
    pub quantile_levels: Vec<f64>,
    /// How the output table writes timestamps.
    pub timestamp_format: TimestampFormat,
    /// How the quantile columns are named.
    pub quantile_column_style: QuantileColumnStyle,
    /// Caps that are enforced while the file is read.
    pub limits: Limits,
    /// Cap on horizon times number of series.
    pub max_forecast_points: u64,
    /// Cap on the size of the forecast table as CSV in bytes, estimated from the lengths of the item ids.
    pub max_output_bytes: u64,
    /// Threads that this run may use; results do not depend on it.
    pub threads: usize,
    /// Wall time that the run should keep to. When it runs short, the remaining series are forecast with the preset
    /// `fast`; only then do results depend on the speed of the machine. None: no limit.
    #[serde(rename = "budgetSeconds", default, deserialize_with = "seconds")]
    #[ts(as = "Option<f64>")]
    pub budget: Option<Duration>,
    /// Seconds of a core that a shard should take, about; see [`plan`](crate::plan). The row groups of the table depend
    /// on it.
    #[serde(default = "shard_seconds")]
    #[ts(as = "Option<f64>", optional)]
    pub shard_seconds: f64,
    /// Coherent forecasts of all sums of a hierarchy. None: only the series are forecast.
    pub reconciliation: Option<ReconciliationOptions>,
    /// Calendar and history features that the global models learn from. None: the presets choose their own.
    pub feature_engineering: Option<FeatureEngineering>,
    /// Analyses of the forecast; [`Output`](crate::Output) names their folder. None: no analyses.
    pub explain: Option<ExplainOptions>,
    /// Covariates that are not in the file. None: there are none.
    pub external: Option<ExternalOptions>,
    /// A model that [`fine_tune`](crate::fine_tune) wrote; if set, the preset is ignored.
    pub model_path: Option<PathBuf>,
    /// Whether [`check`](crate::check) checks for fine-tuning; then covariates need not cover the horizon.
    pub is_training: bool,
    /// Whether the trees of all series take part where the preset has them; false to measure their benefit.
    #[serde(skip, default = "takes_part")]
    #[ts(skip)]
    pub global_member: bool,
}

/// How the columns of quantiles are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
pub enum QuantileColumnStyle {
    /// `0.1`
    Raw,
    /// `q0.1`
    Prefixed,
}

/// Seconds that a run should keep to; a number too large for a duration means no limit.
pub(crate) fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let seconds = Option::<f64>::deserialize(deserializer)?;
    Ok(seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()))
}

fn takes_part() -> bool {
    true
}

/// Long enough that reading and joining a shard costs little, short enough that a lost one is soon done again.
fn shard_seconds() -> f64 {
    45.0
}

impl Options {
    /// The preset `balanced` on one thread, with default columns, caps and table style. The format follows from the
    /// file extension; CSV if the extension is unknown.
    pub fn new(input_path: impl Into<PathBuf>, prediction_length: usize) -> Self {
        let input_path = input_path.into();
        let extension = input_path.extension().and_then(|extension| extension.to_str());
        Self {
            format: extension.and_then(FileFormat::from_name).unwrap_or(FileFormat::Csv),
            input_paths: vec![input_path],
            compression: None,
            sheet: None,
            columns: Columns::default(),
            prediction_length,
            preset: Preset::Balanced,
            freq: None,
            quantile_levels: Vec::new(),
            timestamp_format: TimestampFormat::Pandas,
            quantile_column_style: QuantileColumnStyle::Raw,
            limits: Limits::default(),
            max_forecast_points: 50_000_000,
            max_output_bytes: 1 << 34,
            threads: 1,
            budget: None,
            shard_seconds: shard_seconds(),
            reconciliation: None,
            feature_engineering: None,
            explain: None,
            external: None,
            model_path: None,
            is_training: false,
            global_member: true,
        }
    }
}

/// [`Options`] after every check and default.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Config {
    #[serde(skip)]
    pub(crate) input_paths: Vec<PathBuf>,
    pub(crate) format: FileFormat,
    pub(crate) compression: Option<Compression>,
    pub(crate) sheet: Option<String>,
    pub(crate) columns: Columns,
    pub(crate) horizon: usize,
    pub(crate) preset: Preset,
    pub(crate) frequency: Option<Frequency>,
    pub(crate) levels: Vec<f64>,
    pub(crate) timestamp_format: TimestampFormat,
    pub(crate) prefixed: bool,
    pub(crate) limits: Limits,
    pub(crate) max_forecast_points: u64,
    pub(crate) max_output_bytes: u64,
    pub(crate) threads: usize,
    #[serde(skip)]
    pub(crate) budget: Option<Duration>,
    pub(crate) shard_seconds: f64,
    #[serde(skip)]
    pub(crate) reconciliation: Option<Reconciliation>,
    /// None if the request has no such block, or has switched everything off.
    pub(crate) recipe: Option<Recipe>,
    pub(crate) explain: Option<ExplainOptions>,
    #[serde(skip)]
    pub(crate) external: Option<ExternalOptions>,
    #[serde(skip)]
    pub(crate) model_path: Option<PathBuf>,
    pub(crate) is_training: bool,
    pub(crate) global_member: bool,
}

/// Nobody reads more levels, and each costs a column.
const MAX_LEVELS: usize = 99;
const DEFAULT_LEVELS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

impl Config {
    /// Checks `options` and fills in the defaults.
    ///
    /// # Errors
    ///
    /// A content error for an unknown frequency alias, because the client's alias arrives here unchecked;
    /// [`Failure::Options`] for everything that the caller should have refused.
    pub fn resolve(options: Options) -> Result<Self, Failure> {
        if options.prediction_length == 0 {
            return Err(Failure::Options("prediction_length must be at least 1".to_owned()));
        }
        require_inputs(&options.input_paths)?;
        let reconciliation = options.reconciliation.map(Reconciliation::resolve).transpose()?;
        let recipe = options.feature_engineering.as_ref().map(Recipe::of).transpose()?.flatten();
        let mut columns = options.columns;
        columns.hierarchy = reconciliation.as_ref().and_then(hierarchy_columns);
        Ok(Self {
            format: options.format,
            compression: options.compression,
            sheet: options.sheet,
            preset: options.preset,
            frequency: options.freq.as_deref().map(parse_frequency).transpose()?,
            levels: resolve_levels(options.quantile_levels)?,
            timestamp_format: options.timestamp_format,
            prefixed: options.quantile_column_style == QuantileColumnStyle::Prefixed,
            input_paths: options.input_paths,
            columns,
            horizon: options.prediction_length,
            limits: options.limits,
            max_forecast_points: options.max_forecast_points,
            max_output_bytes: options.max_output_bytes,
            threads: options.threads.max(1),
            budget: options.budget,
            shard_seconds: options.shard_seconds,
            reconciliation,
            recipe,
            explain: options.explain.map(ExplainOptions::resolve).transpose().map_err(Failure::Options)?,
            external: options.external,
            model_path: options.model_path,
            is_training: options.is_training,
            global_member: options.global_member,
        })
    }

    /// The thread pool of this run.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        pool(self.threads)
    }

    /// Names of the quantile columns in order: the shortest decimal, preceded by `q` in the prefixed style.
    pub fn quantile_columns(&self) -> Vec<String> {
        let prefix = if self.prefixed { "q" } else { "" };
        self.levels.iter().map(|level| format!("{prefix}{level}")).collect()
    }
}

/// A pool of some threads for one call.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .thread_name(|index| format!("forecast-{index}"))
        .build()
        .map_err(|error| Failure::io("starting threads")(std::io::Error::other(error)))
}

/// What the reader needs to know about a hierarchy whose levels are columns.
fn hierarchy_columns(reconciliation: &Reconciliation) -> Option<HierarchyColumns> {
    (!reconciliation.columns.is_empty()).then(|| HierarchyColumns {
        columns: reconciliation.columns.clone(),
        separator: reconciliation.separator.clone(),
        total_label: reconciliation.total_label.clone(),
    })
}

pub(crate) fn require_inputs(paths: &[PathBuf]) -> Result<(), Failure> {
    if paths.is_empty() { Err(Failure::Options("input_paths must name a file".to_owned())) } else { Ok(()) }
}

pub(crate) fn parse_frequency(alias: &str) -> Result<Frequency, Failure> {
    Frequency::parse(alias).map_err(|error| {
        ContentError::new("invalid_frequency", Kind::Content, error.to_string())
            .suggestion("Use a pandas alias such as h, D, B, W-SUN, MS, ME, QS or YS, or leave freq out.")
            .into()
    })
}

fn resolve_levels(mut levels: Vec<f64>) -> Result<Vec<f64>, Failure> {
    if levels.is_empty() {
        return Ok(DEFAULT_LEVELS.to_vec());
    }
    if let Some(level) = levels.iter().find(|&&level| !(level > 0.0 && level < 1.0)) {
        return Err(Failure::Options(format!("quantile level {level} is not between 0 and 1")));
    }
    levels.sort_unstable_by(f64::total_cmp);
    levels.dedup();
    if levels.len() > MAX_LEVELS {
        return Err(Failure::Options(format!("{} quantile levels are more than {MAX_LEVELS}", levels.len())));
    }
    Ok(levels)
}
