//! Cells that have types, and who takes them.

use std::fmt::Write;

use tabcast_calendar::{Micros, write_pandas};

use crate::csv::{cell_too_long, nul_bytes};
use crate::{ContentError, Limits, ReadError};

/// What a cell holds. Each value means what its text would mean in a CSV file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value<'a> {
    Empty,
    Text(&'a str),
    Number(f64),
    /// Kept apart because item ids and Unix times may have more digits than a double.
    Integer(i128),
    Boolean(bool),
    /// `None` lies outside the years that can be read.
    Time(Option<Micros>),
}

impl<'a> Value<'a> {
    /// What the cell would be in a CSV file; `printed` holds what is no text already.
    pub(crate) fn text(self, printed: &'a mut String) -> &'a str {
        match self {
            Value::Text(text) => text,
            value => {
                value.print_to(printed);
                printed
            }
        }
    }

    /// The same as a text of its own.
    pub(crate) fn print(self) -> String {
        let mut text = String::new();
        self.print_to(&mut text);
        text
    }

    /// Refuses a text that no column may have.
    pub(crate) fn check(self, limits: &Limits) -> Result<(), Box<ContentError>> {
        let Value::Text(text) = self else { return Ok(()) };
        let longest = limits.max_cell_chars;
        if text.len() > longest && text.chars().count() > longest {
            return Err(cell_too_long(longest).into());
        }
        if memchr::memchr(0, text.as_bytes()).is_some() { Err(nul_bytes().into()) } else { Ok(()) }
    }

    fn print_to(self, text: &mut String) {
        text.clear();
        // Writing to a string cannot fail.
        let _ = match self {
            Value::Empty | Value::Time(None) => Ok(()),
            Value::Text(value) => text.write_str(value),
            Value::Number(value) => write!(text, "{value}"),
            Value::Integer(value) => write!(text, "{value}"),
            Value::Boolean(value) => write!(text, "{value}"),
            Value::Time(Some(micros)) => {
                let mut printed = Vec::new();
                write_pandas(micros, &mut printed);
                let printed = String::from_utf8_lossy(&printed);
                text.write_str(printed.strip_suffix(" 00:00:00").unwrap_or(&printed))
            }
        };
    }
}

/// Takes the rows of a file in whose cells come one at a time and have types.
pub(crate) trait TakeCells {
    /// Begins a row; `false` when no further row need be read.
    fn begin_row(&mut self) -> Result<bool, ReadError>;

    /// Puts a cell into the current row; a later cell of the same column replaces it.
    ///
    /// # Errors
    /// For a cell that no column may have.
    fn set(&mut self, column: usize, value: Value) -> Result<(), Box<ContentError>>;

    /// Ends the current row; `false` when no further row need be read.
    fn end_row(&mut self) -> Result<bool, ReadError>;

    /// Ends the read with what is wrong with the current row.
    fn fail(&mut self, error: ContentError);
}
