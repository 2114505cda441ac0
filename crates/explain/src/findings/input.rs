//! What is looked at.

/// A series on a regular grid, with the forecast that was made of it.
#[derive(Debug, Clone, Copy)]
pub struct Series<'a> {
    /// Index of the first step of `history` in the panel's grid.
    pub start: usize,
    /// Oldest first; NaN where it is missing. Nothing is found where a value is beyond 1e300, so that no sum overflows.
    pub history: &'a [f64],
    /// What is known besides: columns with a value for each of `history` at least.
    pub regressors: &'a [Vec<f64>],
    /// Steps of the main season; 0 or 1 for none.
    pub season_length: usize,
    /// Index of the newest step that any series of the panel has.
    pub newest: usize,
    /// What was put right before `history` was made.
    pub counts: Counts,
    /// The forecast of the steps after `history`.
    pub forecast: Forecast<'a>,
    /// None where nothing was backtested.
    pub backtest: Option<Backtest<'a>>,
}

/// What was put right in a series.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Steps without an observation, whether they are NaN in the history or were filled.
    pub missing: usize,
    /// Rows that gave way to another row on the same step.
    pub duplicates: usize,
}

/// A value a step of the horizon in each of the slices; an empty slice where it is not known.
#[derive(Debug, Clone, Copy, Default)]
pub struct Forecast<'a> {
    /// Means.
    pub mean: &'a [f64],
    /// 0.1 quantiles.
    pub lower: &'a [f64],
    /// Medians.
    pub median: &'a [f64],
    /// 0.9 quantiles.
    pub upper: &'a [f64],
}

/// Forecasts of steps that had been held back.
#[derive(Debug, Clone, Copy, Default)]
pub struct Backtest<'a> {
    /// Forecast minus actual value, in the order of the steps; windows follow each other.
    pub errors: &'a [f64],
    /// The same of the seasonal naive forecast: the value of a season (a step where there is none) before.
    pub naive_errors: &'a [f64],
    /// Steps of that season, which need not be that of the series; 0 or 1 for none.
    pub naive_season: usize,
    /// Share of the actual values between the 0.1 and the 0.9 quantile; NaN where it is not known.
    pub coverage: f64,
}

impl Series<'_> {
    /// Whether a value is too large to be looked at.
    pub(super) fn is_beyond(&self) -> bool {
        self.history.iter().any(|value| !value.is_nan() && !usable(*value))
    }
}

/// Whether a number is there, and small enough to be added up.
pub(super) fn usable(value: f64) -> bool {
    value.abs() <= 1e300
}
