//! What to read, and how much of it at most.
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// File formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// Delimited text (comma, semicolon, tab or bar) in UTF-8.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// Names of the columns that a panel is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// Which series a row belongs to.
    pub item_id: String,
    /// When it was observed.
    pub timestamp: String,
    /// What was observed.
    pub target: String,
    /// What may explain it; columns that are not named are not read.
    pub covariates: Vec<String>,
}

impl Default for Columns {
    fn default() -> Columns {
        Columns {
            item_id: "item_id".into(),
            timestamp: "timestamp".into(),
            target: "target".into(),
            covariates: Vec::new(),
        }
    }
}

/// Caps that hold while reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Data rows.
    pub max_rows: u64,
    /// Columns of the file, used or not.
    pub max_columns: usize,
    /// Distinct item ids.
    pub max_series: usize,
    /// Characters of one cell.
    pub max_cell_chars: usize,
    /// Data rows after which a reader stops as if the file ended there; more rows are no error then. `None`: it reads all.
    pub stop_after: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_rows: 200_000_000,
            max_columns: 500,
            max_series: 2_000_000,
            max_cell_chars: 32_768,
            stop_after: None,
        }
    }
}

/// One read.
#[derive(Debug, Clone)]
pub struct ReadOptions<'a> {
    /// The file.
    pub path: PathBuf,
    /// What the file is said to be.
    pub format: FileFormat,
    /// Which columns play which role.
    pub columns: Columns,
    /// Caps.
    pub limits: Limits,
    /// Threads to read with; the result does not depend on it.
    pub threads: usize,
    /// Set by another thread to stop the read.
    pub cancel: &'a AtomicBool,
}
