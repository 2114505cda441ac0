//! The models that have a blend weight beside the members of a class: the global models and the seasonal regression.

use std::time::Instant;

use tabcast_models::Forecast;

use super::{global, ridge, seasonal};
use crate::history::History;
use crate::preset::Preset;
use crate::run::plan::Plan;
use crate::run::timers::Timers;

/// Number of models that have a blend weight.
pub(crate) const BLENDED: usize = global::NAMES.len() + 1;
/// The place of the seasonal regression among them, after the global models.
pub(crate) const SEASONAL: usize = global::NAMES.len();

/// The names of the blended models of a preset. Those that do not take part are never judged.
pub(crate) fn names(preset: Preset) -> [&'static str; BLENDED] {
    let first = if preset == Preset::Fast { ridge::NAME } else { global::NAMES[0] };
    [first, global::NAMES[1], seasonal::NAME]
}

/// The forecasts of the models with a blend weight after the first `length` values. `global`: the trained model of the
/// panel, and the number of the series among its training series.
pub(crate) fn forecasts(
    history: &History,
    length: usize,
    global: (Option<&global::Common>, Option<usize>),
    horizon: usize,
    plan: &Plan,
    timers: &Timers,
) -> [Option<Forecast>; BLENDED] {
    let began = Instant::now();
    let trees = global.0.map(|model| model.forecast(history, length, global.1, horizon));
    timers.predict(began.elapsed());
    let [direct, recursive] = trees.unwrap_or_default();
    [direct, recursive, seasonal::forecast(history, length, horizon, plan, timers)]
}
