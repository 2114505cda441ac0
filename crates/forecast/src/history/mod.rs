//! One series on a regular grid, and its class.

pub(crate) mod class;
pub(crate) mod closed;
pub(crate) mod fill;
pub(crate) mod outliers;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tabcast_calendar::{Frequency, Micros, align};

use crate::history::fill::fill_gaps;
use crate::run::plan::Plan;

/// A regular, finite history at the panel's frequency.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    /// Oldest first; not empty.
    pub(crate) values: Vec<f64>,
    /// The stamp from which the forecast's steps are counted. It is an earlier step, not the last one: 31 January plus
    /// two months is 31 March, but 28 February plus one month is not.
    pub(crate) origin: Micros,
    /// Steps from the origin to the last value.
    pub(crate) steps: i64,
    /// One column per regressor, with a value for each of the values and then for each step of the horizon.
    pub(crate) regressors: Vec<Vec<f64>>,
    /// Number of future regressor values that were far outside their history and were clamped.
    pub(crate) drawn_in: usize,
    /// Whether each value was observed rather than filled; empty when all were observed.
    pub(crate) observed: Vec<bool>,
    /// Number of steps without an observation that were filled.
    pub(crate) filled: usize,
    /// Number of rows whose timestamp lay off its step, or that were replaced by a later row on the same step.
    pub(crate) moved: usize,
    /// Of these, the replaced rows.
    pub(crate) merged: usize,
    /// Rows after the last observation, that is, future rows.
    pub(crate) trailing: usize,
    /// Number of values far outside all others that were replaced by the usual value at their position.
    pub(crate) outliers: usize,
    /// Whether the timestamps did not fit the frequency, so that the values were treated as consecutive.
    pub(crate) off_grid: bool,
}

/// Room for stamps that snap across the edge of the window.
const WINDOW_SLACK: usize = 8;

impl History {
    /// Puts a series on the grid: drops rows before the first and after the last observation, cuts off what the preset
    /// does not use, and fills missing steps. `None` without any observation.
    pub(crate) fn of(timestamps: &[Micros], targets: &[f64], plan: &Plan) -> Option<Self> {
        let observed = |target: &f64| !target.is_nan();
        let first = targets.iter().position(observed)?;
        let end = targets.iter().rposition(observed)? + 1;
        let trailing = targets.len() - end;
        let last = timestamps[end - 1];

        // Cuts by time before allocating: two stamps a century apart span 3 billion seconds.
        let window = plan.history;
        let oldest = plan.frequency.advance(last, -(window as i64 - 1));
        let cut = first + timestamps[first..end].partition_point(|&stamp| stamp < oldest);
        let begin = cut + targets[cut..end].iter().position(observed).unwrap_or(0);

        let on_grid =
            align(&timestamps[begin..end], &targets[begin..end], plan.frequency, window + WINDOW_SLACK);
        match on_grid {
            // A single observation in the window is worth less than the last ones of the whole series, wherever they
            // are.
            Ok(aligned) if aligned.values.len() > 1 || begin == first => {
                // A null row may have replaced the observation on the first step.
                let lead = aligned.values.iter().position(observed)?;
                let mut values = aligned.values[lead..].to_vec();
                let known: Vec<bool> = values.iter().map(observed).collect();
                let filled = fill_gaps(&mut values, plan.season);
                Some(Self {
                    origin: aligned.start,
                    steps: aligned.values.len() as i64 - 1,
                    values,
                    regressors: Vec::new(),
                    drawn_in: 0,
                    observed: if filled > 0 { known } else { Vec::new() },
                    filled,
                    moved: aligned.snapped + aligned.merged,
                    merged: aligned.merged,
                    trailing,
                    outliers: 0,
                    off_grid: false,
                })
            }
            _ => {
                let all: Vec<f64> = targets[first..end].iter().copied().filter(observed).collect();
                let values = all[all.len().saturating_sub(window)..].to_vec();
                Some(Self { values, origin: last, trailing, off_grid: true, ..Self::default() })
            }
        }
    }

    /// The values known before `start`, and the regressors `horizon` steps further.
    pub(crate) fn before(&self, start: usize, horizon: usize) -> Self {
        let known = |column: &Vec<f64>| column[..start + horizon].to_vec();
        Self {
            values: self.values[..start].to_vec(),
            regressors: self.regressors.iter().map(known).collect(),
            observed: self.observed.get(..start).map(<[bool]>::to_vec).unwrap_or_default(),
            origin: self.origin,
            steps: self.steps - (self.values.len() - start) as i64,
            off_grid: self.off_grid,
            ..Self::default()
        }
    }

    /// A stretch of the values, with its regressors and flags.
    pub(crate) fn part(&self, stretch: std::ops::Range<usize>) -> Self {
        Self {
            values: self.values[stretch.clone()].to_vec(),
            regressors: self.regressors.iter().map(|column| column[stretch.clone()].to_vec()).collect(),
            observed: self.observed.get(stretch.clone()).map(<[bool]>::to_vec).unwrap_or_default(),
            origin: self.origin,
            steps: self.steps - (self.values.len() - stretch.end) as i64,
            off_grid: self.off_grid,
            ..Self::default()
        }
    }

    /// The last `count` values, with their regressors and flags.
    pub(crate) fn recent(&self, count: usize) -> Cow<'_, Self> {
        let cut = self.values.len().saturating_sub(count);
        if cut == 0 {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self {
            values: self.values[cut..].to_vec(),
            regressors: self.regressors.iter().map(|column| column[cut..].to_vec()).collect(),
            observed: self.observed.get(cut..).map(<[bool]>::to_vec).unwrap_or_default(),
            ..*self
        })
    }

    /// The stamp of the value at `index`; beyond the values, of the steps that follow.
    pub(crate) fn stamp(&self, index: usize, frequency: Frequency) -> Micros {
        frequency.advance(self.origin, self.steps + 1 + index as i64 - self.values.len() as i64)
    }

    /// The stamp of the forecast's step `step`, 1 for the first.
    pub(crate) fn future(&self, step: usize, frequency: Frequency) -> Micros {
        frequency.advance(self.origin, self.steps + step as i64)
    }
}
