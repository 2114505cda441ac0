//! What the combination said about the windows of a backtest.

use std::ops::Range;

use crate::backtest::Backtest;
use crate::closed::closed_steps;
use crate::evidence::{ClassEvidence, Evidence};
use crate::guard::Guard;
use crate::history::History;
use crate::plan::Plan;

/// The combined forecast of a stretch of a history that was held back.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    /// Where in the whole history.
    pub(crate) held_back: Range<usize>,
    /// A value a step.
    pub(crate) mean: Vec<f64>,
    /// Requested levels of the first step, then of the second, and so on.
    pub(crate) quantiles: Vec<f64>,
    /// The .1 and the .9 quantile of each step.
    pub(crate) band: Vec<(f64, f64)>,
    /// What the last season said, where it applied.
    pub(crate) naive: Option<Vec<f64>>,
}

impl Backtest {
    /// The combined forecasts of the windows, latest first, guarded as forecasts are; calibrated with these windows among others.
    pub(crate) fn judged(&self, whole: &History, plan: &Plan, evidence: &Evidence) -> Vec<Judged> {
        let history = whole.recent(plan.max_history());
        let older = whole.values.len() - history.values.len();
        let ClassEvidence { weights, shares, calibration, .. } = evidence.of(self.class);
        let mut judged = Vec::with_capacity(self.windows.len());
        for window in &self.windows {
            let ballot = window.ballot(&window.weights(self.class, plan, weights), shares);
            if ballot.is_empty() {
                continue;
            }
            let Range { start, end } = window.held_back.clone();
            let guard =
                Guard::new(&history.values[..start], plan).with_closed(closed_steps(&history, start, plan));
            let mut found = Judged {
                held_back: older + start..older + end,
                mean: Vec::with_capacity(end - start),
                quantiles: Vec::with_capacity((end - start) * plan.requested.len()),
                band: Vec::with_capacity(end - start),
                naive: window.naive.as_ref().map(|naive| naive.mean.clone()),
            };
            let (mut room, mut quantiles) = (Vec::new(), vec![0.0; plan.levels.len()]);
            for step in 0..end - start {
                let band = ballot.band(step, &mut room);
                for (quantile, &level) in quantiles.iter_mut().zip(&plan.levels) {
                    let value = ballot.quantile(self.class, calibration, step, level, band);
                    *quantile = value.clamp(-f64::MAX, f64::MAX);
                }
                let mean = ballot.mean(step, &mut room);
                found.mean.push(guard.hold(step, mean, &mut quantiles));
                found.quantiles.extend(plan.requested.iter().map(|&at| quantiles[at]));
                found.band.push((quantiles[plan.band.0], quantiles[plan.band.1]));
            }
            judged.push(found);
        }
        judged
    }
}
