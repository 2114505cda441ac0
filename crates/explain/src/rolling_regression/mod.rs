//! Rolling regressions: regression coefficients in windows that move along a series.

mod changes;
mod choice;
mod newey_west;
mod series_windows;
mod table;
mod total;
mod window;

use rayon::prelude::*;

use crate::{Features, MIN_ROWS, SeriesRows, Skip, Stop};
use choice::choose;
use series_windows::{Plan, Regressed, regress};

pub use table::{CoefficientChanges, Coefficients, RollingRegression};
pub use total::panel_total;

/// Limits of the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RollingRegressionOptions {
    /// Season length in rows; below 2 for none.
    pub season: usize,
    /// Maximum number of series; [`panel_total`] makes one series of more.
    pub max_series: usize,
    /// Maximum number of windows per series; if there would be more, they move in longer steps.
    pub max_windows: usize,
}

impl Default for RollingRegressionOptions {
    fn default() -> Self {
        Self { season: 0, max_series: 1_000, max_windows: 500 }
    }
}

/// Regresses `target` on at most five numeric columns in each series, window by window.
///
/// A window has `max(3 · season, 10 · (p + 1), 24)` rows, where p is the number of features. Windows move by a quarter
/// of that, and the last one ends with the series. Rows in which the target or a feature is not finite are left out; a
/// window needs three quarters of its rows, a series 50 rows and one whole window. The result is descriptive, not
/// causal.
///
/// Source: ridge regression of Hoerl and Kennard (1970) with standard errors of Newey and West (1987).
///
/// # Errors
///
/// [`Skip::TooManySeries`] beyond `max_series`; [`Skip::NoFeatures`] without a numeric column that varies where the
/// target is known, or with a constant target; [`Skip::NotEnoughRows`] if no series has a window; [`Skip::Timeout`] if
/// `stop` returns true.
///
/// # Panics
///
/// If `target` or `series` and `features` differ in their number of rows.
pub fn rolling_regression(
    features: &Features,
    target: &[f64],
    series: &SeriesRows,
    options: &RollingRegressionOptions,
    stop: Stop<'_>,
) -> Result<RollingRegression, Skip> {
    assert_eq!((target.len(), series.rows()), (features.rows(), features.rows()), "rows");
    if series.count() > options.max_series {
        return Err(Skip::TooManySeries);
    }
    let mut known = target.iter().copied().filter(|value| value.is_finite());
    let first = known.next();
    let varies = known.any(|value| Some(value) != first);
    if target.iter().filter(|value| value.is_finite()).count() < MIN_ROWS {
        return Err(Skip::NotEnoughRows);
    }
    let chosen = if varies { choose(features, target, series, stop)? } else { Vec::new() };
    if chosen.is_empty() {
        return Err(Skip::NoFeatures);
    }
    let plan = Plan::new(features, target, &chosen, options);
    let ranges: Vec<_> = series.ranges().collect();
    let found: Vec<Option<Regressed>> = ranges
        .into_par_iter()
        .map(|range| if stop() { Err(Skip::Timeout) } else { Ok(regress(&plan, range)) })
        .collect::<Result<_, _>>()?;
    let names = chosen.iter().map(|&place| features.columns()[place].name.clone()).collect();
    let table = RollingRegression::new(names, plan.window, &found);
    if table.coefficients.feature.is_empty() { Err(Skip::NotEnoughRows) } else { Ok(table) }
}
