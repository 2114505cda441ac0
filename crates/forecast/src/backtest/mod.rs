//! Forecasts of held-back parts of the history: one set of member forecasts per window.

mod window;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::combination::features::features;
use crate::covariates::effect::Effect;
use crate::history::History;
use crate::history::class::Class;
use crate::history::closed::closed_steps;
use crate::intervals::guard::Guard;
use crate::learners::blended::{self, BLENDED};
use crate::learners::global::GlobalPanel;
use crate::learners::pooled::{PooledNetworks, PooledPanel};
use crate::run::members::{Regressors, fit_members, last_season};
use crate::run::plan::Plan;
use crate::run::timers::Timers;

pub(crate) use window::Window;

/// The held-back part of a window is at most this fraction of the history before it. A model that is judged on much
/// less history than it will finally have scores too badly, and its intervals come out too wide.
const HELD_BACK: usize = 4;
/// Each further window keeps at least this share of the history, for the same reason.
const LEAST_PAST: f64 = 0.8;
/// A window needs at least this many values before it.
const SHORTEST_PAST: usize = 6;

/// The windows of one series.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Backtest {
    /// Index of the series.
    pub(crate) index: usize,
    pub(crate) class: Class,
    pub(crate) windows: Vec<Window>,
}

/// The windows of a history of the given length, at most as many as the plan allows: the last stretch, then the one
/// before it, and so on.
pub(crate) fn window_bounds(length: usize, plan: &Plan) -> impl Iterator<Item = Range<usize>> {
    let next = move |end: usize| {
        let held_back = plan.horizon.min(end / HELD_BACK);
        let start = end - held_back;
        let first = end == length;
        let enough = first || start as f64 >= LEAST_PAST * length as f64;
        (held_back > 0 && start >= SHORTEST_PAST && enough).then_some(start..end)
    };
    std::iter::successors(next(length), move |window| next(window.start)).take(plan.windows)
}

/// Forecasts the windows of a history; a history too short for any window gives none. The models passed as `pooled` and
/// `global` have not seen any window.
pub(crate) fn backtest(
    index: usize,
    whole: &History,
    plan: &Plan,
    pooled: &PooledPanel,
    global: &GlobalPanel,
    timers: &Timers,
) -> Backtest {
    let class = {
        let recent = whole.recent(plan.max_history());
        Class::of_explained(&recent.values, &recent.regressors, plan.season, &plan.periods)
    };
    let mut windows = Vec::new();
    if class.has_models() {
        let networks = pooled.before_windows(class);
        for Range { start, end } in
            window_bounds(whole.values.len(), plan).take_while(|_| !plan.is_cancelled())
        {
            // The members of the class know as many steps as they will finally.
            let from = start.saturating_sub(plan.max_history());
            let part = whole.part(from..end);
            let known: Vec<Vec<f64>> = whole.regressors.iter().map(|column| column[..end].to_vec()).collect();
            let effect =
                Effect::learn(&whole.values[..start], &known, (plan.season, &plan.periods), start - from);
            let regressors = Regressors { columns: &part.regressors, effect: effect.as_ref() };
            let window = run_window(&part.values, start - from, regressors, class, plan, networks, timers);
            if let Some(mut window) = window {
                let guard = Guard::new(&part.values[..start - from], plan);
                window.held_back = start..end;
                let trees = (global.before_windows(), global.code(index));
                window.blended = blended::forecasts(whole, start, trees, end - start, plan, timers)
                    .map(|forecast| forecast.filter(|forecast| guard.believes(forecast)));
                window.close(&closed_steps(&part, start - from, plan));
                windows.push(window);
            }
        }
    }
    Backtest { index, class, windows }
}

/// Forecasts the values from `start` on. None if the past cannot give an error scale.
fn run_window(
    values: &[f64],
    start: usize,
    regressors: Regressors<'_>,
    class: Class,
    plan: &Plan,
    pooled: Option<&PooledNetworks>,
    timers: &Timers,
) -> Option<Window> {
    let (past, actual) = values.split_at(start);
    let lag = if plan.season < past.len() { plan.season.max(1) } else { 1 };
    let differences: f64 = past.iter().zip(&past[lag..]).map(|(before, now)| (now - before).abs()).sum();
    let scale = differences / (past.len() - lag) as f64;
    let usable = scale > 0.0 && scale.is_finite();
    usable.then(|| Window {
        held_back: start..values.len(),
        actual: actual.to_vec(),
        scale,
        features: features(past, plan.season),
        members: fit_members(past, regressors, class, actual.len(), plan, pooled, timers).forecasts,
        blended: [const { None }; BLENDED],
        naive: last_season(past, actual.len(), plan, timers),
        non_negative: past.iter().all(|&value| value >= 0.0),
    })
}
