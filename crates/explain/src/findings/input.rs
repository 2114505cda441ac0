//! The input of the rules.

/// A series on a regular grid, with its forecast.
#[derive(Debug, Clone, Copy)]
pub struct Series<'a> {
    /// Index of the first step of `history` in the panel's grid.
    pub start: usize,
    /// Oldest first; NaN if missing. There are no findings if a value exceeds 1e300, so that no sum overflows.
    pub history: &'a [f64],
    /// Regressors: columns with at least one value for each step of `history`.
    pub regressors: &'a [Vec<f64>],
    /// Length of the main season; 0 or 1 for none.
    pub season_length: usize,
    /// Index of the newest step of any series in the panel.
    pub newest: usize,
    /// Corrections made before `history` was built.
    pub counts: Counts,
    /// The forecast of the steps after `history`.
    pub forecast: Forecast<'a>,
    /// None without a backtest.
    pub backtest: Option<Backtest<'a>>,
}

/// Corrections made to a series.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Steps without an observation, whether NaN in the history or filled.
    pub missing: usize,
    /// Rows replaced by another row on the same step.
    pub duplicates: usize,
}

/// Each slice has one value per step of the horizon; it is empty if unknown.
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

/// Forecasts of held-back steps.
#[derive(Debug, Clone, Copy, Default)]
pub struct Backtest<'a> {
    /// Forecast minus actual value, in the order of the steps; windows are consecutive.
    pub errors: &'a [f64],
    /// The same for the seasonal naive forecast: the value one season (or one step, without a season) before.
    pub naive_errors: &'a [f64],
    /// Length of that season, which may differ from that of the series; 0 or 1 for none.
    pub naive_season: usize,
    /// Share of the actual values between the 0.1 and the 0.9 quantile; NaN if unknown.
    pub coverage: f64,
}

impl Series<'_> {
    /// Whether a value is too large to be examined.
    pub(super) fn is_beyond(&self) -> bool {
        self.history.iter().any(|value| !value.is_nan() && !usable(*value))
    }
}

/// Whether a number is finite and small enough to be summed.
pub(super) fn usable(value: f64) -> bool {
    value.abs() <= 1e300
}
