//! One held-back stretch of a history and its forecasts.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tabcast_models::Forecast;

use crate::combination::features::FEATURES;
use crate::learners::blended::BLENDED;

/// One held-back stretch of a series and what each member forecast for it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Window {
    /// Position in the history.
    pub(crate) held_back: Range<usize>,
    /// What happened, oldest first; at most the horizon.
    pub(crate) actual: Vec<f64>,
    /// Mean absolute seasonal difference of the values before the window: the unit of scaled errors (MASE).
    pub(crate) scale: f64,
    /// Features of the values before the window.
    pub(crate) features: [f64; FEATURES],
    /// One forecast per member of the class, in the preset's order; none where the member did not apply.
    pub(crate) members: Vec<Option<Forecast>>,
    /// Forecasts of the models with a blend weight, in the order of their names.
    pub(crate) blended: [Option<Forecast>; BLENDED],
    /// The seasonal naive forecast, which is the baseline for the combination; it ignores covariates.
    pub(crate) naive: Option<Forecast>,
    /// Whether the history never went below zero.
    pub(crate) non_negative: bool,
}

impl Window {
    /// Sets the forecasts of closed steps to zero without spread, as every final forecast does.
    pub(super) fn close(&mut self, closed: &[bool]) {
        let steps: Vec<usize> = (0..self.actual.len()).filter(|&step| closed[step]).collect();
        for forecast in self.members.iter_mut().chain(&mut self.blended).flatten() {
            for &step in &steps {
                (forecast.mean[step], forecast.sd[step]) = (0.0, 0.0);
            }
        }
    }
}
