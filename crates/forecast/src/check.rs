use serde::Serialize;
use tabcast_table::{Warning, check_columns};

use crate::covariates::external::blame_location;
use crate::dataset::{Dataset, Identity, read_options};
use crate::learners::tuned::TunedModel;
use crate::run::timers::Timings;
use crate::{Config, Control, Failure};

/// What a dataset contains.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "DatasetProfile")]
pub struct Profile {
    /// Data rows.
    pub rows: u64,
    /// Distinct items.
    pub series: u64,
    /// Rows of the shortest series.
    pub min_length: u64,
    /// Rows of the longest series.
    pub max_length: u64,
    /// About the steps from the first row to the last, of all series together. None in profiles of earlier releases.
    #[ts(optional)]
    pub steps: Option<u64>,
    /// Canonical alias of the frequency.
    pub freq: String,
    /// Number of nodes to forecast in a hierarchy: sums and series.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub nodes: Option<u64>,
}

/// Reads the dataset and describes it without forecasting; the service answers with this before it accepts a job.
///
/// # Errors
///
/// The same content errors that [`run`](crate::run) would end with.
pub fn check(config: &Config, control: &Control) -> Result<(Profile, Vec<Warning>), Failure> {
    let (model, config) = TunedModel::of(config)?;
    let dataset = Dataset::load_with(
        &config,
        model.as_ref(),
        Identity::NotNeeded,
        None,
        control,
        &mut Timings::default(),
    )?;
    let lengths = dataset.panel.offsets.windows(2).map(|pair| (pair[1] - pair[0]) as u64);
    let (min_length, max_length) =
        lengths.fold((u64::MAX, 0), |(low, high), length| (low.min(length), high.max(length)));
    let profile = Profile {
        rows: dataset.panel.rows as u64,
        series: dataset.panel.len() as u64,
        min_length: min_length.min(max_length),
        max_length,
        steps: Some(dataset.steps()),
        freq: dataset.frequency.alias(),
        nodes: dataset.hierarchy.as_ref().map(|hierarchy| hierarchy.len() as u64),
    };
    Ok((profile, dataset.warnings))
}

/// Checks what can be checked without reading the rows, so the cost does not grow with them; the service answers with
/// this before it accepts a job with a large dataset. [`run`](crate::run) checks the rows.
///
/// # Errors
///
/// The content errors of [`check`] that need no row.
pub fn check_header(config: &Config, control: &Control) -> Result<(), Failure> {
    let (model, config) = TunedModel::of(config)?;
    check_columns(&read_options(&config, control)).map_err(|error| match &model {
        Some(model) => model.blame(error.into()),
        None => blame_location(&config, error),
    })
}
