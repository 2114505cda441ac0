//! The content of one file.

use crate::batch::Part;

/// The content of one file.
pub(crate) struct Content {
    /// Names of its columns, used or not; empty for formats that need not name them.
    pub(crate) columns: Vec<String>,
    pub(crate) parts: Vec<Part>,
}
