//! How a row is named: by its place in the file.

use serde::Serialize;

/// A row of the file.
#[derive(Debug, Serialize)]
pub(crate) struct RowName {
    /// From 0, as in the table of predictions.
    pub(crate) row_index: u64,
}
