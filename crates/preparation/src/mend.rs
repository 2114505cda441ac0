//! Handles the anomalies and missing steps of each series.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tabcast_calendar::Micros;
use tabcast_table::shorten_to;

use crate::anomalies::{Found, handle};
use crate::fill::fill;
use crate::made::count;
use crate::panel::{NO_ROW, Panel};
use crate::places::Steps;
use crate::summary::{ID_CHARACTERS, MOST_EXAMPLES};
use crate::{AnomalyExample, AnomalyHandling, AnomalySummary, Failure, MissingHandling};

/// Number of series that are mended before their rows are appended to the result.
const SERIES_AT_ONCE: usize = 1_024;

/// What to do.
pub(crate) struct Mending<'a> {
    pub(crate) steps: Steps,
    /// The season length in steps; 1 for no season.
    pub(crate) season: usize,
    pub(crate) missing: MissingHandling,
    pub(crate) anomalies: AnomalyHandling,
    /// The maximum number of rows of the result.
    pub(crate) max_rows: u64,
    /// Columns that name the series, and are the same in each of its rows.
    pub(crate) levels: &'a [String],
}

/// The changes that mending made.
#[derive(Default)]
pub(crate) struct Mended {
    pub(crate) filled: u64,
    pub(crate) dropped: u64,
    pub(crate) anomalies: AnomalySummary,
}

/// A mended series.
struct Series {
    times: Vec<Micros>,
    targets: Vec<f64>,
    /// The row of the panel that each row comes from, or [`NO_ROW`].
    rows: Vec<u32>,
    done: Mended,
}

impl Series {
    fn with_capacity(rows: usize) -> Self {
        Self {
            times: Vec::with_capacity(rows),
            targets: Vec::with_capacity(rows),
            rows: Vec::with_capacity(rows),
            done: Mended::default(),
        }
    }

    fn push(&mut self, time: Micros, target: f64, row: u32) {
        self.times.push(time);
        self.targets.push(target);
        self.rows.push(row);
    }
}

impl Mending<'_> {
    /// # Errors
    /// `too_many_rows` if filling would exceed the maximum number of rows, and `gap_too_long` if nearly all rows of the
    /// result would be filled ones.
    pub(crate) fn mend(&self, mut panel: Panel, cancel: &AtomicBool) -> Result<(Panel, Mended), Failure> {
        // Rows are counted before they are created, because a few megabytes of series with long gaps could become tens
        // of gigabytes.
        let made = count(&panel, self.steps, self.missing, self.max_rows, cancel)?;
        let (mut times, mut targets) = (Vec::with_capacity(made), Vec::with_capacity(made));
        let mut from = Vec::with_capacity(made);
        let (mut ids, mut offsets) = (Vec::with_capacity(panel.ids.len()), vec![0]);
        // One row of each series; the columns that name the series are read from it.
        let mut rows_of = Vec::with_capacity(panel.ids.len());
        let mut done = Mended::default();
        // The series are mended in parts, so that the result is never in memory twice.
        for first in (0..panel.ids.len()).step_by(SERIES_AT_ONCE) {
            let part: Vec<Series> = (first..panel.ids.len().min(first + SERIES_AT_ONCE))
                .into_par_iter()
                .map(|index| {
                    if cancel.load(Ordering::Relaxed) {
                        return Err(Failure::Cancelled);
                    }
                    Ok(self.mend_series(&panel, index))
                })
                .collect::<Result<_, _>>()?;
            for (index, mut series) in (first..).zip(part) {
                done.filled += series.done.filled;
                done.dropped += series.done.dropped;
                done.anomalies.found += series.done.anomalies.found;
                done.anomalies.changed += series.done.anomalies.changed;
                let room = MOST_EXAMPLES - done.anomalies.examples.len();
                done.anomalies.examples.extend(series.done.anomalies.examples.drain(..).take(room));
                // Dropping may have left the series without rows.
                if !series.rows.is_empty() {
                    times.append(&mut series.times);
                    targets.append(&mut series.targets);
                    from.append(&mut series.rows);
                    offsets.push(times.len());
                    ids.push(std::mem::take(&mut panel.ids[index]));
                    rows_of.push(panel.offsets[index] as u32);
                }
            }
        }
        let of_levels = self.levels.first().map(|_| known_rows(&from, &offsets, &rows_of));
        let covariates = panel
            .covariates
            .into_iter()
            .map(|(name, values)| {
                let rows = of_levels.as_ref().filter(|_| self.levels.contains(&name)).unwrap_or(&from);
                (name, values.gather(rows))
            })
            .collect();
        Ok((Panel { ids, offsets, times, targets, covariates }, done))
    }

    fn mend_series(&self, panel: &Panel, index: usize) -> Series {
        let range = panel.offsets[index]..panel.offsets[index + 1];
        let (times, targets) = (&panel.times[range.clone()], &panel.targets[range.clone()]);
        let row = |at: usize| (range.start + at) as u32;
        let Some(places) = self.steps.places(times, targets) else {
            // The reader of the prepared file reports any fault of this series.
            let mut series = Series::with_capacity(times.len());
            (0..times.len()).for_each(|at| series.push(times[at], targets[at], row(at)));
            return series;
        };
        let beside = times.len() - places.rows.len();
        let most = if self.missing.fills() { places.steps } else { places.rows.len() };
        let mut series = Series::with_capacity(beside + most);
        let mut values = vec![f64::NAN; places.steps];
        let mut rows = vec![NO_ROW; places.steps];
        for at in places.rows.clone() {
            let step = places.step(times[at]);
            (values[step], rows[step]) = (targets[at], row(at));
        }
        let time_of =
            |step: usize| panel.times.get(rows[step] as usize).copied().unwrap_or_else(|| places.stamp(step));
        let before = values.clone();
        let found = handle(&mut values, self.season, self.anomalies);
        keep_end(&mut values, &found);
        series.done.filled = fill(&mut values, self.missing);
        series.done.anomalies.found = found.len() as u64;
        for anomaly in &found {
            let used = values[anomaly.at];
            let is_changed = used != before[anomaly.at];
            series.done.anomalies.changed += u64::from(is_changed);
            if series.done.anomalies.examples.len() < MOST_EXAMPLES {
                series.done.anomalies.examples.push(AnomalyExample {
                    item_id: shorten_to(&panel.ids[index], ID_CHARACTERS).into_owned(),
                    timestamp: time_of(anomaly.at),
                    value: anomaly.value,
                    used_instead: Some(used).filter(|used| is_changed && !used.is_nan()),
                });
            }
        }
        let drops = self.missing == MissingHandling::Drop;
        if drops {
            series.done.dropped = places.rows.start as u64;
        } else {
            (0..places.rows.start).for_each(|at| series.push(times[at], targets[at], row(at)));
        }
        for (step, value) in values.iter().enumerate() {
            if !value.is_nan() || (rows[step] != NO_ROW && !drops) {
                series.push(time_of(step), *value, rows[step]);
            } else {
                series.done.dropped += u64::from(rows[step] != NO_ROW);
            }
        }
        for at in places.rows.end..times.len() {
            series.push(times[at], targets[at], row(at));
        }
        series
    }
}

/// The row of the panel that each row comes from; for a filled row, another row of its series.
fn known_rows(from: &[u32], offsets: &[usize], rows_of: &[u32]) -> Vec<u32> {
    let mut rows = from.to_vec();
    for (pair, known) in offsets.windows(2).zip(rows_of) {
        rows[pair[0]..pair[1]].iter_mut().filter(|row| **row == NO_ROW).for_each(|row| *row = *known);
    }
    rows
}

/// The forecast begins behind the last value, so that what was removed there becomes the value before: nobody asked
/// for a forecast of times that the data have.
fn keep_end(values: &mut [f64], found: &[Found]) {
    let Some(last) = values.iter().rposition(|value| !value.is_nan()) else { return };
    for anomaly in found.iter().filter(|anomaly| anomaly.at > last) {
        values[anomaly.at] = values[last];
    }
}
