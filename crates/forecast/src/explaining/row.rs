//! How a row is named: a step of the forecast of a series.

use serde::Serialize;

/// A step of a series.
#[derive(Debug, Serialize)]
pub(crate) struct RowName {
    pub(crate) item_id: String,
    pub(crate) timestamp: String,
    /// Steps after the origin, from 1.
    pub(crate) step: usize,
}
