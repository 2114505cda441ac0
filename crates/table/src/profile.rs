//! What the cells of a column look like, whatever the column is for.

use tabcast_calendar::parse_timestamp;

use crate::number::{Number, parse_number};
use crate::parquet_file::profile as profile_parquet;
use crate::read::open;
use crate::{FileFormat, ReadError, ReadOptions, csv};

/// What the cells of a column have in common; whole numbers are no type of their own, because one fraction would change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Every value is a timestamp, and not a plain number.
    Timestamp,
    /// Every value is a number.
    Number,
    /// Every value is `true` or `false`.
    Boolean,
    /// Anything else that can be read.
    Text,
    /// There is no value.
    Empty,
    /// Lists, structures and other Parquet types that no reader takes.
    Other,
}

impl ColumnType {
    /// The name that reports carry.
    pub fn name(self) -> &'static str {
        match self {
            ColumnType::Timestamp => "timestamp",
            ColumnType::Number => "number",
            ColumnType::Boolean => "boolean",
            ColumnType::Text => "text",
            ColumnType::Empty => "empty",
            ColumnType::Other => "other",
        }
    }
}

/// The first rows of a column.
#[derive(Debug, Default)]
pub(crate) struct ColumnProfile {
    pub(crate) name: String,
    /// What the file itself says.
    pub(crate) declared: Option<ColumnType>,
    empty: u64,
    /// Words for a missing value: nulls among numbers, texts among texts.
    words: u64,
    numbers: u64,
    booleans: u64,
    timestamps: u64,
    texts: u64,
}

impl ColumnProfile {
    pub(crate) fn new(name: impl Into<String>) -> ColumnProfile {
        ColumnProfile { name: name.into(), ..ColumnProfile::default() }
    }

    /// A column that no reader takes.
    pub(crate) fn other(name: impl Into<String>) -> ColumnProfile {
        ColumnProfile { declared: Some(ColumnType::Other), ..ColumnProfile::new(name) }
    }

    /// Looks at a cell of a text format.
    pub(crate) fn observe_text(&mut self, cell: &[u8]) {
        self.observe(parse_number(cell), cell);
    }

    /// Looks at a cell with the text that it has if it is no number.
    pub(crate) fn observe(&mut self, number: Number, text: &[u8]) {
        let text = text.trim_ascii();
        match number {
            Number::Null if text.is_empty() => self.empty += 1,
            Number::Null => self.words += 1,
            Number::Value(_) | Number::NonFinite => self.numbers += 1,
            Number::Text if is_boolean(text).is_some() => self.booleans += 1,
            // Most texts are of one kind: those that follow a text that is no timestamp need not be parsed.
            Number::Text if self.texts == 0 && parse_timestamp(text).is_some() => self.timestamps += 1,
            Number::Text => self.texts += 1,
        }
    }

    pub(crate) fn column_type(&self) -> ColumnType {
        if let Some(declared) = self.declared {
            return declared;
        }
        let seen = [self.numbers, self.booleans, self.timestamps, self.texts].map(|count| count > 0);
        match seen {
            [false, false, false, false] => ColumnType::Empty,
            // The readers take yes and no among numbers for 1 and 0.
            [true, _, false, false] => ColumnType::Number,
            [false, true, false, false] => ColumnType::Boolean,
            [false, false, true, false] => ColumnType::Timestamp,
            _ => ColumnType::Text,
        }
    }

    pub(crate) fn nulls(&self) -> u64 {
        match self.column_type() {
            ColumnType::Text | ColumnType::Other => self.empty,
            _ => self.empty + self.words,
        }
    }
}

/// Whether a cell says yes or no.
pub(crate) fn is_boolean(text: &[u8]) -> Option<bool> {
    if text.eq_ignore_ascii_case(b"true") {
        Some(true)
    } else {
        text.eq_ignore_ascii_case(b"false").then_some(false)
    }
}

/// All columns of the file, by its first `rows` rows.
pub(crate) fn profile(options: &ReadOptions, rows: u64) -> Result<Vec<ColumnProfile>, ReadError> {
    let (file, start, bytes) = open(&options.path)?;
    match options.format {
        FileFormat::Csv => csv::profile(file, &start, options, rows),
        FileFormat::Parquet => profile_parquet(file, &start, bytes, options, rows),
    }
}
