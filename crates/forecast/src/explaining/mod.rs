//! Explains a forecast: the findings of every run, and the analyses of the `explainability` block.
//!
//! Nothing here changes a forecast, and no analysis fails a run: one that finds nothing, fails or runs out of time is
//! skipped with a reason.

mod analyses;
mod findings;
mod forecast_rows;
mod grid;
mod importance;
mod kept;
mod names;
mod panel_rows;
mod plot;
mod regression;
mod row;

use crate::dataset::Dataset;
use crate::run::forecaster::Forecaster;
use crate::{Config, Control};

pub(crate) use analyses::write_analyses;
pub(crate) use findings::write_findings;
pub(crate) use kept::{Kept, KeptForecast};

/// The forecast to explain.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) config: &'a Config,
    pub(crate) dataset: &'a Dataset,
    pub(crate) forecaster: &'a Forecaster<'a>,
    pub(crate) kept: &'a Kept,
    pub(crate) control: &'a Control,
}
