//! Typed cells, and their receivers.

use std::fmt::Write;

use tabcast_calendar::{Micros, write_pandas};

use crate::csv::{cell_too_long, nul_bytes};
use crate::{ContentError, Limits, ReadError};

/// The content of a typed cell. Each value means what its text would mean in a CSV file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value<'a> {
    Empty,
    Text(&'a str),
    Number(f64),
    /// Separate from numbers, because item ids and Unix times may have more digits than a double can hold.
    Integer(i128),
    Boolean(bool),
    /// `None` for years outside the supported range.
    Time(Option<Micros>),
}

impl<'a> Value<'a> {
    /// The cell's text in a CSV file; `printed` holds it if the cell is no text already.
    pub(crate) fn text(self, printed: &'a mut String) -> &'a str {
        match self {
            Value::Text(text) => text,
            value => {
                value.print_to(printed);
                printed
            }
        }
    }

    /// The same as an owned text.
    pub(crate) fn print(self) -> String {
        let mut text = String::new();
        self.print_to(&mut text);
        text
    }

    /// Refuses a text that is invalid in any column.
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

/// Receives the rows of a file whose cells arrive one at a time with types.
pub(crate) trait TakeCells {
    /// Starts a row; `false` if no further row is needed.
    fn begin_row(&mut self) -> Result<bool, ReadError>;

    /// Puts a cell into the current row; a later cell of the same column replaces it.
    ///
    /// # Errors
    /// For a cell that is invalid in any column.
    fn set(&mut self, column: usize, value: Value) -> Result<(), Box<ContentError>>;

    /// Ends the current row; `false` if no further row is needed.
    fn end_row(&mut self) -> Result<bool, ReadError>;

    /// Ends the read with a fault of the current row.
    fn fail(&mut self, error: ContentError);
}
