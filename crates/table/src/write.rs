//! Writing a forecast table.
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::{fmt, io};

use tabcast_calendar::Micros;

/// How CSV cells and the Parquet type render a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimestampFormat {
    /// `YYYY-MM-DD hh:mm:ss`; in Parquet microseconds that are not adjusted to UTC.
    Pandas,
    /// `YYYY-MM-DDThh:mm:ss+00:00`; in Parquet microseconds adjusted to UTC.
    Iso8601,
}

/// Columns of the table, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Name of the item id column.
    pub item_id: String,
    /// Name of the timestamp column.
    pub timestamp: String,
    /// Names of the value columns (`mean`, then one a quantile level).
    pub values: Vec<String>,
    /// How timestamps are rendered.
    pub timestamp_format: TimestampFormat,
}

/// Consecutive rows of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'a> {
    /// The item.
    pub id: &'a str,
    /// How many rows.
    pub rows: usize,
}

/// Rows to append: every column has as many rows as the runs together.
#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    /// Item ids.
    pub runs: &'a [Run<'a>],
    /// Timestamps.
    pub timestamps: &'a [Micros],
    /// One slice for each of the layout's value columns.
    pub values: &'a [&'a [f64]],
}

/// A finished file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Its size, compared with the file system's.
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
    /// The chunk does not fit the layout, or the Parquet file to convert is not one that [`ParquetWriter`] wrote.
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

/// Writes CSV: LF, RFC 4180 quoting, UTF-8 without mark, shortest doubles that read back equal.
#[derive(Debug)]
pub struct CsvWriter {}

impl CsvWriter {
    /// Creates the file and writes the header; above `max_bytes` the file is given up and removed.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(_path: &Path, _layout: &Layout, _max_bytes: u64) -> Result<CsvWriter, WriteError> {
        unimplemented!()
    }

    /// Appends rows; does nothing once the file was given up.
    ///
    /// # Errors
    /// When the disk does not take them or the chunk does not fit the layout.
    pub fn write(&mut self, _chunk: &Chunk) -> Result<(), WriteError> {
        unimplemented!()
    }

    /// Flushes and closes; `None` when the file was given up.
    ///
    /// # Errors
    /// When the disk does not take the rest, or the file is not as long as what was written.
    pub fn finish(self) -> Result<Option<Written>, WriteError> {
        unimplemented!()
    }
}

/// Writes Parquet: zstd, a dictionary for item ids, one row group for about a million rows.
#[derive(Debug)]
pub struct ParquetWriter {}

impl ParquetWriter {
    /// Creates the file.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(_path: &Path, _layout: &Layout) -> Result<ParquetWriter, WriteError> {
        unimplemented!()
    }

    /// Appends rows.
    ///
    /// # Errors
    /// When the disk does not take them or the chunk does not fit the layout.
    pub fn write(&mut self, _chunk: &Chunk) -> Result<(), WriteError> {
        unimplemented!()
    }

    /// Writes the footer and closes.
    ///
    /// # Errors
    /// When the disk does not take the rest, or the file is not as long as what was written.
    pub fn finish(self) -> Result<Written, WriteError> {
        unimplemented!()
    }
}

/// Makes the CSV that [`CsvWriter`] would have written, byte for byte, from the file of a [`ParquetWriter`].
///
/// # Errors
/// When either file fails, the Parquet file has another layout, or `cancel` was set.
pub fn csv_from_parquet(_parquet: &Path, _csv: &Path, _cancel: &AtomicBool) -> Result<Written, WriteError> {
    unimplemented!()
}
