use std::path::PathBuf;

use serde::Deserialize;
use tabcast_table::{
    Columns, Compression, FileFormat, HierarchyColumns, InspectOptions, Inspection, Limits, ReadOptions,
};

use crate::config::{parse_frequency, require_inputs};
use crate::run::stages;
use crate::{Control, Failure};

/// A dataset to inspect; [`inspect`] checks the frequency alias.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[ts(rename = "InspectOptions")]
pub struct InspectionOptions {
    /// The dataset: local files, read as one table in this order.
    pub input_paths: Vec<PathBuf>,
    /// Of a spreadsheet, the first sheet is read.
    pub format: FileFormat,
    /// Compression of text files; none when absent.
    pub compression: Option<Compression>,
    /// The roles of the columns; the covariates are those declared as known for the future.
    pub columns: Columns,
    /// Columns that identify the series of a row; none: the item id column does.
    pub hierarchy: Option<HierarchyColumns>,
    /// Pandas alias that the data should have; none: any.
    pub freq: Option<String>,
    /// Caps, and the row after which reading stops.
    pub limits: Limits,
    /// Threads for reading; the outcome does not depend on it.
    pub threads: usize,
}

/// Reads the dataset and reports every check of its content. [`check`](crate::check) accepts a dataset that fails none
/// of them, up to the checks that need a horizon.
///
/// # Errors
///
/// A content error for an unknown frequency alias and for a file that is no dataset at all; `Options` and `Io`.
pub fn inspect(options: InspectionOptions, control: &Control) -> Result<Inspection, Failure> {
    require_inputs(&options.input_paths)?;
    let frequency = options.freq.as_deref().map(parse_frequency).transpose()?;
    let read = ReadOptions {
        format: options.format,
        compression: options.compression,
        // The first sheet of a spreadsheet is read.
        sheet: None,
        paths: options.input_paths,
        columns: Columns { hierarchy: options.hierarchy, ..options.columns },
        date_order: None,
        limits: options.limits,
        scratch: None,
        threads: options.threads,
        cancel: control.cancel_flag(),
    };
    control.enter(stages::INGEST);
    Ok(tabcast_table::inspect(&InspectOptions { read, frequency })?)
}
