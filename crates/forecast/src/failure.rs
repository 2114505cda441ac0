use std::fmt;
use std::io;

use tabcast_table::{ContentError, ReadError};

/// Why a run ended without a forecast.
#[derive(Debug)]
pub enum Failure {
    /// The dataset is at fault; the client can fix it.
    Content(Box<ContentError>),
    /// [`Control::cancel`](crate::Control::cancel) was called.
    Cancelled,
    /// Options that the caller should have refused.
    Options(String),
    /// The forecast failed its own check and was not published; a bug of ours.
    InvalidForecast(String),
    /// A damaged model file, or a file that is no model.
    Model(String),
    /// A file of a run in shards that is damaged, of another run or of another release.
    Shard(String),
    /// A file could not be read or written.
    Io {
        /// The operation that failed.
        during: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl Failure {
    /// For `map_err` on file operations.
    pub(crate) fn io(during: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { during, source }
    }
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
            ReadError::Io(source) => Self::Io { during: "reading the dataset", source },
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
            Self::InvalidForecast(message) => {
                write!(formatter, "The forecast failed its own check: {message}.")
            }
            Self::Shard(message) => {
                write!(formatter, "A file of the run in shards cannot be used: {message}.")
            }
            Self::Model(message) => write!(formatter, "The model file cannot be used: {message}."),
            Self::Io { during, source } => write!(formatter, "{during} failed: {source}."),
        }
    }
}

impl std::error::Error for Failure {}
