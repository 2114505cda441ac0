//! Why trees could not be grown or applied.

use std::fmt;

use tabcast_trees::TreesError;
use tabcast_trees::boosting::TrainError;

/// Why trees could not be grown or applied; the run continues without them, with a warning.
#[derive(Debug)]
pub(crate) enum TreeFailure {
    Grown(TrainError),
    Applied(TreesError),
}

impl From<TrainError> for TreeFailure {
    fn from(error: TrainError) -> Self {
        Self::Grown(error)
    }
}

impl From<TreesError> for TreeFailure {
    fn from(error: TreesError) -> Self {
        Self::Applied(error)
    }
}

impl fmt::Display for TreeFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grown(error) => error.fmt(formatter),
            Self::Applied(error) => error.fmt(formatter),
        }
    }
}
