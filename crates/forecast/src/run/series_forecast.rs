use std::time::Instant;

use crate::combination::combinations::Combinations;
use crate::combination::combined_forecast::CombinedForecast;
use crate::combination::features::features;
use crate::combination::prior::prior_weights;
use crate::combination::weighted_forecast::WeightedForecast;
use crate::covariates::effect::Effect;
use crate::history::History;
use crate::history::class::Class;
use crate::history::closed::closed_steps;
use crate::intervals::calibration::Calibration;
use crate::intervals::guard::Guard;
use crate::learners::blended;
use crate::learners::global::GlobalPanel;
use crate::learners::pooled::PooledPanel;
use crate::run::members::{Members, Regressors, constant, few_values, fit_weighted, last_resort, line};
use crate::run::plan::Plan;
use crate::run::timers::Timers;

/// The forecast of one series: the point forecast and the quantiles of each step.
#[derive(Debug, Default)]
pub(crate) struct SeriesForecast {
    /// One value per step.
    pub(crate) mean: Vec<f64>,
    /// Requested levels of the first step, then of the second, and so on.
    pub(crate) quantiles: Vec<f64>,
    pub(crate) class: Class,
    /// Number of models whose forecast of this series was implausible and left out.
    pub(crate) rejected: usize,
    /// Whether a simpler rule had to replace the models of the preset.
    pub(crate) fell_back: bool,
    /// Whether the time budget only allowed the preset `fast`.
    pub(crate) budget_short: bool,
    /// Whether the history is shorter than a feature looks back.
    pub(crate) lacks_features: bool,
}

/// Everything learned before the forecasts are made.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) combinations: &'a Combinations,
    pub(crate) pooled: &'a PooledPanel,
    pub(crate) global: &'a GlobalPanel,
}

/// Forecasts one regular series of at least one finite value. It never fails: a model that does not apply or misbehaves
/// is left out, and the last fallback needs only the last values.
pub(crate) fn forecast_series(
    whole: &History,
    code: Option<usize>,
    known: &Known<'_>,
    timers: &Timers,
) -> SeriesForecast {
    let Known { plan, combinations, pooled, global } = *known;
    let history = whole.recent(plan.max_history());
    let values = history.values.as_slice();
    let class = Class::of_explained(values, &history.regressors, plan.season, &plan.periods);
    let mut series_forecast = SeriesForecast { class, ..SeriesForecast::default() };
    let learned = combinations.of(class);
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
    series_forecast.rejected = members.rejected;
    let blended = if learned.blend.any() {
        blended::forecasts(whole, whole.values.len(), (global.whole(), code), plan.horizon, plan, timers)
            .map(|forecast| forecast.filter(|forecast| guard.believes(forecast)))
    } else {
        Default::default()
    };
    let weighted = members.forecasts.iter().enumerate().filter_map(|(index, member)| {
        let weight = weights.get(index).copied().unwrap_or(1.0);
        member.as_ref().map(|forecast| WeightedForecast { forecast, weight })
    });
    let fallback;
    let mut combined = CombinedForecast::new(weighted.collect(), &blended, &learned.blend);
    if combined.is_empty() {
        series_forecast.fell_back = true;
        fallback = last_resort(values, class, plan, &guard, timers);
        combined = CombinedForecast::new(
            vec![WeightedForecast { forecast: &fallback, weight: 1.0 }],
            &[],
            &learned.blend,
        );
    }
    let began = Instant::now();
    combine(&combined, class, plan, &learned.calibration, &guard, &mut series_forecast);
    timers.predict(began.elapsed());
    series_forecast
}

/// Combines the members and applies calibration and guards.
pub(crate) fn combine(
    combined: &CombinedForecast<'_>,
    class: Class,
    plan: &Plan,
    calibration: &Calibration,
    guard: &Guard,
    series_forecast: &mut SeriesForecast,
) {
    series_forecast.mean.reserve_exact(plan.horizon);
    series_forecast.quantiles.reserve_exact(plan.horizon * plan.requested.len());
    let mut scratch = Vec::new();
    let mut quantiles = vec![0.0; plan.levels.len()];
    for step in (0..plan.horizon).take_while(|_| !plan.is_cancelled()) {
        let mean = combined.mean(step, &mut scratch);
        let band = combined.band(step, &mut scratch);
        for (quantile, &level) in quantiles.iter_mut().zip(&plan.levels) {
            let value = combined.quantile(class, calibration, step, level, band);
            *quantile = value.clamp(-f64::MAX, f64::MAX);
        }
        let mean = guard.hold(step, mean, &mut quantiles);
        series_forecast.mean.push(mean);
        series_forecast.quantiles.extend(plan.requested.iter().map(|&at| quantiles[at]));
    }
}
