//! The formats of written tables.

use serde::Deserialize;

/// A format to which a table's Parquet file can be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
pub enum TableFormat {
    /// The bytes that [`CsvWriter`] or [`write_table_csv`](crate::write_table_csv) would have written.
    Csv,
    /// One array of objects, one per row; NaN is null.
    Json,
    /// The same objects, each on a line of its own.
    Jsonl,
}
