//! Covariates that are not in the file: which locations and times need values, and adding these values to the rows.
//!
//! [`survey`] reads the dataset and returns the grids of steps that need values. The caller gets the values and writes
//! them to a file. [`run`](crate::run) with the name of that file adds them to the panel under their own names.

mod attach;
mod grids;
mod kept;
mod location;
mod survey;
mod values;

use std::path::PathBuf;

pub use kept::KeptDataset;
pub use survey::{Axis, GridOfSteps, Survey, survey};

use serde::Deserialize;
use tabcast_calendar::Frequency;
use tabcast_table::{Panel, ReadError};

use crate::{Config, Failure};
use grids::Grids;
use values::GridValues;

/// Covariates that are not in the file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[ts(rename = "ExternalCovariateOptions")]
pub struct ExternalOptions {
    /// Columns of the file with the location of a series: latitude and longitude in degrees. None: all series share one
    /// location.
    pub location_columns: Option<[String; 2]>,
    /// The values on the grids of the survey; `values.rs` describes the format. None: there are no values yet.
    pub values_path: Option<PathBuf>,
    /// Where [`survey`] leaves the rows for a forecast of the same dataset. None: each call reads the files.
    #[serde(skip)]
    #[ts(skip)]
    pub kept: Option<KeptDataset>,
}

/// Removes the location columns from the panel and adds the values of the file; returns the number of rows added for
/// them.
pub(crate) fn add_external(
    config: &Config,
    panel: &mut Panel,
    frequency: Frequency,
) -> Result<usize, Failure> {
    let Some(external) = &config.external else { return Ok(0) };
    let grids = Grids::of(config, panel, frequency)?;
    drop_location(config, panel);
    let Some(path) = &external.values_path else { return Ok(0) };
    let values = GridValues::read(path, &grids)?;
    Ok(attach::attach(panel, frequency, &grids, values))
}

/// The rows that a survey left behind.
pub(crate) fn kept_panel(config: &Config) -> Option<Panel> {
    config.external.as_ref()?.kept.as_ref()?.take()
}

/// Names of the columns to read: the covariates and the location columns.
pub(crate) fn columns_with_location(config: &Config) -> Vec<String> {
    let mut columns = config.columns.covariates.clone();
    columns
        .extend(location_columns(config).filter(|name| !config.columns.covariates.contains(name)).cloned());
    columns
}

/// Adds the field of the request to the error of a missing location column.
pub(crate) fn blame_location(config: &Config, error: ReadError) -> Failure {
    let mut columns = location_columns(config);
    match error {
        ReadError::Content(error)
            if error.code == "missing_column" && columns.any(|name| error.column.as_ref() == Some(name)) =>
        {
            let suggestion = "Correct latitude_column and longitude_column of external_covariates.weather.";
            Failure::Content(Box::new(error.suggestion(suggestion)))
        }
        other => other.into(),
    }
}

/// Latitude and longitude columns, or nothing.
fn location_columns(config: &Config) -> impl Iterator<Item = &String> {
    config.external.iter().filter_map(|external| external.location_columns.as_ref()).flatten()
}

fn drop_location(config: &Config, panel: &mut Panel) {
    panel.covariates.truncate(config.columns.covariates.len());
}
