//! What a reader makes of one file.

use crate::batch::Part;

/// What a reader makes of one file.
pub(crate) struct Content {
    /// What its columns are called, used or not; empty where a file need not say.
    pub(crate) columns: Vec<String>,
    pub(crate) parts: Vec<Part>,
}
