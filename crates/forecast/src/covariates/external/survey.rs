//! Which locations and times need values.

use serde::{Serialize, Serializer};
use tabcast_calendar::{Frequency, Micros};
use tabcast_table::{find_frequency, read_panel};

use super::grids::{Grids, Span};
use super::{blame_location, location::PER_DEGREE, location_columns};
use crate::dataset::read_options;
use crate::run::stages;
use crate::{Config, Control, Failure};

/// The grids of a dataset.
#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "CovariateSurvey")]
pub struct Survey {
    /// Canonical alias of the frequency.
    pub freq: String,
    /// Season length in steps, at least 1.
    pub season: usize,
    /// Labels of consecutive steps, including future ones; the grids are parts of them. Milliseconds, in the clock time
    /// of the dataset.
    #[ts(type = "number[][]")]
    pub axes: Vec<Axis>,
    /// In the order of the values file.
    pub grids: Vec<GridOfSteps>,
}

/// Labels of consecutive steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Axis {
    /// Ascending, including future steps; milliseconds in documents, in the clock time of the dataset.
    #[serde(serialize_with = "milliseconds")]
    pub labels: Vec<Micros>,
}

/// The steps of the series in one location with the same last observation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "CovariateGrid")]
pub struct GridOfSteps {
    /// Degrees north and east, rounded to the hundredth; none: the location of the request.
    #[serde(serialize_with = "place")]
    #[ts(type = "{ latitude: number, longitude: number } | null")]
    pub place: Option<(f64, f64)>,
    /// The axis that the grid is a part of.
    pub axis: usize,
    /// Its first step on the axis.
    pub first: usize,
    /// Steps up to the last observation, at least 1.
    pub history: usize,
    /// Steps after the last observation.
    pub ahead: usize,
}

#[expect(clippy::ptr_arg, reason = "serde hands over the field")]
fn milliseconds<S: Serializer>(labels: &Vec<Micros>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(labels.iter().map(|label| *label as f64 / 1e3))
}

#[expect(clippy::ref_option, reason = "serde hands over the field")]
fn place<S: Serializer>(place: &Option<(f64, f64)>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Place {
        latitude: f64,
        longitude: f64,
    }
    place.map(|(latitude, longitude)| Place { latitude, longitude }).serialize(serializer)
}

/// Reads timestamps, targets and locations of the dataset and returns the steps that need external values.
///
/// # Errors
///
/// As [`check`](crate::check), and content errors of the location columns.
pub fn survey(config: &Config, control: &Control) -> Result<Survey, Failure> {
    control.enter(stages::INGEST);
    let kept = config.external.as_ref().and_then(|external| external.kept.as_ref());
    let mut options = read_options(config, control);
    if kept.is_none() {
        // The forecast reads the other covariates later.
        options.columns.covariates = location_columns(config).cloned().collect();
    }
    let panel = read_panel(&options).map_err(|error| blame_location(config, error))?;
    let column = &config.columns.timestamp;
    let regularity = find_frequency(config.frequency, column, &panel.timestamps, &panel.offsets);
    let frequency = regularity.map_err(Failure::Content)?.frequency;
    let grids = Grids::of(config, &panel, frequency)?;
    if let Some(kept) = kept {
        kept.keep(panel);
    }
    let axes: Vec<Axis> = grids.axes.iter().map(|span| axis(span, frequency)).collect();
    let degrees = |hundredths: i32| f64::from(hundredths) / PER_DEGREE;
    let parts = grids.parts.iter().map(|grid| GridOfSteps {
        place: grid.cell.map(|(latitude, longitude)| (degrees(latitude), degrees(longitude))),
        axis: grid.axis,
        first: (grid.first() - grids.axes[grid.axis].first) as usize,
        history: grid.history,
        ahead: grid.ahead,
    });
    Ok(Survey {
        freq: frequency.alias(),
        season: frequency.season_lengths().first().copied().unwrap_or(1).max(1),
        grids: parts.collect(),
        axes,
    })
}

fn axis(span: &Span, frequency: Frequency) -> Axis {
    Axis { labels: (span.first..=span.last).map(|step| frequency.advance(span.origin, step)).collect() }
}
