//! The series of a table, each in chronological order.

use rayon::prelude::*;
use tabcast_calendar::Micros;

use crate::batch::Part;
use crate::group::{Grouped, group};
use crate::verify::find_faults;
use crate::{Panel, ReadError, ReadOptions};

/// Series with one row per time. Among rows with the same time, the smallest target counts, so that the order of the
/// rows does not matter.
pub(super) struct Series {
    pub(super) panel: Panel,
    /// Number of rows that shared series and time with another row.
    pub(super) repeats: usize,
    /// For each series, its rows from the first target to the last; empty if it has none.
    pub(super) observed: Vec<std::ops::Range<usize>>,
}

impl Series {
    pub(super) fn of(parts: Vec<Part>, options: &ReadOptions) -> Result<Series, ReadError> {
        let Grouped { mut panel, mut covariates, .. } = group(parts, options)?;
        // Called for its sorting; faults of the series do not matter here.
        find_faults(&mut panel, &mut covariates, options)?;
        let repeats = merge_repeats(&mut panel);
        let observed = (0..panel.len())
            .into_par_iter()
            .map(|series| {
                let rows = panel.offsets[series]..panel.offsets[series + 1];
                let has_target = |row: &usize| !panel.targets[*row].is_nan();
                let first = rows.clone().find(has_target);
                let last = rows.clone().rev().find(has_target);
                first.zip(last).map_or(rows.start..rows.start, |(first, last)| first..last + 1)
            })
            .collect();
        Ok(Series { panel, repeats, observed })
    }

    pub(super) fn has_target(&self) -> bool {
        self.observed.iter().any(|rows| !rows.is_empty())
    }

    /// The time of the last target of a series.
    pub(super) fn last_time(&self, series: usize) -> Option<Micros> {
        let rows = &self.observed[series];
        (!rows.is_empty()).then(|| self.panel.timestamps[rows.end - 1])
    }

    /// Number of rows after the last target: of all series, and of the series with the fewest.
    pub(super) fn future_rows(&self) -> (usize, usize) {
        let ends = self.panel.offsets.iter().skip(1);
        let observed = self.observed.iter().zip(ends).filter(|(rows, _)| !rows.is_empty());
        let behind = || observed.clone().map(|(rows, end)| end - rows.end);
        (behind().sum(), behind().min().unwrap_or(0))
    }

    /// Up to `most` series that `fits` accepts, spread evenly.
    pub(super) fn sample(&self, most: usize, fits: impl Fn(&std::ops::Range<usize>) -> bool) -> Vec<usize> {
        let fitting: Vec<usize> =
            (0..self.observed.len()).filter(|series| fits(&self.observed[*series])).collect();
        let count = fitting.len().min(most);
        (0..count).map(|place| fitting[place * fitting.len() / count]).collect()
    }
}

/// Keeps one row per time; returns the number of removed rows.
fn merge_repeats(panel: &mut Panel) -> usize {
    let before = panel.timestamps.len();
    let (mut kept, mut start) = (0, 0);
    for series in 0..panel.len() {
        let end = panel.offsets[series + 1];
        let first = kept;
        for row in start..end {
            let (time, target) = (panel.timestamps[row], panel.targets[row]);
            if kept > first && panel.timestamps[kept - 1] == time {
                // Takes the smaller of two numbers, and a number rather than nothing.
                panel.targets[kept - 1] = panel.targets[kept - 1].min(target);
            } else {
                panel.timestamps[kept] = time;
                panel.targets[kept] = target;
                kept += 1;
            }
        }
        start = end;
        panel.offsets[series + 1] = kept;
    }
    panel.timestamps.truncate(kept);
    panel.targets.truncate(kept);
    panel.rows = kept;
    before - kept
}
