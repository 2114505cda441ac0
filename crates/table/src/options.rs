//! What to read, with limits.
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tabcast_calendar::DateOrder;

use crate::{ContentError, Kind};

/// Readable file formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
pub enum FileFormat {
    /// Delimited text (comma, semicolon, tab or bar) in UTF-8.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// The binary spreadsheets of Excel 5 to 2003.
    Xls,
    /// Office Open XML spreadsheets.
    Xlsx,
    /// An array of objects, one per row.
    Json,
    /// One object per line, one per row.
    Jsonl,
}

/// The compression of a text file (CSV, JSON or JSONL).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
pub enum Compression {
    /// Gzip, with one or several members.
    Gzip,
    /// Zstandard, with one or several frames.
    Zstd,
}

impl FileFormat {
    /// The format for its name in requests, which is the usual file extension.
    pub fn from_name(name: &str) -> Option<FileFormat> {
        match name {
            "csv" => Some(FileFormat::Csv),
            "json" => Some(FileFormat::Json),
            "jsonl" => Some(FileFormat::Jsonl),
            "parquet" => Some(FileFormat::Parquet),
            "xls" => Some(FileFormat::Xls),
            "xlsx" => Some(FileFormat::Xlsx),
            _ => None,
        }
    }
}

/// Names of the columns of a panel.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "DatasetColumns")]
pub struct Columns {
    /// The column that names the series.
    pub item_id: String,
    /// The column of times.
    pub timestamp: String,
    /// The column of observations.
    pub target: String,
    /// Columns that may help to forecast the target; columns that are not named are not read.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub covariates: Vec<String>,
    /// The hierarchy that identifies the series instead of the item id, if given. In requests it is a separate block.
    #[serde(skip)]
    #[ts(skip)]
    pub hierarchy: Option<HierarchyColumns>,
}

/// Columns whose values form, from top to bottom, the path of a series in a tree.
///
/// The id of a series is then the composite: the values of its path, joined by the separator. The item id column may be
/// absent; if it exists, it must be one-to-one with the composite.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
pub struct HierarchyColumns {
    /// 1 to 20 names, the top of the tree first.
    pub columns: Vec<String>,
    /// 1 to 16 characters between the values of a composite, which no value contains.
    pub separator: String,
    /// Id of the grand total, which no other node may have.
    pub total_label: String,
}

impl HierarchyColumns {
    /// Maximum number of levels below the grand total.
    const MAX_COLUMNS: usize = 20;
    /// Maximum length of a separator in characters; every composite repeats it.
    const MAX_SEPARATOR: usize = 16;

    /// Refuses settings whose composites could not be split again, or would be much larger than the file.
    pub(crate) fn check(&self) -> Result<(), Box<ContentError>> {
        let (most, longest) = (Self::MAX_COLUMNS, Self::MAX_SEPARATOR);
        let reason = if !(1..=most).contains(&self.columns.len()) {
            format!("A hierarchy has 1 to {most} columns, not {}", self.columns.len())
        } else if !(1..=longest).contains(&self.separator.chars().count()) || self.separator.contains('\0') {
            format!("The separator of a hierarchy has 1 to {longest} characters")
        } else if self.total_label.is_empty() {
            "The total_label of a hierarchy has a character at least".to_owned()
        } else {
            return Ok(());
        };
        let error = ContentError::new("invalid_hierarchy", Kind::Content, reason);
        Err(error.suggestion("Correct hierarchy_columns, separator or total_label.").into())
    }
}

impl Columns {
    /// The columns of the hierarchy, top to bottom; empty if the item id identifies the series.
    pub(crate) fn levels(&self) -> &[String] {
        self.hierarchy.as_ref().map_or(&[], |hierarchy| &hierarchy.columns)
    }

    /// The level of the hierarchy that is also the item id.
    pub(crate) fn item_id_level(&self) -> Option<usize> {
        self.levels().iter().position(|name| *name == self.item_id)
    }
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

/// Caps that are enforced while reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "TableLimits")]
pub struct Limits {
    /// Maximum number of data rows.
    pub max_rows: u64,
    /// Maximum number of columns of the file, used or not.
    pub max_columns: usize,
    /// Maximum number of distinct item ids.
    pub max_series: usize,
    /// Maximum number of characters in a cell.
    pub max_cell_chars: usize,
    /// Number of data rows after which a reader stops as if the file ended there; more rows are then no error. `None`:
    /// it reads all.
    #[ts(optional = nullable)]
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

/// A place for the rows of tables that are larger than memory. Columns of covariates stay in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scratch {
    /// An existing folder. Files in it have no name, and are gone when the rows are dropped.
    pub folder: PathBuf,
    /// Number of rows that each thread keeps in memory before it uses the folder.
    pub after_rows: usize,
}

/// A read request.
#[derive(Debug, Clone)]
pub struct ReadOptions<'a> {
    /// The files, read as one table in this order.
    pub paths: Vec<PathBuf>,
    /// The declared format of the files.
    pub format: FileFormat,
    /// Their compression; only text can be compressed.
    pub compression: Option<Compression>,
    /// The sheet of a spreadsheet; the first if not given.
    pub sheet: Option<String>,
    /// The roles of the columns.
    pub columns: Columns,
    /// The order of dates whose year comes last; `None`: it is found from all dates of the time column.
    pub date_order: Option<DateOrder>,
    /// Caps.
    pub limits: Limits,
    /// Where the rows of a large table may lie; `None`: in memory.
    pub scratch: Option<Scratch>,
    /// Threads for reading; the result does not depend on it.
    pub threads: usize,
    /// Set by another thread to stop the read.
    pub cancel: &'a AtomicBool,
}
