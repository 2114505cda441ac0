//! Why an analysis has no result.

use tabcast_explain::Skip;
use tabcast_explain::importance::ImportanceError;
use tabcast_table::WriteError;

/// Why an analysis has no result; `F` is the error type of the caller's run.
#[derive(Debug)]
pub enum Trouble<F> {
    /// A reason of the API.
    Skip(&'static str),
    /// A bug of ours, in words.
    Failed(String),
    /// The run itself ends.
    Run(F),
}

impl<F> From<Skip> for Trouble<F> {
    fn from(skip: Skip) -> Self {
        Self::Skip(skip.name())
    }
}

impl<F> From<ImportanceError> for Trouble<F> {
    fn from(error: ImportanceError) -> Self {
        match error {
            ImportanceError::Skipped(skip) => skip.into(),
            ImportanceError::Input(detail) => Self::Failed(detail),
        }
    }
}

impl<F: From<WriteError>> From<WriteError> for Trouble<F> {
    fn from(error: WriteError) -> Self {
        Self::Run(error.into())
    }
}
