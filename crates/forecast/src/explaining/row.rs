//! Identifies a row: a step of the forecast of a series.

use serde::Serialize;
use tabcast_analyses::Runner;

/// A run of the analyses over rows of a forecast.
pub(super) type Run<'a> = Runner<'a, RowName>;

/// A step of a series.
#[derive(Debug, Serialize)]
pub(crate) struct RowName {
    pub(crate) item_id: String,
    pub(crate) timestamp: String,
    /// Steps after the origin, from 1.
    pub(crate) step: usize,
}
