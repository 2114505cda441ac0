use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use tabcast_models::{Forecast, Model, Series, Shape, find};

use crate::backtest::Window;
use crate::calibration::{Band, Calibration};
use crate::class::Class;
use crate::combine::weighted_median;
use crate::effect::Effect;
use crate::evidence::Evidence;
use crate::features::features;
use crate::guard::Guard;
use crate::history::History;
use crate::plan::{BAND, Plan};
use crate::prior::prior_weights;
use crate::timers::Timers;
use crate::weights::Weights;

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
}

/// A member's forecast and how much it counts; the weight is positive.
#[derive(Debug)]
pub(crate) struct Vote<'a> {
    pub(crate) forecast: &'a Forecast,
    pub(crate) weight: f64,
}

impl Window {
    /// The weights of the members for this window.
    pub(crate) fn weights(&self, class: Class, plan: &Plan, learned: &Weights) -> Vec<f64> {
        learned.of(&prior_weights(class, plan.preset.members(class), &self.features))
    }

    /// What the members with a weight say about this window.
    pub(crate) fn votes(&self, weights: &[f64]) -> Vec<Vote<'_>> {
        let members = self.members.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        members
            .filter_map(|(member, &weight)| member.as_ref().map(|forecast| Vote { forecast, weight }))
            .collect()
    }
}

/// Forecasts one regular series of at least one finite value. Never fails: a model that does not apply or misbehaves is
/// left out, and the chain ends with a rule that needs nothing but the last values.
pub(crate) fn forecast_series(
    history: &History,
    plan: &Plan,
    evidence: &Evidence,
    timers: &Timers,
) -> Outlook {
    let values = history.values.as_slice();
    let class = Class::of(values, plan.season, &plan.periods);
    let mut outlook = Outlook { class, ..Outlook::default() };
    let learned = evidence.of(class);
    let weights = match class {
        Class::Constant | Class::Tiny => Vec::new(),
        _ => {
            let names = plan.preset.members(class);
            learned.weights.of(&prior_weights(class, names, &features(values, plan.season)))
        }
    };
    let members = match class {
        Class::Constant => Members::alone(constant(values[0], plan.horizon)),
        Class::Tiny => Members::alone(damped_drift(values, plan.horizon)),
        _ => fit_weighted(values, &history.regressors, class, &weights, plan.horizon, plan, timers),
    };
    outlook.rejected = members.rejected;
    let mut votes: Vec<Vote<'_>> = members
        .forecasts
        .iter()
        .enumerate()
        .filter_map(|(index, member)| {
            let weight = weights.get(index).copied().unwrap_or(1.0);
            member.as_ref().map(|forecast| Vote { forecast, weight })
        })
        .collect();
    let fallback;
    if votes.is_empty() {
        outlook.fell_back = true;
        fallback = last_resort(values, class, plan, timers);
        votes.push(Vote { forecast: &fallback, weight: 1.0 });
    }
    let began = Instant::now();
    combine(&votes, class, plan, &learned.calibration, &Guard::new(values, plan), &mut outlook);
    timers.predict(began.elapsed());
    outlook
}

/// Forecasts of a class's members, in the preset's order; none where a member does not apply or is not believed.
#[derive(Debug, Default)]
pub(crate) struct Members {
    pub(crate) forecasts: Vec<Option<Forecast>>,
    /// How many were not believed.
    pub(crate) rejected: usize,
}

impl Members {
    fn alone(forecast: Forecast) -> Self {
        Self { forecasts: vec![Some(forecast)], rejected: 0 }
    }
}

/// Fits all members of the class.
pub(crate) fn fit_members(
    values: &[f64],
    regressors: &[Vec<f64>],
    class: Class,
    horizon: usize,
    plan: &Plan,
    timers: &Timers,
) -> Members {
    let even = vec![1.0; plan.preset.members(class).len()];
    fit_weighted(values, regressors, class, &even, horizon, plan, timers)
}

/// Fits the members that have a weight.
fn fit_weighted(
    values: &[f64],
    regressors: &[Vec<f64>],
    class: Class,
    weights: &[f64],
    horizon: usize,
    plan: &Plan,
    timers: &Timers,
) -> Members {
    let effect = Effect::of(values, regressors, plan.season);
    let adjusted = effect.as_ref().map(|effect| effect.remove(values));
    let plain = series_of(adjusted.as_deref().unwrap_or(values), class, plan);
    let explained = Series { regressors, ..series_of(values, class, plan) };
    let guard = Guard::new(values, plan);
    let mut members = Members::default();
    for (name, &weight) in plan.preset.members(class).iter().zip(weights) {
        // A model that takes regressors estimates their effect together with the rest.
        let own = !regressors.is_empty() && find(name).is_some_and(Model::uses_regressors);
        let series = if own { &explained } else { &plain };
        let attempt =
            if weight > 0.0 { fit_one(name, series, horizon, timers) } else { Attempt::NotApplicable };
        let attempt = match (attempt, &effect) {
            (Attempt::Forecast(forecast), Some(effect)) if !own => {
                Attempt::Forecast(with_effect(forecast, effect))
            }
            (attempt, _) => attempt,
        };
        let forecast = match attempt {
            Attempt::Forecast(forecast) if guard.believes(&forecast) => Some(forecast),
            Attempt::Forecast(_) | Attempt::Panicked => {
                members.rejected += 1;
                None
            }
            Attempt::NotApplicable => None,
        };
        members.forecasts.push(forecast);
    }
    members
}

fn with_effect(mut forecast: Forecast, effect: &Effect) -> Forecast {
    for (step, mean) in forecast.mean.iter_mut().enumerate() {
        *mean += effect.ahead(step);
    }
    forecast
}

fn series_of<'a>(values: &'a [f64], class: Class, plan: &'a Plan) -> Series<'a> {
    let seasonal = class.is_seasonal();
    Series {
        values,
        season_length: if seasonal { plan.season } else { 1 },
        periods: if seasonal { &plan.periods } else { &[] },
        regressors: &[],
    }
}

/// Seasonal naive where it is believed, else the last values.
fn last_resort(values: &[f64], class: Class, plan: &Plan, timers: &Timers) -> Forecast {
    let guard = Guard::new(values, plan);
    match fit_one("seasonal_naive", &series_of(values, class, plan), plan.horizon, timers) {
        Attempt::Forecast(forecast) if guard.believes(&forecast) => forecast,
        _ => damped_drift(values, plan.horizon),
    }
}

enum Attempt {
    Forecast(Forecast),
    NotApplicable,
    Panicked,
}

/// A panic is a fault of a model of ours; it is reported on standard error by the panic hook, and costs only this model
/// on this series.
fn fit_one(name: &str, series: &Series<'_>, horizon: usize, timers: &Timers) -> Attempt {
    let Some(model) = find(name) else { return Attempt::NotApplicable };
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let began = Instant::now();
        let fit = model.fit(series);
        timers.fit(began.elapsed());
        fit.map(|fit| {
            let began = Instant::now();
            let forecast = fit.forecast(horizon);
            timers.predict(began.elapsed());
            forecast
        })
    }));
    match attempt {
        Ok(Ok(forecast)) => Attempt::Forecast(forecast),
        Ok(Err(_unfit)) => Attempt::NotApplicable,
        Err(_panic) => Attempt::Panicked,
    }
}

fn constant(value: f64, horizon: usize) -> Forecast {
    Forecast { mean: vec![value; horizon], sd: vec![0.0; horizon], shape: Shape::Normal }
}

/// The average of the last value and the drift line, with the slope fading by a tenth a step: what two or three
/// observations can carry. The spread is that of a random walk with their mean squared difference.
fn damped_drift(values: &[f64], horizon: usize) -> Forecast {
    const FADE: f64 = 0.9;
    let last = values[values.len() - 1];
    let gaps = (values.len() - 1).max(1) as f64;
    let slope = (last - values[0]) / gaps;
    let sd = values.windows(2).map(|pair| (pair[1] - pair[0]) / gaps.sqrt()).fold(0.0, f64::hypot);
    let mut mean = Vec::with_capacity(horizon);
    let (mut level, mut step) = (last, slope / 2.0);
    for _ in 0..horizon {
        step *= FADE;
        level += step;
        mean.push(level.clamp(-f64::MAX, f64::MAX));
    }
    let sd = (1..=horizon).map(|k| (sd * (k as f64).sqrt()).min(f64::MAX)).collect();
    Forecast { mean, sd, shape: Shape::Normal }
}

/// What the votes say together about what `value` reads off each: the average of their weighted mean, which uses every vote,
/// and their weighted median, which no single vote can move far. `room` is working storage.
fn vote(votes: &[Vote<'_>], room: &mut Vec<(f64, f64)>, value: impl Fn(&Forecast) -> f64) -> f64 {
    room.clear();
    room.extend(votes.iter().map(|vote| (value(vote.forecast), vote.weight)));
    let total: f64 = votes.iter().map(|vote| vote.weight).sum();
    let mean = room.iter().map(|(value, weight)| value * (weight / total)).sum::<f64>();
    f64::midpoint(mean, weighted_median(room))
}

/// The combined mean of a step.
pub(crate) fn combined_mean(votes: &[Vote<'_>], step: usize, room: &mut Vec<(f64, f64)>) -> f64 {
    vote(votes, room, |forecast| forecast.mean[step])
}

/// The combined centre and band of a step, before calibration.
pub(crate) fn band(votes: &[Vote<'_>], step: usize, room: &mut Vec<(f64, f64)>) -> Band {
    let mut at = |level: f64| vote(votes, room, |forecast| forecast.quantile(step, level));
    Band { centre: at(0.5), low: at(BAND.0), high: at(BAND.1) }
}

/// The combined quantile of a step at a level with its normal score. Intermittent demand has much of its probability at
/// zero, which a centre and two sides cannot say: there the members' own quantiles are combined as they are.
pub(crate) fn combined_quantile(
    class: Class,
    calibration: &Calibration,
    votes: &[Vote<'_>],
    step: usize,
    (level, score): (f64, f64),
    band: Band,
) -> f64 {
    if class == Class::Intermittent {
        vote(votes, &mut Vec::with_capacity(votes.len()), |forecast| forecast.quantile(step, level))
    } else {
        calibration.quantile(step, score, band)
    }
}

/// Weighted medians of the members, calibrated, then the guards.
fn combine(
    votes: &[Vote<'_>],
    class: Class,
    plan: &Plan,
    calibration: &Calibration,
    guard: &Guard,
    outlook: &mut Outlook,
) {
    outlook.mean.reserve_exact(plan.horizon);
    outlook.quantiles.reserve_exact(plan.horizon * plan.requested.len());
    let mut room = Vec::with_capacity(votes.len());
    let mut quantiles = vec![0.0; plan.levels.len()];
    for step in 0..plan.horizon {
        let mean = combined_mean(votes, step, &mut room);
        let band = band(votes, step, &mut room);
        for (quantile, &level) in quantiles.iter_mut().zip(&plan.levels) {
            let value = combined_quantile(class, calibration, votes, step, level, band);
            *quantile = value.clamp(-f64::MAX, f64::MAX);
        }
        let mean = guard.hold(step, mean, &mut quantiles);
        outlook.mean.push(mean);
        outlook.quantiles.extend(plan.requested.iter().map(|&at| quantiles[at]));
    }
}
