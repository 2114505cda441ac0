//! Donors before stretches that the backtest did not use.
//!
//! A shock that hits all donors at once averages out over more periods, not over more donors.

use rayon::prelude::*;

use super::donors::{Before, Donors, non_negative, repeated, usual_season};
use crate::combination::combinations::Combinations;
use crate::learners::global::GlobalPanel;
use crate::learners::pooled::PooledPanel;
use crate::preset::Preset;
use crate::run::plan::Plan;
use crate::run::series_forecast::{Known, forecast_series};
use crate::run::timers::Timers;

/// Maximum number of stretches, each as long as the horizon, and of donors before each; they bound the number of
/// forecasts made.
const STRETCHES: usize = 8;
const MOST_DONORS: usize = 32;

/// Donors before the stretches that precede the windows, each with at least `least` known values. Their forecasts come
/// from the models of `fast`, because many periods matter more than good forecasts. With the preset `fast` the forecast
/// is the usual season, which costs nothing.
pub(super) fn older(
    donors: &Donors,
    least: usize,
    plan: &Plan,
    stop: &(dyn Fn() -> bool + Sync),
) -> Vec<Vec<Before>> {
    let cheap = plan.with_preset(Preset::Fast);
    let combinations = Combinations::learn(&[], &cheap);
    let known = Known {
        plan: &cheap,
        combinations: &combinations,
        pooled: &PooledPanel::default(),
        global: &GlobalPanel::default(),
    };
    let windows = donors.windows.iter().flatten();
    let tested = windows.map(|before| donors.histories[before.donor].values.len() - before.length).max();
    let places: Vec<usize> =
        (0..donors.histories.len()).step_by(donors.histories.len().div_ceil(MOST_DONORS).max(1)).collect();
    let shortest = donors.shortest();
    (1..=STRETCHES)
        .map(|turn| tested.unwrap_or(0) + turn * plan.horizon)
        .take_while(|back| back + least <= shortest)
        .map(|back| {
            let of = |&donor: &usize| {
                let history = &donors.histories[donor];
                let length = history.values.len() - back;
                let season = usual_season(&history.values[..length], plan.season);
                let expected = if plan.preset == Preset::Fast {
                    repeated(&season, plan.horizon)
                } else {
                    let past = history.before(length, plan.horizon);
                    forecast_series(&past, None, &known, &Timers::default()).mean
                };
                (expected.len() == plan.horizon).then(|| Before {
                    donor,
                    length,
                    expected: non_negative(expected),
                    season,
                    actual: history.values[length..length + plan.horizon].to_vec(),
                    is_held_back: false,
                })
            };
            places.par_iter().filter(|_| !stop()).filter_map(of).collect()
        })
        .collect()
}
