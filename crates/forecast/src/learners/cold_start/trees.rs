//! The global models' forecast of a short series. They need little more than one season.

use crate::history::History;
use crate::intervals::guard::Guard;
use crate::learners::global::Common;
use crate::run::plan::Plan;

/// The mean of the plausible members; none if there is none. The series is treated as one that training never saw.
pub(super) fn trees(model: &Common, history: &History, plan: &Plan) -> Option<Vec<f64>> {
    let guard = Guard::new(&history.values, plan);
    let said: Vec<Vec<f64>> = model
        .forecast(history, history.values.len(), None, plan.horizon)
        .into_iter()
        .flatten()
        .filter(|forecast| guard.believes(forecast))
        .map(|forecast| forecast.mean)
        .collect();
    let mean = |step: usize| said.iter().map(|mean| mean[step]).sum::<f64>() / said.len() as f64;
    (!said.is_empty()).then(|| (0..plan.horizon).map(|step| mean(step).max(0.0)).collect())
}
