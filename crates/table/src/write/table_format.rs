//! The formats that a table is written in.

use serde::Deserialize;

/// What the Parquet file of a table can be converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum TableFormat {
    /// What [`CsvWriter`] or [`write_table_csv`](crate::write_table_csv) would have written, byte for byte.
    Csv,
    /// One array of objects, one a row; NaN is null.
    Json,
    /// The same objects, each on a line of its own.
    Jsonl,
}
