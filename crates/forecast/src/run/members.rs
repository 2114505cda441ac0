//! Fits the members of a class to one series, with the rules that stand in for them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use tabcast_models::{Forecast, Interrupt, Model, Series, Shape, find};

use crate::Preset;
use crate::covariates::effect::Effect;
use crate::history::class::{Class, mean_change};
use crate::intervals::guard::Guard;
use crate::learners::pooled::{self, PooledNetworks};
use crate::run::plan::Plan;
use crate::run::timers::Timers;

/// Forecasts of a class's members, in the preset's order; none where a member does not apply or its forecast is
/// implausible.
#[derive(Debug, Default)]
pub(crate) struct Members {
    pub(crate) forecasts: Vec<Option<Forecast>>,
    /// Number of implausible forecasts.
    pub(crate) rejected: usize,
}

impl Members {
    pub(crate) fn alone(forecast: Forecast) -> Self {
        Self { forecasts: vec![Some(forecast)], rejected: 0 }
    }
}

/// Covariates of a history as numeric columns, and their effect on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Regressors<'a> {
    pub(crate) columns: &'a [Vec<f64>],
    pub(crate) effect: Option<&'a Effect>,
}

/// Fits all members of the class.
pub(crate) fn fit_members(
    values: &[f64],
    regressors: Regressors<'_>,
    class: Class,
    horizon: usize,
    plan: &Plan,
    pooled: Option<&PooledNetworks>,
    timers: &Timers,
) -> Members {
    let even = vec![1.0; plan.preset.members(class).len()];
    let guard = Guard::new(values, plan);
    fit_weighted(values, regressors, class, &even, horizon, plan, &guard, pooled, timers)
}

/// Fits the members that have a weight.
#[expect(clippy::too_many_arguments, reason = "a series, what it is, and what is to be done with it")]
pub(crate) fn fit_weighted(
    values: &[f64],
    Regressors { columns, effect }: Regressors<'_>,
    class: Class,
    weights: &[f64],
    horizon: usize,
    plan: &Plan,
    guard: &Guard,
    pooled: Option<&PooledNetworks>,
    timers: &Timers,
) -> Members {
    let adjusted = effect.map(|effect| effect.remove(values));
    let plain = series_of(adjusted.as_deref().unwrap_or(values), class, plan);
    let explained = Series { regressors: columns, ..series_of(values, class, plan) };
    let shaped = effect.is_some_and(Effect::is_shaped);
    let mut members = Members::default();
    for (name, &weight) in plan.preset.members(class).iter().zip(weights) {
        // A model that takes regressors estimates their effect jointly with its own parameters.
        let own = !columns.is_empty() && !shaped && find(name).is_some_and(Model::uses_regressors);
        let series = if own { &explained } else { &plain };
        let attempt = if weight <= 0.0 {
            Attempt::NotApplicable
        } else if *name == pooled::NAME {
            ask_pooled(pooled, series, horizon, timers)
        } else {
            fit_one(name, series, horizon, timers)
        };
        let attempt = match (attempt, effect) {
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
        season_length: class.season_length(values.len(), plan.season, &plan.periods),
        periods: if seasonal { &plan.periods } else { &[] },
        regressors: &[],
        one_start: plan.preset == Preset::Fast,
        interrupt: Interrupt::when(&plan.cancel).or_after(plan.deadline),
    }
}

/// The seasonal naive forecast, whatever the class of the history; the last value if the history has no whole season
/// plus one value.
pub(crate) fn last_season(values: &[f64], horizon: usize, plan: &Plan, timers: &Timers) -> Option<Forecast> {
    let series = Series {
        interrupt: Interrupt::when(&plan.cancel).or_after(plan.deadline),
        ..Series::with_season(values, plan.season)
    };
    ask_model("seasonal_naive", &series, horizon, timers)
}

/// The seasonal naive forecast, or the last value without a season.
pub(crate) fn seasonal_naive(
    values: &[f64],
    class: Class,
    horizon: usize,
    plan: &Plan,
    timers: &Timers,
) -> Option<Forecast> {
    ask_model("seasonal_naive", &series_of(values, class, plan), horizon, timers)
}

/// Seasonal naive if it is plausible, else the last values.
pub(crate) fn last_resort(
    values: &[f64],
    class: Class,
    plan: &Plan,
    guard: &Guard,
    timers: &Timers,
) -> Forecast {
    match seasonal_naive(values, class, plan.horizon, plan, timers) {
        Some(forecast) if guard.believes(&forecast) => forecast,
        _ => damped_drift(values, plan.horizon),
    }
}

enum Attempt {
    Forecast(Forecast),
    NotApplicable,
    Panicked,
}

/// The networks' forecast of this series.
fn ask_pooled(
    pooled: Option<&PooledNetworks>,
    series: &Series<'_>,
    horizon: usize,
    timers: &Timers,
) -> Attempt {
    let began = Instant::now();
    let forecast = pooled.and_then(|networks| networks.forecast(series.values, horizon));
    timers.predict(began.elapsed());
    forecast.map_or(Attempt::NotApplicable, Attempt::Forecast)
}

/// The forecast of one model; none if it does not apply or panics.
pub(crate) fn ask_model(
    name: &str,
    series: &Series<'_>,
    horizon: usize,
    timers: &Timers,
) -> Option<Forecast> {
    match fit_one(name, series, horizon, timers) {
        Attempt::Forecast(forecast) => Some(forecast),
        Attempt::NotApplicable | Attempt::Panicked => None,
    }
}

/// A panic is a bug in one of our models. The panic hook reports it on standard error, and it costs only this model on
/// this series.
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

pub(crate) fn constant(value: f64, horizon: usize) -> Forecast {
    Forecast { mean: vec![value; horizon], sd: vec![0.0; horizon], shape: Shape::Normal }
}

/// Continues the line on which the values lie, without spread.
pub(crate) fn line(values: &[f64], horizon: usize) -> Forecast {
    let (last, slope) = (values[values.len() - 1], mean_change(values));
    let mean = (1..=horizon).map(|step| (last + slope * step as f64).clamp(-f64::MAX, f64::MAX)).collect();
    Forecast { mean, sd: vec![0.0; horizon], shape: Shape::Normal }
}

/// A forecast from two or three observations: their level if the frequency has a season, otherwise a damped drift.
pub(crate) fn few_values(values: &[f64], plan: &Plan, timers: &Timers) -> Forecast {
    let level = || ask_model("shrunken_season", &series_of(values, Class::Tiny, plan), plan.horizon, timers);
    let level = if plan.periods.is_empty() { None } else { level() };
    level.unwrap_or_else(|| damped_drift(values, plan.horizon))
}

/// The average of the last value and the drift line, with a slope that fades by a tenth per step: as much as two or
/// three observations can support. The spread is that of a random walk with their mean squared difference.
pub(crate) fn damped_drift(values: &[f64], horizon: usize) -> Forecast {
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
