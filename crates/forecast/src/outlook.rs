use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use tabcast_models::{Forecast, Series, Shape, find};

use crate::class::Class;
use crate::combine::median;
use crate::guard::Guard;
use crate::plan::Plan;
use crate::timers::Timers;

/// The forecast of one series: the point forecast and the quantiles of each step.
#[derive(Debug, Default)]
pub(crate) struct Outlook {
    /// One value a step.
    pub(crate) mean: Vec<f64>,
    /// Requested levels of the first step, then of the second, and so on.
    pub(crate) quantiles: Vec<f64>,
    /// Models whose forecast of this series was not believable and was left out.
    pub(crate) rejected: usize,
    /// Whether a simpler rule had to stand in for the models of the preset.
    pub(crate) fell_back: bool,
}

/// Forecasts one regular series of at least one finite value. Never fails: a model that does not apply or misbehaves is
/// left out, and the chain ends with a rule that needs nothing but the last values.
pub(crate) fn forecast_series(values: &[f64], plan: &Plan, timers: &Timers) -> Outlook {
    let class = Class::of(values, plan.season, &plan.periods);
    let mut outlook = Outlook::default();
    let guard = Guard::new(values, plan);
    let members = match class {
        Class::Constant => vec![constant(values[0], plan.horizon)],
        Class::Tiny => vec![damped_drift(values, plan.horizon)],
        _ => fit_members(values, class, plan, &guard, timers, &mut outlook),
    };
    let began = Instant::now();
    combine(&members, plan, &guard, &mut outlook);
    timers.predict(began.elapsed());
    outlook
}

fn fit_members(
    values: &[f64],
    class: Class,
    plan: &Plan,
    guard: &Guard,
    timers: &Timers,
    outlook: &mut Outlook,
) -> Vec<Forecast> {
    let seasonal = class.is_seasonal();
    let series = Series {
        values,
        season_length: if seasonal { plan.season } else { 1 },
        periods: if seasonal { &plan.periods } else { &[] },
        regressors: &[],
    };
    let mut members = Vec::with_capacity(4);
    let join = |name: &str, members: &mut Vec<Forecast>, outlook: &mut Outlook| match fit_one(
        name,
        &series,
        plan.horizon,
        timers,
    ) {
        Attempt::Forecast(forecast) if guard.believes(&forecast) => members.push(forecast),
        Attempt::Forecast(_) | Attempt::Panicked => outlook.rejected += 1,
        Attempt::NotApplicable => {}
    };
    for name in plan.preset.members(class) {
        join(name, &mut members, outlook);
    }
    if members.is_empty() {
        outlook.fell_back = true;
        join("seasonal_naive", &mut members, outlook);
    }
    if members.is_empty() {
        members.push(damped_drift(values, plan.horizon));
    }
    members
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

/// Median of the members for the mean and for each level, then the guards.
fn combine(members: &[Forecast], plan: &Plan, guard: &Guard, outlook: &mut Outlook) {
    outlook.mean.reserve_exact(plan.horizon);
    outlook.quantiles.reserve_exact(plan.horizon * plan.requested.len());
    let mut votes = vec![0.0; members.len()];
    let mut vote = |value: &dyn Fn(&Forecast) -> f64| {
        for (slot, member) in votes.iter_mut().zip(members) {
            *slot = value(member);
        }
        median(&mut votes)
    };
    let mut quantiles = vec![0.0; plan.levels.len()];
    for step in 0..plan.horizon {
        let mean = vote(&|member| member.mean[step]);
        for (quantile, &level) in quantiles.iter_mut().zip(&plan.levels) {
            *quantile = vote(&|member| member.quantile(step, level));
        }
        let mean = guard.hold(step, mean, &mut quantiles);
        outlook.mean.push(mean);
        outlook.quantiles.extend(plan.requested.iter().map(|&at| quantiles[at]));
    }
}
