use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// The current part of a run, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// Waiting for its turn.
    Queued,
    /// Reading the input file.
    Ingest,
    /// Inferring the frequency, checking grids and caps.
    Validate,
    /// Forecasting held-back parts of the histories of a sample of series.
    Backtest,
    /// Fitting, combining and writing, chunk by chunk.
    Fit,
    /// Making the forecasts of a hierarchy coherent.
    Reconcile,
    /// Findings and analyses of the forecasts.
    Explain,
    /// Closing the output files.
    Write,
}

impl Stage {
    const ALL: [Self; 8] = [
        Self::Queued,
        Self::Ingest,
        Self::Validate,
        Self::Backtest,
        Self::Fit,
        Self::Reconcile,
        Self::Explain,
        Self::Write,
    ];

    /// The name in progress reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Ingest => "ingest",
            Self::Validate => "validate",
            Self::Backtest => "backtest",
            Self::Fit => "fit",
            Self::Reconcile => "reconcile",
            Self::Explain => "explain",
            Self::Write => "write",
        }
    }

    /// Share of a run that is done when the stage begins; fitting takes most of it.
    fn begins_at(self) -> f64 {
        match self {
            Self::Queued | Self::Ingest => 0.0,
            Self::Validate => 0.05,
            Self::Backtest => 0.08,
            Self::Fit => 0.3,
            Self::Reconcile | Self::Explain | Self::Write => 0.98,
        }
    }
}

/// Lets other threads watch a run and cancel it. All fields are independent, so relaxed ordering is enough.
#[derive(Debug, Default)]
pub struct Control {
    cancel: Arc<AtomicBool>,
    stage: AtomicU8,
    /// Number of series in the stage and number done, by stage.
    counters: [(AtomicU64, AtomicU64); Stage::ALL.len()],
}

impl Control {
    /// A control for one run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the run to stop; it does within milliseconds, even in the middle of a series.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Whether [`Control::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The flag itself, for readers that poll it.
    pub fn cancel_flag(&self) -> &AtomicBool {
        &self.cancel
    }

    /// The current stage and the share of the whole run that is done, 0 to 1.
    pub fn progress(&self) -> (Stage, f64) {
        let stage = Stage::ALL[usize::from(self.stage.load(Ordering::Relaxed)).min(Stage::ALL.len() - 1)];
        let (total, done) = &self.counters[stage as usize];
        let total = total.load(Ordering::Relaxed);
        let end = match stage {
            Stage::Backtest => Stage::Fit.begins_at(),
            Stage::Fit => Stage::Write.begins_at(),
            _ => stage.begins_at(),
        };
        let done = done.load(Ordering::Relaxed).min(total);
        let inside = (end - stage.begins_at()) * done as f64 / total.max(1) as f64;
        (stage, stage.begins_at() + inside)
    }

    /// A control for side work, which does not count for the run's progress but is cancelled with it.
    pub(crate) fn aside(&self) -> Self {
        Self { cancel: self.shared_cancel_flag(), ..Self::default() }
    }

    /// A shared handle of the flag, for work that outlives a borrow of the control.
    pub(crate) fn shared_cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// Sets the current stage. [`run`](crate::run) and similar calls do so themselves; work before them does not.
    pub fn enter(&self, stage: Stage) {
        self.stage.store(stage as u8, Ordering::Relaxed);
    }

    /// Enters a stage that goes through `series` series.
    pub(crate) fn enter_series(&self, stage: Stage, series: usize) {
        self.counters[stage as usize].0.store(series as u64, Ordering::Relaxed);
        self.enter(stage);
    }

    pub(crate) fn series_done(&self) {
        self.passes_done(1);
    }

    /// Counts finished passes over a series, in stages with several passes per series.
    pub(crate) fn passes_done(&self, passes: usize) {
        let stage = usize::from(self.stage.load(Ordering::Relaxed));
        self.counters[stage].1.fetch_add(passes as u64, Ordering::Relaxed);
    }
}
