//! A whole table: every column as numbers or as texts.
//!
//! The columns are first read as if they were numeric. A column that turns out to mix texts with numbers that are not
//! in their shortest form is read again, so that its texts are those of the file, byte for byte.

mod columns;
mod csv;
mod hash;
mod names;
mod options;
mod parquet;
mod part;
mod read;
mod resolve;
mod rows;
mod taker;
mod texts;

use crate::ContentError;
pub use columns::{Wanted, WantedColumn, WantedColumns, WrongCells, column_names, read_columns};
pub use hash::frame_hash;
pub use options::FrameOptions;
pub use read::read_frame;
pub(crate) use read::{Taken, take_rows};
pub(crate) use taker::{Stretch, TakeRows};
pub(crate) use texts::{Class, Texts, classify};

/// All columns of a table, in the order of the file. The meaning of the columns is left open.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// Names as in the header, without duplicates; an unnamed column with values is `column_` and its position,
    /// 1-based.
    pub names: Vec<String>,
    /// One column per name, each with `rows` cells.
    pub columns: Vec<FrameColumn>,
    /// Number of data rows.
    pub rows: usize,
    /// Columns of unsupported types; they have no values here.
    pub unreadable: Vec<Unreadable>,
}

/// A column that exists but cannot be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Unreadable {
    /// Its index among the columns.
    pub column: usize,
    /// The error, for a caller that needs the column.
    pub error: ContentError,
}

/// The cells of one column.
#[derive(Debug, Clone, PartialEq)]
pub enum FrameColumn {
    /// Every cell is a number or missing (NaN). Infinite numbers, `none`, `-` and `?` are missing.
    Numbers(Vec<f64>),
    /// Some cell is neither a number nor a word for a missing value. Digits that form a code (`007`, `+49`, too long
    /// for a double) are not numbers.
    Texts(TextColumn),
}

/// Cells as indices of distinct texts. Blanks around a text do not count.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextColumn {
    /// One text index per cell; [`TextColumn::MISSING`] if the cell is empty, `NA`, `N/A`, `NaN` or `null`.
    pub codes: Vec<u32>,
    /// The distinct texts in order of first appearance.
    pub texts: Vec<Box<str>>,
}

impl TextColumn {
    /// The code of an empty cell.
    pub const MISSING: u32 = u32::MAX;

    /// The text of a row, if it has one.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.texts.get(self.codes[row] as usize).map(|text| &**text)
    }
}

impl Frame {
    /// Index of a column, by its name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }
}
