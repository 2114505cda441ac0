//! Resolves a preparation request.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::Deserialize;
use tabcast_calendar::Frequency;
use tabcast_table::{
    Columns, Compression, ContentError, FileFormat, FrameOptions, HierarchyColumns, Kind, Limits,
};

use crate::{Aggregate, AnomalyHandling, Failure, MissingHandling, Options, Preparation, RowFilter};

/// A preparation whose aliases are not resolved yet. [`Request::resolve`] is the one place that resolves them.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[ts(rename = "PreparationRequest")]
pub struct Request {
    /// The dataset: files that form one table, in this order.
    pub input_paths: Vec<PathBuf>,
    /// The declared format of the files.
    pub format: FileFormat,
    /// Compression of text files.
    pub compression: Option<Compression>,
    /// Sheet of a spreadsheet; the first when absent.
    pub sheet: Option<String>,
    /// The roles of the columns.
    pub columns: Columns,
    /// Columns that name the series instead of the item id, and are kept; none: the item id names them.
    pub hierarchy: Option<HierarchyColumns>,
    /// Pandas alias of the data's step; inferred if it is needed and absent.
    pub freq: Option<String>,
    /// Caps that are enforced while the files are read.
    pub limits: Limits,
    /// Threads that this call may use; results do not depend on it.
    pub threads: usize,
    /// A row is used if all of them hold.
    pub filters: Vec<RowFilter>,
    /// Columns whose values together name a series instead of the item id; empty: all rows are one series.
    pub series_columns: Option<Vec<String>>,
    /// Pandas alias of the steps that rows are combined into.
    pub step: Option<String>,
    /// How targets of one series and step are aggregated.
    pub aggregate: Aggregate,
    /// How targets of one series and time are aggregated before that; as `aggregate` when absent.
    pub across: Option<Aggregate>,
    /// How to treat steps without a value.
    pub missing: MissingHandling,
    /// How to treat anomalies.
    pub anomalies: AnomalyHandling,
    /// The Parquet file to write.
    pub output: PathBuf,
}

impl Request {
    /// Resolves the aliases.
    ///
    /// # Errors
    ///
    /// A content error for an alias that is no frequency.
    pub fn resolve(self, cancel: &AtomicBool) -> Result<Options<'_>, Failure> {
        let preparation = Preparation {
            filters: self.filters,
            series_columns: self.series_columns,
            step: self.step.as_deref().map(frequency).transpose()?,
            aggregate: self.aggregate,
            across: self.across,
            missing: self.missing,
            anomalies: self.anomalies,
        };
        let input = FrameOptions {
            paths: self.input_paths,
            format: self.format,
            compression: self.compression,
            sheet: self.sheet,
            limits: self.limits,
            threads: self.threads,
            cancel,
        };
        let freq = self.freq.as_deref().map(frequency).transpose()?;
        let columns = Columns { hierarchy: self.hierarchy, ..self.columns };
        Ok(Options { input, columns, freq, preparation, output: self.output })
    }
}

fn frequency(alias: &str) -> Result<Frequency, Failure> {
    Frequency::parse(alias).map_err(|error| {
        ContentError::new("invalid_frequency", Kind::Content, error.to_string())
            .suggestion("Use a pandas alias such as h, D, B, W-SUN, MS, ME, QS or YS.")
            .into()
    })
}
