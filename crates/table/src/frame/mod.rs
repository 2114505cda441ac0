//! A whole table: every column, as numbers or as text.
//!
//! The columns are read once, as if each were one of numbers; a column that turns out to hold texts beside numbers
//! that are not written in their shortest form is read again, so that its texts are those of the file, byte for byte.

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

/// All columns of a table, in the order of the file. Nothing is decided about what a column means.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// Names as in the header, each once; a column without one that has a value is `column_` and its place, from 1.
    pub names: Vec<String>,
    /// A column a name, all of `rows` cells.
    pub columns: Vec<FrameColumn>,
    /// Rows of data.
    pub rows: usize,
    /// Columns whose values are no plain ones that can be read: they have no value here.
    pub unreadable: Vec<Unreadable>,
}

/// A column that is there and cannot be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Unreadable {
    /// Its place among the columns.
    pub column: usize,
    /// Why, for a caller that cannot do without it.
    pub error: ContentError,
}

/// The cells of one column.
#[derive(Debug, Clone, PartialEq)]
pub enum FrameColumn {
    /// Every cell is a number or missing (NaN). Infinite numbers are missing, and so are `none`, `-` and `?`.
    Numbers(Vec<f64>),
    /// Some cell is neither a number nor a word for a missing value. Digits that are a code (`007`, `+49`, too long
    /// for a double) are no number.
    Texts(TextColumn),
}

/// Cells as numbers of distinct texts. Blanks around a text do not count.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextColumn {
    /// A text a cell, [`TextColumn::MISSING`] where there is none: where the cell is empty, or `NA`, `N/A`, `NaN`,
    /// `null`.
    pub codes: Vec<u32>,
    /// The distinct texts in the order of their first row.
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
    /// Place of a column by its name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }
}
