//! The formats that a table is written in.

/// What the Parquet file of a table can be converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// What [`CsvWriter`] or [`write_table_csv`](crate::write_table_csv) would have written, byte for byte.
    Csv,
    /// One array of objects, one a row; NaN is null.
    Json,
    /// The same objects, each on a line of its own.
    Jsonl,
}

impl TableFormat {
    /// The format of a name: `csv`, `json` or `jsonl`.
    pub fn parse(name: &str) -> Option<TableFormat> {
        match name {
            "csv" => Some(TableFormat::Csv),
            "json" => Some(TableFormat::Json),
            "jsonl" => Some(TableFormat::Jsonl),
            _ => None,
        }
    }
}
