//! Errors of a training request.

use std::fmt;

/// Why no ensemble was trained. The text names the parameter, the column or the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrainError {
    /// Arrays whose lengths do not fit each other.
    Shape(String),
    /// A parameter out of its bounds.
    Parameter(String),
    /// A target, weight or category code that is invalid for the loss or the feature.
    Value(String),
    /// The caller stopped it.
    Stopped,
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(detail) => write!(f, "arrays do not fit: {detail}"),
            Self::Parameter(detail) => write!(f, "parameter out of bounds: {detail}"),
            Self::Value(detail) => write!(f, "unusable value: {detail}"),
            Self::Stopped => write!(f, "training was stopped"),
        }
    }
}

impl std::error::Error for TrainError {}
