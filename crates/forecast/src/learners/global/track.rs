//! One series as the global model sees it: values with running sums, covariates, stamps.

use tabcast_calendar::{Frequency, Micros};

use crate::history::History;

/// A covariate with fewer distinct values is categorical.
const FEWEST_NUMBERS: usize = 8;

/// A column of a covariate along a series.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// One value per step of the history, then of the horizon.
    pub(super) values: Vec<f64>,
    /// Unit of differences: 1 for flags, the standard deviation over the history for numbers.
    pub(super) unit: f64,
    pub(super) mean: f64,
}

/// A series in units of its largest value, with running sums that make the statistics of any stretch cheap.
#[derive(Debug, Clone)]
pub(super) struct Track {
    /// Oldest first, divided by `largest`.
    pub(super) values: Vec<f64>,
    /// False where a gap was filled; such steps are not training targets. Empty when all were observed.
    observed: Vec<bool>,
    pub(super) columns: Vec<Column>,
    /// Number of the series among the training series.
    pub(super) code: Option<usize>,
    pub(super) largest: f64,
    /// The sums are taken around this value to keep precision.
    centre: f64,
    origin: Micros,
    /// Steps from `origin` to the first value.
    first: i64,
    pub(super) frequency: Frequency,
    /// Main season, 1 for none.
    pub(super) season: usize,
    sums: Vec<f64>,
    squares: Vec<f64>,
    zeros: Vec<u32>,
    /// Running sums of absolute seasonal differences.
    differences: Vec<f64>,
}

impl Track {
    /// The first `length` values of a history. None if they cannot give a row: nothing varies, or the stamps are
    /// unusable.
    pub(super) fn new(
        history: &History,
        length: usize,
        code: Option<usize>,
        frequency: Frequency,
        season: usize,
    ) -> Option<Self> {
        let known = &history.values[..length];
        let largest = known.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if history.off_grid || !(largest > 0.0 && largest.is_finite()) {
            return None;
        }
        let values: Vec<f64> = known.iter().map(|value| value / largest).collect();
        let centre = values.iter().sum::<f64>() / values.len() as f64;
        let columns = history.regressors.iter().map(|values| Column::new(values.clone(), length)).collect();
        let mut track = Self {
            values: Vec::with_capacity(values.len()),
            observed: history.observed.get(..length).map(<[bool]>::to_vec).unwrap_or_default(),
            columns,
            code,
            largest,
            centre,
            origin: history.origin,
            first: history.steps + 1 - history.values.len() as i64,
            frequency,
            season,
            sums: vec![0.0],
            squares: vec![0.0],
            zeros: vec![0],
            differences: vec![0.0],
        };
        for value in values {
            track.push(value);
        }
        (track.differences[length] > 0.0).then_some(track)
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Adds the next value.
    pub(super) fn push(&mut self, value: f64) {
        let at = self.values.len();
        let last = |sums: &Vec<f64>| sums[at];
        let centred = value - self.centre;
        self.sums.push(last(&self.sums) + centred);
        self.squares.push(last(&self.squares) + centred * centred);
        self.zeros.push(self.zeros[at] + u32::from(value == 0.0));
        let difference =
            at.checked_sub(self.season).map_or(0.0, |before| (value - self.values[before]).abs());
        self.differences.push(last(&self.differences) + difference);
        self.values.push(value);
    }

    /// Removes the values from `length` on again.
    pub(super) fn truncate(&mut self, length: usize) {
        self.values.truncate(length);
        for sums in [&mut self.sums, &mut self.squares, &mut self.differences] {
            sums.truncate(length + 1);
        }
        self.zeros.truncate(length + 1);
    }

    pub(super) fn is_observed(&self, at: usize) -> bool {
        self.observed.get(at).copied().unwrap_or(true)
    }

    /// The mean of the values of a stretch that is not empty.
    pub(super) fn mean(&self, from: usize, to: usize) -> f64 {
        self.centre + (self.sums[to] - self.sums[from]) / (to - from) as f64
    }

    /// The standard deviation of a stretch that is not empty.
    pub(super) fn deviation(&self, from: usize, to: usize) -> f64 {
        let count = (to - from) as f64;
        let mean = (self.sums[to] - self.sums[from]) / count;
        ((self.squares[to] - self.squares[from]) / count - mean * mean).max(0.0).sqrt()
    }

    /// The share of zeros in a stretch that is not empty.
    pub(super) fn zeros(&self, from: usize, to: usize) -> f64 {
        f64::from(self.zeros[to] - self.zeros[from]) / (to - from) as f64
    }

    /// Mean absolute seasonal difference of a stretch that begins after the first season and is not empty.
    pub(super) fn difference(&self, from: usize, to: usize) -> f64 {
        (self.differences[to] - self.differences[from]) / (to - from) as f64
    }

    pub(super) fn stamp(&self, at: usize) -> Micros {
        self.frequency.advance(self.origin, self.first + at as i64)
    }
}

impl Column {
    fn new(values: Vec<f64>, length: usize) -> Self {
        let known = &values[..length];
        let mean = known.iter().sum::<f64>() / length as f64;
        let variance = known.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / length as f64;
        let mut seen: Vec<f64> = Vec::with_capacity(FEWEST_NUMBERS);
        for value in known {
            if seen.len() < FEWEST_NUMBERS && !seen.contains(value) {
                seen.push(*value);
            }
        }
        let is_flag = seen.iter().all(|value| *value == 0.0 || *value == 1.0);
        let deviation = variance.sqrt();
        let unit = if is_flag || !(deviation > 0.0 && deviation.is_finite()) { 1.0 } else { deviation };
        let mean = if is_flag || !mean.is_finite() { 0.0 } else { mean };
        Self { values, unit, mean }
    }

    /// The value of a step in the column's own units; beyond the known steps, the last known one.
    pub(super) fn at(&self, step: usize) -> f64 {
        (self.values[step.min(self.values.len() - 1)] - self.mean) / self.unit
    }
}
