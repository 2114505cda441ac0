//! Requests of calls whose functions take more than one argument.

use std::path::PathBuf;

use serde::Deserialize;
use tabcast_forecast::{JoinOptions, Options, Output};
use tabcast_table::{FileFormat, TableFormat};

/// A forecast, and the destinations of its files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[derive(ts_rs::TS)]
pub(crate) struct ForecastRequest {
    pub(crate) options: Options,
    pub(crate) output: Output,
}

/// A forecast in shards.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[derive(ts_rs::TS)]
pub(crate) struct PlanRequest {
    pub(crate) options: Options,
    /// Where the files go if there is a single shard.
    pub(crate) output: Output,
    /// An empty folder for the plan and the rows of its shards.
    pub(crate) folder: PathBuf,
}

/// The parts of a forecast, and the destinations of its files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[derive(ts_rs::TS)]
pub(crate) struct JoinRequest {
    pub(crate) options: JoinOptions,
    pub(crate) output: Output,
}

/// A classification or regression, and the destinations of its files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[derive(ts_rs::TS)]
pub(crate) struct TabularRequest {
    pub(crate) options: tabcast_tabular::Options,
    pub(crate) output: tabcast_tabular::Output,
}

/// A conversion of a table that exists as Parquet.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
pub(crate) struct ConvertOptions {
    /// A table that the engine wrote.
    pub(crate) parquet_path: PathBuf,
    /// The file to write.
    pub(crate) path: PathBuf,
    /// `json` is an array of objects, `jsonl` one object per line.
    pub(crate) format: TableFormat,
}

/// Some columns of a file. All names are distinct.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
pub(crate) struct ReadColumnsOptions {
    /// A local file.
    pub(crate) input_path: PathBuf,
    /// The declared format of the file.
    pub(crate) format: FileFormat,
    /// Columns of times.
    pub(crate) times: Vec<String>,
    /// Columns of numbers.
    pub(crate) numbers: Vec<String>,
    /// Caps for the whole file.
    pub(crate) limits: ColumnLimits,
    /// Threads of this call; results do not depend on it.
    pub(crate) threads: usize,
}

/// Caps of a file without series.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[expect(clippy::struct_field_names, reason = "the names of the limits")]
pub(crate) struct ColumnLimits {
    /// Maximum number of data rows.
    pub(crate) max_rows: u64,
    /// Maximum number of columns.
    pub(crate) max_columns: usize,
    /// Maximum number of characters in a cell.
    pub(crate) max_cell_chars: usize,
}
