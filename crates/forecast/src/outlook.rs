use std::time::Instant;

use crate::calibration::Calibration;
use crate::class::Class;
use crate::evidence::Evidence;
use crate::features::features;
use crate::guard::Guard;
use crate::history::History;
use crate::members::{Members, constant, damped_drift, fit_weighted, last_resort, line};
use crate::plan::Plan;
use crate::pooled::PooledPanel;
use crate::prior::prior_weights;
use crate::timers::Timers;
use crate::vote::{Vote, band, combined_mean, combined_quantile};

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

/// Forecasts one regular series of at least one finite value. Never fails: a model that does not apply or misbehaves is
/// left out, and the chain ends with a rule that needs nothing but the last values.
pub(crate) fn forecast_series(
    history: &History,
    plan: &Plan,
    evidence: &Evidence,
    pooled: &PooledPanel,
    timers: &Timers,
) -> Outlook {
    let values = history.values.as_slice();
    let class = Class::of_explained(values, &history.regressors, plan.season, &plan.periods);
    let mut outlook = Outlook { class, ..Outlook::default() };
    let learned = evidence.of(class);
    let guard = Guard::new(values, plan);
    let weights = match class {
        Class::Constant | Class::Line | Class::Tiny => Vec::new(),
        _ => {
            let names = plan.preset.members(class);
            learned.weights.of(&prior_weights(class, names, &features(values, plan.season)))
        }
    };
    let members = match class {
        Class::Constant => Members::alone(constant(values[0], plan.horizon)),
        Class::Line => Members::alone(line(values, plan.horizon)),
        Class::Tiny => Members::alone(damped_drift(values, plan.horizon)),
        _ => fit_weighted(
            values,
            &history.regressors,
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
        fallback = last_resort(values, class, plan, &guard, timers);
        votes.push(Vote { forecast: &fallback, weight: 1.0 });
    }
    let began = Instant::now();
    combine(&votes, class, plan, &learned.calibration, &guard, &mut outlook);
    timers.predict(began.elapsed());
    outlook
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
    for step in (0..plan.horizon).take_while(|_| !plan.is_cancelled()) {
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
