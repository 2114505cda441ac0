//! The input of every model: one regular series.

use crate::Interrupt;

/// One regular time series, oldest value first.
///
/// The values are finite and there are at least two of them; [`Model::fit`](crate::Model::fit) refuses
/// anything else with [`Unfit`](crate::Unfit). Missing steps are filled by the caller.
#[derive(Debug, Clone, Copy)]
pub struct Series<'a> {
    /// Observations at equally spaced steps, oldest first.
    pub values: &'a [f64],
    /// The primary season length in steps, 1 when there is none.
    pub season_length: usize,
    /// All plausible season lengths in steps, ascending (hourly data: 24 and 168). May be empty, which means
    /// the same as the primary season length alone.
    pub periods: &'a [usize],
    /// External regressors, one column each: a value for every observation and then for every step of the horizon.
    /// Columns of different lengths are cut to the shortest; beyond its end, a regressor repeats its last value. Models
    /// that cannot use regressors ignore them.
    pub regressors: &'a [Vec<f64>],
    /// Whether a search that knows several starts only uses the most promising one.
    pub one_start: bool,
    /// Stops the fit early.
    pub interrupt: Interrupt<'a>,
}

impl<'a> Series<'a> {
    /// A series without a season.
    pub const fn without_season(values: &'a [f64]) -> Self {
        Self {
            values,
            season_length: 1,
            periods: &[],
            regressors: &[],
            one_start: false,
            interrupt: Interrupt::NEVER,
        }
    }

    /// A series with one season length.
    pub const fn with_season(values: &'a [f64], season_length: usize) -> Self {
        Self { season_length, ..Self::without_season(values) }
    }

    /// The number of observations.
    pub const fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no observations at all.
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The season lengths above 1 for which the series has at least `cycles` whole cycles, ascending and without
    /// duplicates.
    pub fn usable_periods(&self, cycles: usize) -> Vec<usize> {
        let fits = |&period: &usize| period > 1 && period.saturating_mul(cycles) <= self.len();
        let mut periods: Vec<usize> =
            self.periods.iter().copied().chain([self.season_length]).filter(fits).collect();
        periods.sort_unstable();
        periods.dedup();
        periods
    }
}
