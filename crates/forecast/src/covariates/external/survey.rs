//! For which places and times values are needed.

use serde::{Serialize, Serializer};
use tabcast_calendar::{Frequency, Micros};
use tabcast_table::{find_frequency, read_panel};

use super::grids::{Grids, Span};
use super::{blame_location, location::PER_DEGREE, location_columns};
use crate::dataset::read_options;
use crate::run::stages;
use crate::{Config, Control, Failure};

/// The grids of a dataset.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CovariateSurvey"))]
pub struct Survey {
    /// Canonical alias of the frequency.
    pub freq: String,
    /// Steps of its first season, at least 1.
    pub season: usize,
    /// Labels of consecutive steps, future ones included, that grids are parts of: milliseconds, as the clock of the
    /// dataset shows them.
    #[cfg_attr(feature = "typescript", ts(type = "number[][]"))]
    pub axes: Vec<Axis>,
    /// In the order in which the file of values has them.
    pub grids: Vec<GridOfSteps>,
}

/// Labels of consecutive steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Axis {
    /// Rising, future steps included; milliseconds in documents, as the clock of the dataset shows them.
    #[serde(serialize_with = "milliseconds")]
    pub labels: Vec<Micros>,
}

/// The steps of series in one place with the same last observation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CovariateGrid"))]
pub struct GridOfSteps {
    /// Degrees north and east, to the hundredth; none: where the request says.
    #[serde(serialize_with = "place")]
    #[cfg_attr(feature = "typescript", ts(type = "{ latitude: number, longitude: number } | null"))]
    pub place: Option<(f64, f64)>,
    /// The axis that it is a part of.
    pub axis: usize,
    /// Its first step there.
    pub first: usize,
    /// Steps up to the last observation, at least 1.
    pub history: usize,
    /// Steps after it.
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

/// Reads stamps, targets and places of the dataset and says for which steps values from outside are needed.
///
/// # Errors
/// As [`check`](crate::check); content errors of the columns of places.
pub fn survey(config: &Config, control: &Control) -> Result<Survey, Failure> {
    control.enter(stages::INGEST);
    let kept = config.external.as_ref().and_then(|external| external.kept.as_ref());
    let mut options = read_options(config, control);
    if kept.is_none() {
        // What is forecast later is read later.
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
