//! Why there is no explanation.

use std::fmt;

use tabcast_trees::TreesError;
use tabcast_trees::boosting::TrainError;

use crate::Skip;

/// Why there is no explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportanceError {
    /// The analysis was skipped for this reason.
    Skipped(Skip),
    /// Arrays or options that do not match; the text names them.
    Input(String),
}

impl fmt::Display for ImportanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skipped(skip) => write!(f, "skipped: {}", skip.name()),
            Self::Input(detail) => write!(f, "unusable input: {detail}"),
        }
    }
}

impl std::error::Error for ImportanceError {}

impl From<Skip> for ImportanceError {
    fn from(skip: Skip) -> Self {
        Self::Skipped(skip)
    }
}

impl From<TrainError> for ImportanceError {
    fn from(error: TrainError) -> Self {
        match error {
            TrainError::Stopped => Self::Skipped(Skip::Timeout),
            error => Self::Input(error.to_string()),
        }
    }
}

impl From<TreesError> for ImportanceError {
    fn from(error: TreesError) -> Self {
        Self::Input(error.to_string())
    }
}
