//! Identifies a row by its position in the file.

use serde::Serialize;

/// A row of the file.
#[derive(Debug, Serialize)]
pub(crate) struct RowName {
    /// 0-based, as in the table of predictions.
    pub(crate) row_index: u64,
}
