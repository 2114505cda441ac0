//! The type of a column, found as its values are read.

use serde::Serialize;

use crate::dates::is_time;
use crate::number::{Number, parse_number};
use crate::value::Value;

/// The type of a column's cells. Whole numbers have no type of their own, because a single fraction would change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
pub enum ColumnType {
    /// Every value is a timestamp, and the values are not plain numbers.
    Timestamp,
    /// Every value is a number.
    Number,
    /// Every value is `true` or `false`.
    Boolean,
    /// Any other readable values.
    Text,
    /// There are no values.
    Empty,
    /// Lists, structures and other Parquet types that no reader takes.
    Other,
}

impl ColumnType {
    /// The name in reports.
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
    /// The type that the file declares.
    pub(crate) declared: Option<ColumnType>,
    empty: u64,
    /// Number of words for a missing value: they are null among numbers and texts among texts.
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

    /// The profile of a column that no reader supports.
    pub(crate) fn other(name: impl Into<String>) -> ColumnProfile {
        ColumnProfile { declared: Some(ColumnType::Other), ..ColumnProfile::new(name) }
    }

    /// Counts a cell of a text format.
    pub(crate) fn observe_text(&mut self, cell: &[u8]) {
        self.observe(parse_number(cell), cell);
    }

    /// Counts a cell of a typed format, as its text would count in a CSV file.
    pub(crate) fn observe_value(&mut self, value: Value) {
        match value {
            Value::Empty => self.observe_text(b""),
            Value::Text(text) => self.observe_text(text.as_bytes()),
            value => self.observe_text(value.print().as_bytes()),
        }
    }

    /// Counts an array or an object, which no reader supports.
    pub(crate) fn observe_nested(&mut self) {
        self.declared = Some(ColumnType::Other);
        self.texts += 1;
    }

    /// Counts cells that are absent from the first `rows` rows as missing.
    pub(crate) fn fill_up(&mut self, rows: u64) {
        let observed = self.empty + self.words + self.numbers + self.booleans + self.timestamps + self.texts;
        self.empty += rows.saturating_sub(observed);
    }

    /// Adds the same column of the following file.
    fn append(&mut self, later: &ColumnProfile) {
        if self.declared != later.declared {
            let other = Some(ColumnType::Other);
            self.declared = other.filter(|_| self.declared == other || later.declared == other);
        }
        self.empty += later.empty;
        self.words += later.words;
        self.numbers += later.numbers;
        self.booleans += later.booleans;
        self.timestamps += later.timestamps;
        self.texts += later.texts;
    }

    /// Counts a cell, given its text in case it is no number.
    pub(crate) fn observe(&mut self, number: Number, text: &[u8]) {
        let text = text.trim_ascii();
        match number {
            Number::Null if text.is_empty() => self.empty += 1,
            Number::Null => self.words += 1,
            Number::Value(_) | Number::NonFinite => self.numbers += 1,
            Number::Text if is_boolean(text).is_some() => self.booleans += 1,
            // Most texts are of one kind, so texts after the first one that is no timestamp need not be parsed.
            Number::Text if self.texts == 0 && is_time(text) => self.timestamps += 1,
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
            // Among numbers, the readers read yes and no as 1 and 0.
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

/// Whether a cell is a boolean, and which.
pub(crate) fn is_boolean(text: &[u8]) -> Option<bool> {
    if text.eq_ignore_ascii_case(b"true") {
        Some(true)
    } else {
        text.eq_ignore_ascii_case(b"false").then_some(false)
    }
}

/// The first rows of a file.
#[derive(Debug, Default)]
pub(crate) struct Profile {
    pub(crate) columns: Vec<ColumnProfile>,
    /// Number of rows examined.
    pub(crate) rows: u64,
}

impl Profile {
    /// Adds the rows of the following file; the order of its columns does not matter.
    pub(crate) fn append(&mut self, later: &Profile) {
        for column in &mut self.columns {
            if let Some(same) = later.columns.iter().find(|other| other.name == column.name) {
                column.append(same);
            }
        }
        self.rows += later.rows;
    }
}
