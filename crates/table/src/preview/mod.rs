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

/// Whole numbers up to this limit are exact as doubles.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A preview request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
pub struct PreviewOptions {
    /// A file with the first bytes of the table.
    #[serde(rename = "inputPath")]
    pub path: PathBuf,
    /// Whether the table continues after these bytes, possibly in the middle of a character.
    pub cut: bool,
    /// Maximum number of rows to return.
    pub max_rows: usize,
    /// Maximum number of columns of a table.
    pub max_columns: usize,
}

/// The first rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "TablePreview")]
pub struct Preview {
    /// Names, without blanks around them.
    pub columns: Vec<String>,
    /// Each row has as many cells as there are columns.
    pub rows: Vec<Vec<PreviewCell>>,
    /// Whether the table continues after these rows.
    pub truncated: bool,
    /// The delimiter of the cells.
    pub delimiter: char,
    /// The character encoding.
    pub encoding: Encoding,
    /// The quote of cells; `None` if no cell is quoted.
    pub quote: Option<char>,
    /// The likely roles of the columns.
    pub detected: Detected,
}

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[derive(ts_rs::TS)]
pub enum PreviewCell {
    /// Nothing.
    Empty,
    /// `true` or `false`.
    Boolean(bool),
    /// A finite number whose digits a double preserves.
    Number(f64),
    /// Anything else, as written.
    Text(String),
}

/// Guessed roles of columns; `None` if there is nothing to guess from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "DetectedColumns")]
pub struct Detected {
    /// The column of times.
    pub timestamp: Option<String>,
    /// The column of observations.
    pub target: Option<String>,
    /// The column that names the series.
    pub item_id: Option<String>,
    /// Canonical alias.
    pub frequency: Option<String>,
}

/// Reads the beginning of a table, whatever its encoding and delimiter; leaves out an incomplete last record.
///
/// It is more lenient than [`read_panel`](crate::read_panel): rows may have too few or too many cells.
///
/// # Errors
/// [`ReadError::Content`] for a file that is no delimited text (415), has no header (400), or has too many columns
/// (413); otherwise `Io`.
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

/// Whether digits form a code rather than a number: `007`, `+49`.
fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    digits.first() == Some(&b'+') || (digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit())
}
