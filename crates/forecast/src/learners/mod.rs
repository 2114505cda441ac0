//! Global models: models that learn from all series of a panel.

pub(crate) mod cold_start;
pub(crate) mod global;
pub(crate) mod pooled;
pub(crate) mod ridge;
pub(crate) mod seasonal;
pub(crate) mod tuned;

use tabcast_models::Forecast;

use crate::combination::blend_weights::BLENDED;
use crate::history::History;
use crate::run::plan::Plan;
use crate::run::timers::Timers;

/// The forecasts of the models with a blend weight after the first `length` values. `global`: the trained model of the
/// panel, and the number of the series among its training series.
pub(crate) fn blended(
    history: &History,
    length: usize,
    global: (Option<&global::Common>, Option<usize>),
    horizon: usize,
    plan: &Plan,
    timers: &Timers,
) -> [Option<Forecast>; BLENDED] {
    let began = std::time::Instant::now();
    let trees = global.0.map(|model| model.forecast(history, length, global.1, horizon));
    timers.predict(began.elapsed());
    let [direct, recursive] = trees.unwrap_or_default();
    [direct, recursive, seasonal::forecast(history, length, horizon, plan, timers)]
}
