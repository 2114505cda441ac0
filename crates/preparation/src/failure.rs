use std::{fmt, io};

use tabcast_table::{ContentError, ReadError, WriteError};

/// Why rows could not be prepared.
#[derive(Debug)]
pub enum Failure {
    /// The dataset or the preparation is at fault; the sender can fix it.
    Content(Box<ContentError>),
    /// The cancel flag was set.
    Cancelled,
    /// A file could not be read or written.
    Io(io::Error),
}

impl From<ContentError> for Failure {
    fn from(error: ContentError) -> Self {
        Self::Content(Box::new(error))
    }
}

impl From<Box<ContentError>> for Failure {
    fn from(error: Box<ContentError>) -> Self {
        Self::Content(error)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Content(error) => Self::Content(error),
            ReadError::Cancelled => Self::Cancelled,
            ReadError::Io(error) => Self::Io(error),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Cancelled => Self::Cancelled,
            WriteError::Io(error) => Self::Io(error),
            WriteError::Invalid(message) => Self::Io(io::Error::other(message)),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Content(error) => formatter.write_str(&error.message),
            Self::Cancelled => formatter.write_str("The run was cancelled."),
            Self::Io(error) => write!(formatter, "Preparing the dataset failed: {error}."),
        }
    }
}

impl std::error::Error for Failure {}
