//! Anomalies and missing steps of each series, on its steps.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;
use tabcast_calendar::{Frequency, Lattice, Micros, Periods};
use tabcast_table::{ContentError, Kind, shorten_to};

use crate::anomalies::{Found, handle};
use crate::fill::fill;
use crate::panel::{NO_ROW, Panel};
use crate::summary::{ID_CHARACTERS, MOST_EXAMPLES};
use crate::{AnomalyExample, AnomalyHandling, AnomalySummary, Failure, MissingHandling};

/// Steps of a series for each of its rows; with more, one time stamp is wrong rather than so many values missing.
pub(crate) const STEPS_A_ROW: u64 = 20;
/// So many it may have in any case.
pub(crate) const FREE_STEPS: u64 = 10_000;

/// The steps of series.
#[derive(Clone, Copy)]
pub(crate) enum Steps {
    /// The same for all.
    Periods(Periods),
    /// Of a frequency, each series as it lies.
    Own(Frequency),
}

/// What to do.
pub(crate) struct Mending {
    pub(crate) steps: Steps,
    /// Steps of a season; 1 for none.
    pub(crate) season: usize,
    pub(crate) missing: MissingHandling,
    pub(crate) anomalies: AnomalyHandling,
    /// Rows that may come of it.
    pub(crate) max_rows: u64,
}

/// What was done.
#[derive(Default)]
pub(crate) struct Mended {
    pub(crate) filled: u64,
    pub(crate) dropped: u64,
    pub(crate) anomalies: AnomalySummary,
}

/// A series afterwards.
#[derive(Default)]
struct Series {
    times: Vec<Micros>,
    targets: Vec<f64>,
    /// The row that each was, or [`NO_ROW`].
    rows: Vec<u32>,
    done: Mended,
}

impl Series {
    fn push(&mut self, time: Micros, target: f64, row: u32) {
        self.times.push(time);
        self.targets.push(target);
        self.rows.push(row);
    }
}

impl Mending {
    /// # Errors
    /// `too_many_rows` when gaps are so long that filling them would make more rows than a table may have.
    pub(crate) fn mend(&self, panel: Panel, cancel: &AtomicBool) -> Result<(Panel, Mended), Failure> {
        // Counted before they are made: a few megabytes of series with long gaps would become tens of gigabytes.
        let made = AtomicU64::new(0);
        let series: Vec<Series> = (0..panel.ids.len())
            .into_par_iter()
            .map(|index| {
                if cancel.load(Ordering::Relaxed) {
                    return Err(Failure::Cancelled);
                }
                self.mend_series(&panel, index, &made)
            })
            .collect::<Result<_, _>>()?;
        let mut offsets = vec![0];
        let (mut times, mut targets, mut from) = (Vec::new(), Vec::new(), Vec::new());
        let mut ids = Vec::with_capacity(panel.ids.len());
        let mut done = Mended::default();
        for (id, mut series) in panel.ids.into_iter().zip(series) {
            done.filled += series.done.filled;
            done.dropped += series.done.dropped;
            done.anomalies.found += series.done.anomalies.found;
            done.anomalies.changed += series.done.anomalies.changed;
            let room = MOST_EXAMPLES - done.anomalies.examples.len();
            done.anomalies.examples.extend(series.done.anomalies.examples.drain(..).take(room));
            // All its rows may have been dropped.
            if !series.rows.is_empty() {
                times.append(&mut series.times);
                targets.append(&mut series.targets);
                from.append(&mut series.rows);
                offsets.push(times.len());
                ids.push(id);
            }
        }
        let covariates =
            panel.covariates.into_iter().map(|(name, values)| (name, values.gather(&from))).collect();
        Ok((Panel { ids, offsets, times, targets, covariates }, done))
    }

    /// `made` counts the rows of all series.
    fn mend_series(&self, panel: &Panel, index: usize, made: &AtomicU64) -> Result<Series, Failure> {
        let range = panel.offsets[index]..panel.offsets[index + 1];
        let (times, targets) = (&panel.times[range.clone()], &panel.targets[range.clone()]);
        let row = |at: usize| (range.start + at) as u32;
        let mut series = Series::default();
        let places = self.observed_places(times, targets)?;
        let Some((first, numbers, time_of)) = places else {
            // The reader says what is wrong with it, if anything is.
            (0..times.len()).for_each(|at| series.push(times[at], targets[at], row(at)));
            return Ok(series);
        };
        let drops = self.missing == MissingHandling::Drop;
        let fills = !matches!(self.missing, MissingHandling::Drop | MissingHandling::None);
        let steps = if fills { numbers[numbers.len() - 1] + 1 } else { times.len() } as u64;
        if made.fetch_add(steps, Ordering::Relaxed) + steps > self.max_rows {
            return Err(self.too_many_rows().into());
        }
        let mut values = vec![f64::NAN; numbers[numbers.len() - 1] + 1];
        let mut rows = vec![NO_ROW; values.len()];
        for (at, number) in numbers.iter().enumerate() {
            values[*number] = targets[first + at];
            rows[*number] = row(first + at);
        }
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
                    timestamp: time_of(anomaly.at, rows[anomaly.at], panel),
                    value: anomaly.value,
                    used_instead: Some(used).filter(|used| is_changed && !used.is_nan()),
                });
            }
        }
        if drops {
            series.done.dropped = first as u64;
        } else {
            (0..first).for_each(|at| series.push(times[at], targets[at], row(at)));
        }
        for (at, value) in values.iter().enumerate() {
            if !value.is_nan() || (rows[at] != NO_ROW && !drops) {
                series.push(time_of(at, rows[at], panel), *value, rows[at]);
            } else {
                series.done.dropped += u64::from(rows[at] != NO_ROW);
            }
        }
        for at in first + numbers.len()..times.len() {
            series.push(times[at], targets[at], row(at));
        }
        Ok(series)
    }

    /// The first row with a value, and the numbers of the steps of the rows from there to the last one with a value,
    /// counted from the first; none where there is no value, or two rows share a step.
    #[allow(clippy::type_complexity, reason = "a step's time is that of its row, if it has one")]
    fn observed_places(
        &self,
        times: &[Micros],
        targets: &[f64],
    ) -> Result<Option<(usize, Vec<usize>, impl Fn(usize, u32, &Panel) -> Micros)>, Failure> {
        let first = targets.iter().position(|target| !target.is_nan());
        let last = targets.iter().rposition(|target| !target.is_nan());
        let (Some(first), Some(last)) = (first, last) else { return Ok(None) };
        let times = &times[first..=last];
        let lattice = match self.steps {
            Steps::Own(frequency) => Some(Lattice::of(times, frequency)),
            Steps::Periods(_) => None,
        };
        let steps = self.steps;
        let index = |time: Micros| match (lattice, steps) {
            (Some(lattice), _) => lattice.index(time),
            (None, Steps::Periods(periods)) => periods.index(time),
            (None, Steps::Own(_)) => 0,
        };
        let origin = index(times[0]);
        let length = index(times[times.len() - 1]) - origin + 1;
        if length as u64 > self.max_rows {
            return Err(self.too_many_rows().into());
        }
        if length as u64 > FREE_STEPS + STEPS_A_ROW * times.len() as u64 {
            return Err(too_sparse(times.len(), length).into());
        }
        let numbers: Vec<usize> = times.iter().map(|time| (index(*time) - origin) as usize).collect();
        if numbers.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Ok(None);
        }
        let time_of =
            move |at: usize, row: u32, panel: &Panel| match (panel.times.get(row as usize), lattice, steps) {
                (Some(time), ..) => *time,
                (None, Some(lattice), _) => lattice.stamp(origin + at as i64),
                (None, None, Steps::Periods(periods)) => periods.label(origin + at as i64),
                (None, None, Steps::Own(_)) => unreachable!("steps of their own have a lattice"),
            };
        Ok(Some((first, numbers, time_of)))
    }

    fn too_many_rows(&self) -> ContentError {
        let message = format!("With its missing steps the data has more than {} rows", self.max_rows);
        ContentError::new("too_many_rows", Kind::TooLarge, message)
            .suggestion("Combine the rows into longer steps, or filter out the times before a long gap.")
    }
}

/// The forecast begins behind the last value, so that what was removed there becomes the value before: nobody asked
/// for a forecast of times that the data have.
fn keep_end(values: &mut [f64], found: &[Found]) {
    let Some(last) = values.iter().rposition(|value| !value.is_nan()) else { return };
    for anomaly in found.iter().filter(|anomaly| anomaly.at > last) {
        values[anomaly.at] = values[last];
    }
}

fn too_sparse(rows: usize, steps: i64) -> ContentError {
    let message = format!(
        "A series has {rows} rows with a value over {steps} steps, so that nearly all of it would be made up"
    );
    ContentError::new("gap_too_long", Kind::Content, message).suggestion(
        "Look for a wrong time stamp, combine the rows into longer steps, or leave missing and anomalies \
            at none.",
    )
}
