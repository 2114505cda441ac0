//! The beginning of a CSV file, for people who want to see what they sent.

mod detect;
mod encoding;
mod records;

use std::path::PathBuf;

use detect::detect;
use serde::{Deserialize, Serialize};

use crate::column_profile::is_boolean;
use crate::number::{Number, parse_number};
use crate::refusals::empty_file;
use crate::{ContentError, ReadError, sniff};

pub use encoding::Encoding;
use records::{find_delimiter, read_records};

/// Whole numbers up to here are exact in a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// One preview.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PreviewOptions {
    /// A file with the first bytes of the table.
    #[serde(rename = "inputPath")]
    pub path: PathBuf,
    /// Whether the table goes on behind them, be it in the middle of a character.
    pub cut: bool,
    /// Rows to give at most.
    pub max_rows: usize,
    /// Columns that a table may have.
    pub max_columns: usize,
}

/// The first rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TablePreview"))]
pub struct Preview {
    /// Names, without the blanks around them.
    pub columns: Vec<String>,
    /// As many cells each as there are columns.
    pub rows: Vec<Vec<PreviewCell>>,
    /// The table goes on behind these rows.
    pub truncated: bool,
    /// What separates the cells.
    pub delimiter: char,
    /// How the characters are written.
    pub encoding: Encoding,
    /// What cells are quoted with; `None` where none is.
    pub quote: Option<char>,
    /// What the columns may be for.
    pub detected: Detected,
}

/// What a cell says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum PreviewCell {
    /// Nothing.
    Empty,
    /// `true` or `false`.
    Boolean(bool),
    /// A finite number that keeps its digits as a double.
    Number(f64),
    /// Anything else, as it is written.
    Text(String),
}

/// Columns by what they look like; guesses, and `None` where there is nothing to guess from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DetectedColumns"))]
pub struct Detected {
    /// When.
    pub timestamp: Option<String>,
    /// What was observed.
    pub target: Option<String>,
    /// Which series.
    pub item_id: Option<String>,
    /// Canonical alias.
    pub frequency: Option<String>,
}

/// Reads the beginning of a table, whatever its encoding and delimiter; what is only the beginning of a record is
/// left out.
///
/// It is more lenient than [`read_panel`](crate::read_panel): rows may have too few or too many cells.
///
/// # Errors
/// [`ReadError::Content`] for what is no delimited text (415), has no header (400), or too many columns (413); else
/// `Io`.
pub fn preview(options: &PreviewOptions) -> Result<Preview, ReadError> {
    let bytes = std::fs::read(&options.path)?;
    preview_bytes(&bytes, options).map_err(ReadError::Content)
}

fn preview_bytes(bytes: &[u8], options: &PreviewOptions) -> Result<Preview, Box<ContentError>> {
    let PreviewOptions { cut, max_rows, max_columns, .. } = *options;
    let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if let Some(error) = sniff::foreign_to_csv(bytes).filter(|_| !is_utf16) {
        return Err(Box::new(error));
    }
    let (text, encoding) = encoding::decode(bytes, cut)?;
    let text = text.trim_start_matches([' ', '\n', '\r']);
    if text.trim().is_empty() {
        return Err(Box::new(empty_file()));
    }
    let delimiter = find_delimiter(text, cut, max_columns);
    let records = read_records(text, cut, delimiter, max_columns)?;
    let rows = records.rows.iter().take(max_rows).map(|row| {
        let cells = row.iter().map(|cell| PreviewCell::of(cell)).chain(std::iter::repeat(PreviewCell::Empty));
        cells.take(records.header.len()).collect()
    });
    Ok(Preview {
        rows: rows.collect(),
        truncated: cut || records.rest || records.rows.len() > max_rows,
        delimiter: char::from(delimiter),
        encoding,
        quote: records.quoted.then_some('"'),
        detected: detect(&records),
        columns: records.header.into_iter().map(std::borrow::Cow::into_owned).collect(),
    })
}

impl PreviewCell {
    fn of(cell: &str) -> PreviewCell {
        let trimmed = cell.trim();
        if trimmed.is_empty() {
            return PreviewCell::Empty;
        }
        if let Some(value) = is_boolean(trimmed.as_bytes()) {
            return PreviewCell::Boolean(value);
        }
        match parse_number(trimmed.as_bytes()) {
            Number::Value(value) if value.abs() <= EXACT && !is_code(trimmed) => PreviewCell::Number(value),
            _ => PreviewCell::Text(cell.to_owned()),
        }
    }
}

/// Whether digits are a name rather than a number: `007`, `+49`.
fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    digits.first() == Some(&b'+') || (digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit())
}
