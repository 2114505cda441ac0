use std::path::PathBuf;

use serde::Deserialize;
use tabcast_table::{
    Columns, Compression, FileFormat, HierarchyColumns, InspectOptions, Inspection, Limits, ReadOptions,
};

use crate::config::{parse_frequency, require_inputs};
use crate::run::stages;
use crate::{Control, Failure};

/// A dataset to inspect; the alias is checked here.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "InspectOptions"))]
pub struct InspectionOptions {
    /// The dataset: local files, which are one table in this order.
    pub input_paths: Vec<PathBuf>,
    /// Of a spreadsheet the first sheet is read.
    pub format: FileFormat,
    /// Of files that are text; none when absent.
    pub compression: Option<Compression>,
    /// Which columns play which role; the covariates are those that are said to be known for the future.
    pub columns: Columns,
    /// Columns that say which series a row belongs to; none: the item id column does.
    pub hierarchy: Option<HierarchyColumns>,
    /// Pandas alias that the data should keep to; none: any.
    pub freq: Option<String>,
    /// Caps, and the row after which the read ends.
    pub limits: Limits,
    /// Threads to read with; the outcome does not depend on it.
    pub threads: usize,
}

/// Reads the dataset and reports every check of its content: what fails none of them, [`check`](crate::check) takes,
/// up to the checks that need a horizon.
///
/// # Errors
///
/// A content error for a frequency alias that does not exist and for a file that is no dataset at all; `Options` and
/// `Io`.
pub fn inspect(options: InspectionOptions, control: &Control) -> Result<Inspection, Failure> {
    require_inputs(&options.input_paths)?;
    let frequency = options.freq.as_deref().map(parse_frequency).transpose()?;
    let read = ReadOptions {
        format: options.format,
        compression: options.compression,
        // Spreadsheets are read by their first sheet.
        sheet: None,
        paths: options.input_paths,
        columns: Columns { hierarchy: options.hierarchy, ..options.columns },
        date_order: None,
        limits: options.limits,
        threads: options.threads,
        cancel: control.cancel_flag(),
    };
    control.enter(stages::INGEST);
    Ok(tabcast_table::inspect(&InspectOptions { read, frequency })?)
}
