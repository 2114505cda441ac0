use std::time::Instant;

use tabcast_models::Forecast;

use crate::ballot::Ballot;
use crate::calibration::Calibration;
use crate::class::Class;
use crate::closed::closed_steps;
use crate::effect::Effect;
use crate::evidence::Evidence;
use crate::features::features;
use crate::global::{self, GlobalPanel};
use crate::guard::Guard;
use crate::history::History;
use crate::members::{Members, Regressors, constant, few_values, fit_weighted, last_resort, line};
use crate::plan::Plan;
use crate::pooled::PooledPanel;
use crate::prior::prior_weights;
use crate::timers::Timers;
use crate::vote::Vote;

/// The forecast of one series: the point forecast and the quantiles of each step.
#[derive(Debug, Default)]
pub(crate) struct Outlook {
    /// One value a step.
    pub(crate) mean: Vec<f64>,
    /// Requested levels of the first step, then of the second, and so on.
    pub(crate) quantiles: Vec<f64>,
    pub(crate) class: Class,
    /// Models whose forecast of this series was not believable and was left out.
    pub(crate) rejected: usize,
    /// Whether a simpler rule had to stand in for the models of the preset.
    pub(crate) fell_back: bool,
    /// Whether the time budget allowed the preset `fast` only.
    pub(crate) hurried: bool,
    /// Whether the history is shorter than what a feature looks back on.
    pub(crate) lacks_features: bool,
}

/// Everything that was learned before the forecasts are made.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) evidence: &'a Evidence,
    pub(crate) pooled: &'a PooledPanel,
    pub(crate) global: &'a GlobalPanel,
}

/// Forecasts one regular series of at least one finite value. Never fails: a model that does not apply or misbehaves is
/// left out, and the chain ends with a rule that needs nothing but the last values.
pub(crate) fn forecast_series(
    whole: &History,
    code: Option<usize>,
    known: &Known<'_>,
    timers: &Timers,
) -> Outlook {
    let Known { plan, evidence, pooled, global } = *known;
    let history = whole.recent(plan.max_history());
    let values = history.values.as_slice();
    let class = Class::of_explained(values, &history.regressors, plan.season, &plan.periods);
    let mut outlook = Outlook { class, ..Outlook::default() };
    let learned = evidence.of(class);
    let guard = Guard::new(values, plan).with_closed(closed_steps(&history, values.len(), plan));
    let weights = match class {
        Class::Constant | Class::Line | Class::Tiny => Vec::new(),
        _ => {
            let names = plan.preset.members(class);
            learned.weights.of(&prior_weights(class, names, &features(values, plan.season)))
        }
    };
    let learn_effect =
        || Effect::learn(&whole.values, &whole.regressors, (plan.season, &plan.periods), values.len());
    let members = match class {
        Class::Constant => Members::alone(constant(values[0], plan.horizon)),
        Class::Line => Members::alone(line(values, plan.horizon)),
        Class::Tiny => Members::alone(few_values(values, plan, timers)),
        _ => fit_weighted(
            values,
            Regressors { columns: &history.regressors, effect: learn_effect().as_ref() },
            class,
            &weights,
            plan.horizon,
            plan,
            &guard,
            pooled.whole(class),
            timers,
        ),
    };
    outlook.rejected = members.rejected;
    let global = if learned.shares.any() {
        ask_global(whole, code, global, &guard, plan, timers)
    } else {
        Default::default()
    };
    let votes: Vec<Vote<'_>> = members
        .forecasts
        .iter()
        .enumerate()
        .filter_map(|(index, member)| {
            let weight = weights.get(index).copied().unwrap_or(1.0);
            member.as_ref().map(|forecast| Vote { forecast, weight })
        })
        .collect();
    let fallback;
    let mut ballot = Ballot::new(votes, &global, &learned.shares);
    if ballot.is_empty() {
        outlook.fell_back = true;
        fallback = last_resort(values, class, plan, &guard, timers);
        ballot = Ballot::new(vec![Vote { forecast: &fallback, weight: 1.0 }], &[], &learned.shares);
    }
    let began = Instant::now();
    combine(&ballot, class, plan, &learned.calibration, &guard, &mut outlook);
    timers.predict(began.elapsed());
    outlook
}

/// What the models of all series say about this one, where it is believed.
fn ask_global(
    history: &History,
    code: Option<usize>,
    global: &GlobalPanel,
    guard: &Guard,
    plan: &Plan,
    timers: &Timers,
) -> [Option<Forecast>; global::NAMES.len()] {
    let began = Instant::now();
    let said = global.whole().map(|model| model.forecast(history, history.values.len(), code, plan.horizon));
    timers.predict(began.elapsed());
    said.unwrap_or_default().map(|forecast| forecast.filter(|forecast| guard.believes(forecast)))
}

/// Weighted medians of the members, calibrated, then the guards.
pub(crate) fn combine(
    ballot: &Ballot<'_>,
    class: Class,
    plan: &Plan,
    calibration: &Calibration,
    guard: &Guard,
    outlook: &mut Outlook,
) {
    outlook.mean.reserve_exact(plan.horizon);
    outlook.quantiles.reserve_exact(plan.horizon * plan.requested.len());
    let mut room = Vec::new();
    let mut quantiles = vec![0.0; plan.levels.len()];
    for step in (0..plan.horizon).take_while(|_| !plan.is_cancelled()) {
        let mean = ballot.mean(step, &mut room);
        let band = ballot.band(step, &mut room);
        for (quantile, &level) in quantiles.iter_mut().zip(&plan.levels) {
            let value = ballot.quantile(class, calibration, step, level, band);
            *quantile = value.clamp(-f64::MAX, f64::MAX);
        }
        let mean = guard.hold(step, mean, &mut quantiles);
        outlook.mean.push(mean);
        outlook.quantiles.extend(plan.requested.iter().map(|&at| quantiles[at]));
    }
}
