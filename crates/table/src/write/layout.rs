//! Columns, rows and errors of a table to write.

use std::fs::File;
use std::{fmt, io};

use serde::{Deserialize, Serialize};
use tabcast_calendar::Micros;

/// The form of timestamps in CSV and their type in Parquet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
pub enum TimestampFormat {
    /// `YYYY-MM-DD hh:mm:ss`; in Parquet, microseconds not adjusted to UTC.
    Pandas,
    /// `YYYY-MM-DDThh:mm:ss+00:00`; in Parquet, microseconds adjusted to UTC.
    Iso8601,
}

/// Columns of the table, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Name of the item id column.
    pub item_id: String,
    /// Name of the timestamp column.
    pub timestamp: String,
    /// Names of the value columns (`mean`, then one per quantile level).
    pub values: Vec<String>,
    /// How timestamps are rendered.
    pub timestamp_format: TimestampFormat,
}

/// Consecutive rows of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'a> {
    /// The item.
    pub id: &'a str,
    /// Number of rows.
    pub rows: usize,
}

/// Rows to append: every column has as many rows as all runs together.
#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    /// Item ids.
    pub runs: &'a [Run<'a>],
    /// Timestamps.
    pub timestamps: &'a [Micros],
    /// One slice per value column of the layout.
    pub values: &'a [&'a [f64]],
}

/// A finished file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "WrittenFile")]
pub struct Written {
    /// Its size in bytes, compared with the file system's.
    pub bytes: u64,
    /// Data rows.
    pub rows: u64,
}

/// Why a table could not be written.
#[derive(Debug)]
pub enum WriteError {
    /// The disk or the file system failed.
    Io(io::Error),
    /// The cancel flag was set.
    Cancelled,
    /// The chunk does not fit the layout, or the Parquet file to convert was not written by [`ParquetWriter`].
    Invalid(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Io(error) => error.fmt(f),
            WriteError::Cancelled => f.write_str("cancelled"),
            WriteError::Invalid(message) => f.write_str(message),
        }
    }
}
impl std::error::Error for WriteError {}
impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> WriteError {
        WriteError::Io(error)
    }
}

impl Chunk<'_> {
    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.timestamps.len()
    }

    /// Refuses a chunk whose columns do not fit each other or the layout.
    pub(crate) fn check(&self, layout: &Layout) -> Result<(), WriteError> {
        let run_rows: usize = self.runs.iter().map(|run| run.rows).sum();
        let fits = self.values.len() == layout.values.len()
            && run_rows == self.rows()
            && self.values.iter().all(|column| column.len() == self.rows());
        if fits {
            Ok(())
        } else {
            Err(WriteError::Invalid("the chunk's columns do not fit the layout".into()))
        }
    }
}

/// Compares the number of bytes written with the size in the file system.
pub(crate) fn written(file: &File, bytes: u64, rows: u64) -> Result<Written, WriteError> {
    let found = file.metadata()?.len();
    if found != bytes {
        let message = format!("wrote {bytes} bytes, but the file has {found}");
        return Err(WriteError::Io(io::Error::new(io::ErrorKind::WriteZero, message)));
    }
    Ok(Written { bytes, rows })
}
