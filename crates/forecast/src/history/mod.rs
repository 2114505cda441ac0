//! One series on the regular grid, and the class of models that suits it.

pub(crate) mod class;
pub(crate) mod closed;
pub(crate) mod fill;
pub(crate) mod outliers;

use std::borrow::Cow;

use tabcast_calendar::{Frequency, Micros, align};

use crate::history::fill::fill_gaps;
use crate::run::plan::Plan;

/// A regular, finite history on the panel's frequency.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct History {
    /// Oldest first; not empty.
    pub(crate) values: Vec<f64>,
    /// Where the steps of the forecast are counted from: an earlier step, because 31 January plus two months is
    /// 31 March, and 28 February plus one is not.
    pub(crate) origin: Micros,
    /// Steps from the origin to the last value.
    pub(crate) steps: i64,
    /// One column a regressor, with a value for each of the values and then for each step of the horizon.
    pub(crate) regressors: Vec<Vec<f64>>,
    /// Values of regressors ahead that were far outside of their history, and drawn in.
    pub(crate) drawn_in: usize,
    /// Whether each value was observed, not filled; empty when all were.
    pub(crate) observed: Vec<bool>,
    /// Steps without an observation that were filled.
    pub(crate) filled: usize,
    /// Rows whose timestamp lay beside its step, or that gave way to a later row on the same step.
    pub(crate) moved: usize,
    /// Of these, rows that gave way.
    pub(crate) merged: usize,
    /// Rows after the last observation; they are future rows.
    pub(crate) trailing: usize,
    /// Values far outside of everything else that gave way to what is usual at their place.
    pub(crate) outliers: usize,
    /// Whether the timestamps did not fit the frequency, so that the values were taken as neighbours.
    pub(crate) off_grid: bool,
}

/// Room for stamps that are snapped across the edge of the window.
const WINDOW_SLACK: usize = 8;

impl History {
    /// Puts a series on the grid: rows before the first and after the last observation are dropped, what is older than
    /// the preset looks at is cut off, missing steps are filled. `None` when there is no observation at all.
    pub(crate) fn of(timestamps: &[Micros], targets: &[f64], plan: &Plan) -> Option<Self> {
        let observed = |target: &f64| !target.is_nan();
        let first = targets.iter().position(observed)?;
        let end = targets.iter().rposition(observed)? + 1;
        let trailing = targets.len() - end;
        let last = timestamps[end - 1];

        // Cut by time before anything is allocated: two stamps a century apart are 3 billion seconds.
        let window = plan.history;
        let oldest = plan.frequency.advance(last, -(window as i64 - 1));
        let cut = first + timestamps[first..end].partition_point(|&stamp| stamp < oldest);
        let begin = cut + targets[cut..end].iter().position(observed).unwrap_or(0);

        let on_grid =
            align(&timestamps[begin..end], &targets[begin..end], plan.frequency, window + WINDOW_SLACK);
        match on_grid {
            // One observation in the window says less than the last ones of the whole series, wherever they lie.
            Ok(aligned) if aligned.values.len() > 1 || begin == first => {
                // A null may have taken the first step from the observation there.
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

    /// What was known before `start`, and of the regressors `horizon` steps more.
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

    /// A stretch of the values, with what belongs to them.
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

    /// The last `count` values, with what belongs to them.
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

    /// The stamp of the value at `index`, and beyond the values of the steps that follow.
    pub(crate) fn stamp(&self, index: usize, frequency: Frequency) -> Micros {
        frequency.advance(self.origin, self.steps + 1 + index as i64 - self.values.len() as i64)
    }

    /// The stamp of the forecast's step `step`, 1 for the first.
    pub(crate) fn future(&self, step: usize, frequency: Frequency) -> Micros {
        frequency.advance(self.origin, self.steps + step as i64)
    }
}
