//! `KeptDataset`: rows that stay on this side between two calls.

use napi_derive::napi;

/// A place for the rows of a dataset between its survey and its forecast.
#[napi]
#[derive(Debug, Default)]
pub struct KeptDataset(pub(crate) tabcast_forecast::KeptDataset);

#[napi]
impl KeptDataset {
    /// Holds nothing yet.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }
}
