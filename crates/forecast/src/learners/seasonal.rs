//! The seasonal regression: a model of a single series that is weighted like the global models, because it learns from
//! much longer histories than the members of a class.

use tabcast_models::{Forecast, Interrupt, Series};

use crate::history::History;
use crate::preset::Preset;
use crate::run::members::ask_model;
use crate::run::plan::Plan;
use crate::run::timers::Timers;

/// The registry name of the model.
pub(crate) const NAME: &str = "seasonal_regression";
/// Older steps are not used.
const LONGEST: usize = 60_000;
/// Most steps of all sampled series together.
const MOST_VALUES: usize = 20_000_000;

/// Whether the model takes part: at high frequencies, without covariates.
pub(crate) fn joins(plan: &Plan, columns: usize) -> bool {
    plan.preset != Preset::Fast && plan.is_high_frequency() && columns == 0
}

/// Number of steps that it uses of each of `series` histories.
pub(crate) fn longest_history(plan: &Plan, series: usize) -> usize {
    (MOST_VALUES / series.max(1)).clamp(plan.max_history(), LONGEST.max(plan.max_history()))
}

/// The forecast after the first `length` values.
pub(crate) fn forecast(
    history: &History,
    length: usize,
    horizon: usize,
    plan: &Plan,
    timers: &Timers,
) -> Option<Forecast> {
    if !joins(plan, history.regressors.len()) {
        return None;
    }
    let series = Series {
        periods: &plan.periods,
        interrupt: Interrupt::when(&plan.cancel).or_after(plan.deadline),
        ..Series::with_season(&history.values[length.saturating_sub(LONGEST)..length], plan.season)
    };
    ask_model(NAME, &series, horizon, timers)
}
