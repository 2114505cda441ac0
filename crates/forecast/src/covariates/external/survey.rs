//! For which places and times values are needed.

use tabcast_calendar::{Frequency, Micros};
use tabcast_table::{find_frequency, read_panel};

use super::grids::{Grids, Span};
use super::{blame_location, location::PER_DEGREE, location_columns};
use crate::dataset::read_options;
use crate::run::control::Stage;
use crate::{Config, Control, Failure};

/// The grids of a dataset.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// Canonical alias of the frequency.
    pub freq: String,
    /// Steps of its first season, at least 1.
    pub season: usize,
    /// Steps that grids are parts of.
    pub axes: Vec<Axis>,
    /// In the order in which the file of values has them.
    pub grids: Vec<GridOfSteps>,
}

/// Labels of consecutive steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Rising, future steps included.
    pub labels: Vec<Micros>,
}

/// The steps of series in one place with the same last observation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridOfSteps {
    /// Degrees north and east, to the hundredth; none: where the request says.
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

/// Reads stamps, targets and places of the dataset and says for which steps values from outside are needed.
///
/// # Errors
/// As [`check`](crate::check); content errors of the columns of places.
pub fn survey(config: &Config, control: &Control) -> Result<Survey, Failure> {
    control.enter(Stage::Ingest);
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
