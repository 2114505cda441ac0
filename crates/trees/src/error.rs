//! Errors in trees, rows and model files.

use std::fmt;

/// Why trees could not be used. The text names the tree, node, field or line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreesError {
    /// Columns or output arrays whose lengths do not match each other or the ensemble.
    Shape(String),
    /// Inconsistent trees: a child that does not exist, a cycle, a value that is not finite, wrong covers.
    Invalid(String),
    /// Bytes that are no model file, or one that is damaged or of an unknown version.
    File(String),
    /// A foreign model that cannot be read or uses features that this crate lacks.
    Import(String),
}

impl fmt::Display for TreesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, detail) = match self {
            Self::Shape(detail) => ("arrays do not fit", detail),
            Self::Invalid(detail) => ("invalid trees", detail),
            Self::File(detail) => ("unusable model file", detail),
            Self::Import(detail) => ("model cannot be imported", detail),
        };
        write!(f, "{what}: {detail}")
    }
}

impl std::error::Error for TreesError {}
