//! Requests of calls whose functions take more than one argument.

use std::path::PathBuf;

use serde::Deserialize;
use tabcast_forecast::{Options, Output};
use tabcast_table::{FileFormat, TableFormat};

/// A forecast, and where its files go.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub(crate) struct ForecastRequest {
    pub(crate) options: Options,
    pub(crate) output: Output,
}

/// A classification or regression, and where its files go.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub(crate) struct TabularRequest {
    pub(crate) options: tabcast_tabular::Options,
    pub(crate) output: tabcast_tabular::Output,
}

/// Another format of a table that exists as Parquet.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub(crate) struct ConvertOptions {
    /// A table that the engine wrote.
    pub(crate) parquet_path: PathBuf,
    /// The file to make.
    pub(crate) path: PathBuf,
    /// `json` is an array of objects, `jsonl` an object a line.
    pub(crate) format: TableFormat,
}

/// Some columns of a file. All names are distinct.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub(crate) struct ReadColumnsOptions {
    /// A local file.
    pub(crate) input_path: PathBuf,
    /// What the file is said to be.
    pub(crate) format: FileFormat,
    /// Columns that say when.
    pub(crate) times: Vec<String>,
    /// Columns of numbers.
    pub(crate) numbers: Vec<String>,
    /// Caps of the whole file.
    pub(crate) limits: ColumnLimits,
    /// Threads of this call; results do not depend on it.
    pub(crate) threads: usize,
}

/// Caps of a file without series.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[expect(clippy::struct_field_names, reason = "the names of the limits")]
pub(crate) struct ColumnLimits {
    /// Data rows.
    pub(crate) max_rows: u64,
    /// Columns.
    pub(crate) max_columns: usize,
    /// Characters of a cell.
    pub(crate) max_cell_chars: usize,
}
