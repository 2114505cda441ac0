//! Errors in the content of a file.
use std::{fmt, io};

use serde::{Serialize, Serializer};

use crate::shorten;

/// The class of a content error, with its HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing to forecast (400).
    Empty,
    /// More than a limit allows (413).
    TooLarge,
    /// Not this kind of file (415).
    Unsupported,
    /// Readable, with wrong content (422).
    Content,
}

impl Kind {
    /// The HTTP status of the class.
    pub fn status(self) -> u16 {
        match self {
            Kind::Empty => 400,
            Kind::TooLarge => 413,
            Kind::Unsupported => 415,
            Kind::Content => 422,
        }
    }
}

/// An error in a dataset, for the person who sent it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct ContentError {
    /// Stable code in `snake_case`, e.g. `missing_column`.
    pub code: &'static str,
    /// Class.
    #[serde(rename = "status", serialize_with = "status")]
    #[ts(type = "400 | 413 | 415 | 422")]
    pub kind: Kind,
    /// One sentence.
    pub message: String,
    /// The column concerned.
    pub column: Option<String>,
    /// The first data row concerned, 1-based; the header and blank lines are not counted.
    pub row: Option<u64>,
    /// The first item concerned, shortened like every quoted cell.
    pub item: Option<String>,
    /// Number of rows, cells or items concerned.
    pub count: Option<u64>,
    /// What to do about it.
    pub suggestion: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn status<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u16(kind.status())
}

impl ContentError {
    /// An error with only a message.
    pub fn new(code: &'static str, kind: Kind, message: impl Into<String>) -> ContentError {
        ContentError {
            code,
            kind,
            message: message.into(),
            column: None,
            row: None,
            item: None,
            count: None,
            suggestion: None,
        }
    }

    /// Sets the column.
    #[must_use]
    pub fn column(mut self, column: impl Into<String>) -> ContentError {
        self.column = Some(column.into());
        self
    }

    /// Sets the first data row, 1-based.
    #[must_use]
    pub fn row(mut self, row: u64) -> ContentError {
        self.row = Some(row);
        self
    }

    /// Sets the first item, shortened by [`shorten`].
    #[must_use]
    pub fn item(mut self, item: &str) -> ContentError {
        self.item = Some(shorten(item).into_owned());
        self
    }

    /// Sets the number of rows, cells or items concerned.
    #[must_use]
    pub fn count(mut self, count: u64) -> ContentError {
        self.count = Some(count);
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn suggestion(mut self, suggestion: impl Into<String>) -> ContentError {
        self.suggestion = Some(suggestion.into());
        self
    }
}

impl fmt::Display for ContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}
impl std::error::Error for ContentError {}

/// Why a file could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// The file's content is wrong; boxed because it is large and rare.
    Content(Box<ContentError>),
    /// The cancel flag was set.
    Cancelled,
    /// The disk or the file system failed.
    Io(io::Error),
}

impl From<Box<ContentError>> for ReadError {
    fn from(error: Box<ContentError>) -> ReadError {
        ReadError::Content(error)
    }
}
impl From<ContentError> for ReadError {
    fn from(error: ContentError) -> ReadError {
        ReadError::Content(Box::new(error))
    }
}
impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Content(error) => error.fmt(f),
            ReadError::Cancelled => f.write_str("cancelled"),
            ReadError::Io(error) => error.fmt(f),
        }
    }
}
impl std::error::Error for ReadError {}
