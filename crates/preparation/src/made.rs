//! Counts the rows that filling would create, before it creates any.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tabcast_calendar::most_steps;
use tabcast_table::{ContentError, Kind};

use crate::panel::Panel;
use crate::places::{Steps, most_steps_of};
use crate::{Failure, MissingHandling};

/// The extent of a series: its rows with a value, and the steps that they span.
#[derive(Clone, Copy, Default)]
struct Stretch {
    series: usize,
    rows: usize,
    steps: usize,
}

/// The rows that some series will have after filling.
#[derive(Clone, Copy, Default)]
struct Made {
    rows: u64,
    /// The first series with far more steps than rows.
    sparse: Option<Stretch>,
    /// The series with the most steps; the first if several have as many.
    longest: Stretch,
}

impl Made {
    /// Combines these series with `next`, the series that follow them.
    fn and(self, next: Self) -> Self {
        let longest = if next.longest.steps > self.longest.steps { next.longest } else { self.longest };
        Self { rows: self.rows + next.rows, sparse: self.sparse.or(next.sparse), longest }
    }
}

/// The maximum number of rows after filling; it is exact if all gaps are filled. Counting needs no memory for gaps.
///
/// # Errors
/// `too_many_rows` and `gap_too_long`, which name the series with the most steps, or one with far more steps than rows.
pub(crate) fn count(
    panel: &Panel,
    steps: Steps,
    missing: MissingHandling,
    max_rows: u64,
    cancel: &AtomicBool,
) -> Result<usize, Failure> {
    let rows = panel.times.len();
    let made = (0..panel.ids.len())
        .into_par_iter()
        .map(|series| {
            if cancel.load(Ordering::Relaxed) {
                return Err(Failure::Cancelled);
            }
            Ok(of_series(panel, series, steps, missing))
        })
        .try_reduce(Made::default, |before, next| Ok(before.and(next)))?;
    let id = |stretch: Stretch| &panel.ids[stretch.series];
    if made.rows > max_rows {
        return Err(too_many_rows(max_rows).item(id(made.longest)).into());
    }
    if let Some(stretch) = made.sparse {
        let message = format!(
            "A series has {} rows with a value over {} steps, so that nearly all of it would be made up",
            stretch.rows, stretch.steps
        );
        return Err(gap_too_long(message).item(id(stretch)).into());
    }
    let most = most_steps(rows, 1 + panel.covariates.len());
    if made.rows > most {
        let message = format!(
            "With their missing steps the series have {} rows instead of {rows}, of which at most {most} can be made: \
                nearly all of them would be made up",
            made.rows
        );
        return Err(gap_too_long(message).item(id(made.longest)).into());
    }
    Ok(made.rows as usize)
}

fn of_series(panel: &Panel, series: usize, steps: Steps, missing: MissingHandling) -> Made {
    let range = panel.offsets[series]..panel.offsets[series + 1];
    let rows = range.len() as u64;
    let Some(places) = steps.places(&panel.times[range.clone()], &panel.targets[range]) else {
        return Made { rows, ..Made::default() };
    };
    let stretch = Stretch { series, rows: places.rows.len(), steps: places.steps };
    let is_sparse = stretch.steps as u64 > most_steps_of(stretch.rows);
    let filled = if missing.fills() { stretch.steps - stretch.rows } else { 0 };
    Made { rows: rows + filled as u64, sparse: is_sparse.then_some(stretch), longest: stretch }
}

fn too_many_rows(most: u64) -> ContentError {
    let message = format!("With its missing steps the data has more than {most} rows");
    ContentError::new("too_many_rows", Kind::TooLarge, message)
        .suggestion("Combine the rows into longer steps, or filter out the times before a long gap.")
}

fn gap_too_long(message: String) -> ContentError {
    ContentError::new("gap_too_long", Kind::Content, message).suggestion(
        "Look for a wrong time stamp, combine the rows into longer steps, or leave missing and anomalies \
            at none.",
    )
}
