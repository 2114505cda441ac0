//! Why a run ended without predictions.

use std::fmt;
use std::io;

use tabcast_table::{ContentError, ReadError, WriteError};

/// Why a run ended without predictions.
#[derive(Debug)]
pub enum Failure {
    /// The table is at fault; the client can fix it.
    Content(Box<ContentError>),
    /// [`Control::cancel`](crate::Control::cancel) was called.
    Cancelled,
    /// Options that the caller should have refused.
    Options(String),
    /// Predictions that failed their own check; a bug of ours.
    Invalid(String),
    /// A file could not be read or written.
    Io {
        /// The operation that failed.
        during: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl From<ContentError> for Failure {
    fn from(error: ContentError) -> Self {
        Self::Content(Box::new(error))
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Content(content) => Self::Content(content),
            ReadError::Cancelled => Self::Cancelled,
            ReadError::Io(source) => Self::Io { during: "reading the table", source },
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Io(source) => Self::Io { during: "writing the predictions", source },
            WriteError::Cancelled => Self::Cancelled,
            WriteError::Invalid(message) => Self::Invalid(message),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Content(content) => formatter.write_str(&content.message),
            Self::Cancelled => formatter.write_str("The run was cancelled."),
            Self::Options(message) => {
                write!(formatter, "The engine was called with wrong options: {message}.")
            }
            Self::Invalid(message) => write!(formatter, "The predictions failed their own check: {message}."),
            Self::Io { during, source } => write!(formatter, "{during} failed: {source}."),
        }
    }
}

impl std::error::Error for Failure {}
