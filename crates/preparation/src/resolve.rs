//! What is asked for, as a request has it.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use tabcast_calendar::Frequency;
use tabcast_table::{Columns, Compression, ContentError, FileFormat, FrameOptions, Kind, Limits};

use crate::{
    Aggregate, AnomalyHandling, Failure, MissingHandling, Operator, Options, Preparation, RowFilter,
};

/// A preparation before its names are looked up. [`Request::resolve`] is the one place that does.
#[derive(Debug, Clone)]
pub struct Request {
    /// The dataset: files that are one table, in this order.
    pub input_paths: Vec<PathBuf>,
    /// `csv`, `json`, `jsonl`, `parquet`, `xls` or `xlsx`.
    pub format: String,
    /// `gzip` or `zstd`, of files that are text.
    pub compression: Option<String>,
    /// Which sheet of a spreadsheet; the first when absent.
    pub sheet: Option<String>,
    /// Which columns play which role.
    pub columns: Columns,
    /// Pandas alias of the data's step; inferred where it is needed and absent.
    pub freq: Option<String>,
    /// Caps that hold while the files are read.
    pub limits: Limits,
    /// Threads that this call may use; results do not depend on it.
    pub threads: usize,
    /// Column, name of the operator, and values of each filter.
    pub filters: Vec<(String, String, Vec<String>)>,
    /// Columns that name the series in place of the item id.
    pub series_columns: Option<Vec<String>>,
    /// Pandas alias of the steps that rows are combined into.
    pub step: Option<String>,
    /// Name of an [`Aggregate`].
    pub aggregate: String,
    /// Name of the [`Aggregate`] of rows of one time; as `aggregate` when absent.
    pub across: Option<String>,
    /// Name of a [`MissingHandling`].
    pub missing: String,
    /// Name of an [`AnomalyHandling`].
    pub anomalies: String,
    /// The Parquet file to write.
    pub output: PathBuf,
}

impl Request {
    /// Looks all names up.
    ///
    /// # Errors
    /// A content error for an alias that is no frequency, [`Failure::Options`] for any other name that there is not.
    pub fn resolve(self, cancel: &AtomicBool) -> Result<Options<'_>, Failure> {
        let filters = self.filters.into_iter().map(|(column, op, values)| {
            Ok(RowFilter { column, op: named("operator", &op, Operator::from_name)?, values })
        });
        let aggregate = |name: &str| named("aggregate", name, Aggregate::from_name);
        let preparation = Preparation {
            filters: filters.collect::<Result<_, Failure>>()?,
            series_columns: self.series_columns,
            step: self.step.as_deref().map(frequency).transpose()?,
            aggregate: aggregate(&self.aggregate)?,
            across: self.across.as_deref().map(aggregate).transpose()?,
            missing: named("handling of missing steps", &self.missing, MissingHandling::from_name)?,
            anomalies: named("handling of anomalies", &self.anomalies, AnomalyHandling::from_name)?,
        };
        let packing = |name: &str| named("compression", name, Compression::from_name);
        let input = FrameOptions {
            paths: self.input_paths,
            format: named("format", &self.format, FileFormat::from_name)?,
            compression: self.compression.as_deref().map(packing).transpose()?,
            sheet: self.sheet,
            limits: self.limits,
            threads: self.threads,
            cancel,
        };
        let freq = self.freq.as_deref().map(frequency).transpose()?;
        Ok(Options { input, columns: self.columns, freq, preparation, output: self.output })
    }
}

fn named<T>(what: &str, name: &str, find: impl Fn(&str) -> Option<T>) -> Result<T, Failure> {
    find(name).ok_or_else(|| Failure::Options(format!("no {what} is called {name:?}")))
}

fn frequency(alias: &str) -> Result<Frequency, Failure> {
    Frequency::parse(alias).map_err(|error| {
        ContentError::new("invalid_frequency", Kind::Content, error.to_string())
            .suggestion("Use a pandas alias such as h, D, B, W-SUN, MS, ME, QS or YS.")
            .into()
    })
}
