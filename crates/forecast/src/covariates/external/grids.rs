//! The grids of steps that need external values.

use std::collections::BTreeMap;

use tabcast_calendar::{Frequency, Micros, most_steps};
use tabcast_table::{ContentError, Kind, Panel};

use super::location::{Cell, cells_of};
use crate::{Config, Failure};

/// Maximum number of steps of all grids together; every covariate has a number for each. `most_steps` allows small
/// tables fewer.
const MOST_STEPS: u64 = 100_000_000;
/// A step takes about this many numbers.
const USUAL_COLUMNS: usize = 10;
/// Maximum number of grids; the values of each are fetched separately.
const MOST_GRIDS: usize = 20_000;
/// Maximum number of labels of all axes together.
const MOST_LABELS: i64 = 5_000_000;

/// The steps shared by the series of one location with the same last observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    /// None: the location of the request.
    pub(super) cell: Option<Cell>,
    /// The axis of its steps, and the position of the last observation on it.
    pub(super) axis: usize,
    pub(super) last: i64,
    /// Steps up to the last observation, starting at the earliest row of any of its series.
    pub(super) history: usize,
    /// Steps to forecast after it.
    pub(super) ahead: usize,
}

/// A run of steps that several grids share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// Stamp of step 0.
    pub(super) origin: Micros,
    pub(super) first: i64,
    pub(super) last: i64,
}

pub(super) struct Grids {
    pub(super) axes: Vec<Span>,
    /// Sorted by location and last observation.
    pub(super) parts: Vec<Grid>,
    /// The grid of each series; none for a series without an observation.
    pub(super) of_series: Vec<Option<u32>>,
}

impl Grid {
    pub(super) fn steps(&self) -> usize {
        self.history + self.ahead
    }

    /// The first step on the axis.
    pub(super) fn first(&self) -> i64 {
        self.last + 1 - self.history as i64
    }
}

/// Last observation and earliest row on the same grid.
#[derive(Clone, Copy)]
struct Ends {
    first: Micros,
    last: Micros,
}

impl Grids {
    /// The grids of the series. If the panel has location columns, they are among its covariates. All series of a
    /// hierarchy are forecast to the end of the longest one.
    pub(super) fn of(config: &Config, panel: &Panel, frequency: Frequency) -> Result<Self, Failure> {
        let location = config.external.as_ref().and_then(|external| external.location_columns.as_ref());
        let cells = location.map(|columns| cells_of(panel, columns)).transpose()?;
        let ends: Vec<Option<Ends>> =
            (0..panel.len()).map(|series| ends_of(panel, series, frequency)).collect();
        let mut shared: BTreeMap<(Option<Cell>, Micros), (Micros, usize)> = BTreeMap::new();
        let key = |series: usize, last| (cells.as_ref().map(|cells| cells[series]), last);
        for (series, ends) in ends.iter().enumerate() {
            let Some(Ends { first, last }) = *ends else { continue };
            let entry = shared.entry(key(series, last)).or_insert((first, 0));
            entry.0 = entry.0.min(first);
        }
        if shared.len() > MOST_GRIDS {
            return Err(too_many(shared.len(), "places and last observations, taken together", MOST_GRIDS));
        }
        let end = config.reconciliation.as_ref().and(ends.iter().flatten().map(|ends| ends.last).max());
        let mut grids =
            Self { axes: Vec::new(), parts: Vec::with_capacity(shared.len()), of_series: Vec::new() };
        for (number, ((cell, last), (first, place))) in shared.iter_mut().enumerate() {
            let late = end.and_then(|end| frequency.steps_between(*last, end)).unwrap_or(0).max(0);
            *place = number;
            grids.add(*cell, Ends { first: *first, last: *last }, config.horizon + late as usize, frequency);
        }
        let number = |(series, ends): (usize, &Option<Ends>)| {
            ends.and_then(|ends| shared.get(&key(series, ends.last))).map(|(_, place)| *place as u32)
        };
        grids.of_series = ends.iter().enumerate().map(number).collect();
        grids.check(panel, config.horizon)?;
        Ok(grids)
    }

    fn add(&mut self, cell: Option<Cell>, ends: Ends, ahead: usize, frequency: Frequency) {
        let found = self
            .axes
            .iter()
            .enumerate()
            .find_map(|(axis, span)| Some((axis, frequency.steps_between(span.origin, ends.last)?)));
        let (axis, last) = found.unwrap_or_else(|| {
            self.axes.push(Span { origin: ends.last, first: 0, last: 0 });
            (self.axes.len() - 1, 0)
        });
        let before = frequency.steps_between(ends.first, ends.last).unwrap_or(0).max(0);
        let span = &mut self.axes[axis];
        span.first = span.first.min(last - before);
        span.last = span.last.max(last + ahead as i64);
        self.parts.push(Grid { cell, axis, last, history: before as usize + 1, ahead });
    }

    /// Limits the steps that gaps and early ends of series add, relative to the rows of the panel. The horizon has a
    /// limit of its own.
    fn check(&self, panel: &Panel, horizon: usize) -> Result<(), Failure> {
        let most = most_steps(panel.timestamps.len(), USUAL_COLUMNS);
        let late = |grid: &Grid| (grid.ahead - horizon) as u64;
        let found: u64 = self.parts.iter().map(|grid| grid.history as u64 + late(grid)).sum();
        let steps: u64 = self.parts.iter().map(|grid| grid.steps() as u64).sum();
        let labels: i64 = self.axes.iter().map(|span| span.last - span.first + 1).sum();
        let added: u64 = self.of_series.iter().flatten().map(|grid| late(&self.parts[*grid as usize])).sum();
        if steps > MOST_STEPS || found > most {
            let most = most.min(MOST_STEPS);
            return Err(too_many(steps, "steps over all places and last observations", most));
        }
        if labels > MOST_LABELS {
            return Err(too_many(labels, "different time stamps", MOST_LABELS));
        }
        if added > most {
            return Err(too_many(added, "steps between the ends of series and that of the latest", most));
        }
        Ok(())
    }
}

/// The last observation, and the earliest row from which whole steps lead to it.
fn ends_of(panel: &Panel, series: usize, frequency: Frequency) -> Option<Ends> {
    let (stamps, targets) = panel.series(series);
    let last = stamps[targets.iter().rposition(|target| !target.is_nan())?];
    let first = stamps.iter().copied().find(|&stamp| frequency.steps_between(stamp, last).is_some())?;
    Some(Ends { first, last })
}

fn too_many(count: impl std::fmt::Display, of: &str, most: impl std::fmt::Display) -> Failure {
    let message =
        format!("Covariates from outside would be needed for {count} {of}; at most {most} can be looked up");
    ContentError::new("too_many_lookups", Kind::TooLarge, message)
        .suggestion(
            "Look for a wrong time stamp, leave out series that ended long ago, give fewer places, or split the \
                dataset.",
        )
        .into()
}
