//! What to read, and how much of it at most.
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::Deserialize;
use tabcast_calendar::DateOrder;

use crate::{ContentError, Kind};

/// File formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Compression {
    /// Gzip, of one member or several.
    Gzip,
    /// Zstandard, of one frame or several.
    Zstd,
}

impl FileFormat {
    /// The format by its name in requests, which is the usual ending of such files.
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

/// Names of the columns that a panel is made of.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DatasetColumns"))]
pub struct Columns {
    /// Which series a row belongs to.
    pub item_id: String,
    /// When it was observed.
    pub timestamp: String,
    /// What was observed.
    pub target: String,
    /// What may explain it; columns that are not named are not read.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub covariates: Vec<String>,
    /// What identifies the series in place of the item id, if it is given. In requests it has a place of its own.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub hierarchy: Option<HierarchyColumns>,
}

/// Columns whose values are, from top to bottom, the path of a series in a tree.
///
/// The id of a series is then the composite: the values of its path, joined by the separator. The item id column may be
/// absent; where it is there, it must be one-to-one with the composite.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HierarchyColumns {
    /// 1 to 20 names, the top of the tree first.
    pub columns: Vec<String>,
    /// 1 to 16 characters that stand between the values of a composite, and within none of them.
    pub separator: String,
    /// Id of the grand total, which no other node may have.
    pub total_label: String,
}

impl HierarchyColumns {
    /// Levels below the grand total.
    const MAX_COLUMNS: usize = 20;
    /// Characters of a separator, which every composite repeats.
    const MAX_SEPARATOR: usize = 16;

    /// Refuses what would make composites that nobody can take apart, or that are much larger than the file.
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
    /// The columns of the hierarchy, top to bottom; none where the item id identifies the series.
    pub(crate) fn levels(&self) -> &[String] {
        self.hierarchy.as_ref().map_or(&[], |hierarchy| &hierarchy.columns)
    }

    /// The level of the hierarchy that is the item id as well.
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

/// Caps that hold while reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TableLimits"))]
pub struct Limits {
    /// Data rows.
    pub max_rows: u64,
    /// Columns of the file, used or not.
    pub max_columns: usize,
    /// Distinct item ids.
    pub max_series: usize,
    /// Characters of one cell.
    pub max_cell_chars: usize,
    /// Data rows after which a reader stops as if the file ended there; more rows are no error then. `None`: it reads
    /// all.
    #[cfg_attr(feature = "typescript", ts(optional = nullable))]
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
    /// The order of dates whose year comes last; `None`: all dates of the time column tell.
    pub date_order: Option<DateOrder>,
    /// Caps.
    pub limits: Limits,
    /// Threads to read with; the result does not depend on it.
    pub threads: usize,
    /// Set by another thread to stop the read.
    pub cancel: &'a AtomicBool,
}
