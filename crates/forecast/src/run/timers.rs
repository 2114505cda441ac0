use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Seconds by stage. Stages do not overlap, so their sum is at most the wall time of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ts_rs::TS)]
#[serde(default)]
pub struct Timings {
    /// Reading the file.
    pub ingest: f64,
    /// Frequency, grids and caps.
    pub validate: f64,
    /// Fitting models, including the backtest that weights them and calibrates their intervals.
    pub fit: f64,
    /// Predicting with the fitted models, combining, guarding.
    pub predict: f64,
    /// Making the forecasts of a hierarchy coherent, including the errors and shares it needs from the past; omitted
    /// without a hierarchy.
    #[serde(skip_serializing_if = "is_zero")]
    #[ts(as = "Option<f64>", optional)]
    pub reconcile: f64,
    /// Findings and analyses; omitted if neither was requested.
    #[serde(skip_serializing_if = "is_zero")]
    #[ts(as = "Option<f64>", optional)]
    pub explain: f64,
    /// Writing the table.
    pub write: f64,
}

impl Timings {
    /// Adds the seconds of a part of the run.
    pub(crate) fn add(&mut self, other: &Self) {
        self.ingest += other.ingest;
        self.validate += other.validate;
        self.fit += other.fit;
        self.predict += other.predict;
        self.reconcile += other.reconcile;
        self.explain += other.explain;
        self.write += other.write;
    }
}

/// Whether the stage was not requested.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// Time of all threads on fitting and predicting, which alternate series by series.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    fit: AtomicU64,
    predict: AtomicU64,
}

impl Timers {
    pub(crate) fn fit(&self, spent: Duration) {
        self.fit.fetch_add(spent.as_nanos() as u64, Ordering::Relaxed);
    }

    pub(crate) fn predict(&self, spent: Duration) {
        self.predict.fetch_add(spent.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Splits the wall time of the parallel part, in seconds, in proportion to the work of its two stages.
    pub(crate) fn split(&self, wall: f64) -> (f64, f64) {
        let (fit, predict) =
            (self.fit.load(Ordering::Relaxed) as f64, self.predict.load(Ordering::Relaxed) as f64);
        let share = if fit + predict > 0.0 { fit / (fit + predict) } else { 0.0 };
        (wall * share, wall * (1.0 - share))
    }
}
