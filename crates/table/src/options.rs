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
    /// The binary spreadsheets of Excel 5 to 2003.
    Xls,
    /// Office Open XML spreadsheets.
    Xlsx,
    /// An array of objects, one a row.
    Json,
    /// An object a line, one a row.
    Jsonl,
}

/// How a text file (CSV, JSON or JSONL) is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Gzip, of one member or several.
    Gzip,
    /// Zstandard, of one frame or several.
    Zstd,
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
    /// What identifies the series in place of the item id, if it is given.
    pub hierarchy: Option<HierarchyColumns>,
}

/// Columns whose values are, from top to bottom, the path of a series in a tree.
///
/// The id of a series is then the composite: the values of its path, joined by the separator. The item id column may be
/// absent; where it is there, it must be one-to-one with the composite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyColumns {
    /// 1 to 20 names, the top of the tree first.
    pub columns: Vec<String>,
    /// Stands between the values of a composite, and within none of them.
    pub separator: String,
    /// Id of the grand total, which no other node may have.
    pub total_label: String,
}

impl Default for Columns {
    fn default() -> Columns {
        Columns {
            item_id: "item_id".into(),
            timestamp: "timestamp".into(),
            target: "target".into(),
            covariates: Vec::new(),
            hierarchy: None,
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
    /// The files, which are read as one table in this order.
    pub paths: Vec<PathBuf>,
    /// What the files are said to be.
    pub format: FileFormat,
    /// How they are packed; only text is.
    pub compression: Option<Compression>,
    /// Which sheet of a spreadsheet to read; the first when it is not given.
    pub sheet: Option<String>,
    /// Which columns play which role.
    pub columns: Columns,
    /// Caps.
    pub limits: Limits,
    /// Threads to read with; the result does not depend on it.
    pub threads: usize,
    /// Set by another thread to stop the read.
    pub cancel: &'a AtomicBool,
}
