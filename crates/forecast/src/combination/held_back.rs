//! The combined forecasts of the backtest windows.

use std::ops::Range;

use crate::backtest::Backtest;
use crate::combination::combinations::{ClassCombination, Combinations};
use crate::history::History;
use crate::history::closed::closed_steps;
use crate::intervals::guard::Guard;
use crate::run::plan::Plan;

/// The combined forecast of a stretch of a history that was held back.
#[derive(Debug, Clone)]
pub(crate) struct HeldBackForecast {
    /// Position in the whole history.
    pub(crate) held_back: Range<usize>,
    /// One value per step.
    pub(crate) mean: Vec<f64>,
    /// Requested levels of the first step, then of the second, and so on.
    pub(crate) quantiles: Vec<f64>,
    /// The .1 and the .9 quantile of each step.
    pub(crate) band: Vec<(f64, f64)>,
    /// The seasonal naive forecast, where it applied.
    pub(crate) naive: Option<Vec<f64>>,
}

impl Backtest {
    /// The combined forecasts of the windows, latest first, with the same guards as final forecasts. The calibration
    /// was fitted to these windows among others.
    pub(crate) fn held_back_forecasts(
        &self,
        whole: &History,
        plan: &Plan,
        combinations: &Combinations,
    ) -> Vec<HeldBackForecast> {
        let ClassCombination { weights, blend, calibration, .. } = combinations.of(self.class);
        let mut judged = Vec::with_capacity(self.windows.len());
        for window in &self.windows {
            let combined = window.combined_forecast(&window.weights(self.class, plan, weights), blend);
            if combined.is_empty() {
                continue;
            }
            let Range { start, end } = window.held_back.clone();
            let part = whole.part(start.saturating_sub(plan.max_history())..end);
            let known = part.values.len() - (end - start);
            let guard = Guard::new(&part.values[..known], plan).with_closed(closed_steps(&part, known, plan));
            let mut found = HeldBackForecast {
                held_back: start..end,
                mean: Vec::with_capacity(end - start),
                quantiles: Vec::with_capacity((end - start) * plan.requested.len()),
                band: Vec::with_capacity(end - start),
                naive: window.naive.as_ref().map(|naive| naive.mean.clone()),
            };
            let (mut scratch, mut quantiles) = (Vec::new(), vec![0.0; plan.levels.len()]);
            for step in 0..end - start {
                let band = combined.band(step, &mut scratch);
                for (quantile, &level) in quantiles.iter_mut().zip(&plan.levels) {
                    let value = combined.quantile(self.class, calibration, step, level, band);
                    *quantile = value.clamp(-f64::MAX, f64::MAX);
                }
                let mean = combined.mean(step, &mut scratch);
                found.mean.push(guard.hold(step, mean, &mut quantiles));
                found.quantiles.extend(plan.requested.iter().map(|&at| quantiles[at]));
                found.band.push((quantiles[plan.band.0], quantiles[plan.band.1]));
            }
            judged.push(found);
        }
        judged
    }
}
