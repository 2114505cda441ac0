//! `KeptDataset`: rows that stay in Rust between two calls.

use napi_derive::napi;

/// Holds the rows of a dataset between its survey and its forecast.
#[napi]
#[derive(Debug, Default)]
pub struct KeptDataset(pub(crate) tabcast_forecast::KeptDataset);

#[napi]
impl KeptDataset {
    /// An empty holder.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }
}
