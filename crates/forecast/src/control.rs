use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// The part of a run that is under way, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// Waiting for its turn.
    Queued,
    /// Reading the input file.
    Ingest,
    /// Inferring the frequency, checking grids and caps.
    Validate,
    /// Fitting, combining and writing, chunk by chunk.
    Fit,
    /// Closing the output files.
    Write,
}

impl Stage {
    const ALL: [Self; 5] = [Self::Queued, Self::Ingest, Self::Validate, Self::Fit, Self::Write];

    /// The name that progress reports carry.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Ingest => "ingest",
            Self::Validate => "validate",
            Self::Fit => "fit",
            Self::Write => "write",
        }
    }

    /// Share of a run that is done when the stage begins; fitting is nearly all of it.
    fn begins_at(self) -> f64 {
        match self {
            Self::Queued | Self::Ingest => 0.0,
            Self::Validate => 0.05,
            Self::Fit => 0.08,
            Self::Write => 0.98,
        }
    }
}

/// What the outside may see of a run, and the one thing it may do to it. Shared between threads; all fields are
/// independent, so relaxed ordering is enough.
#[derive(Debug, Default)]
pub struct Control {
    cancel: AtomicBool,
    stage: AtomicU8,
    done: AtomicU64,
    total: AtomicU64,
}

impl Control {
    /// A control for one run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the run to stop; it does at the next series.
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

    /// The stage under way and the share of the whole run that is done, 0 to 1.
    pub fn progress(&self) -> (Stage, f64) {
        let stage = Stage::ALL[usize::from(self.stage.load(Ordering::Relaxed)).min(Stage::ALL.len() - 1)];
        let total = self.total.load(Ordering::Relaxed);
        let inside = if stage == Stage::Fit && total > 0 {
            let done = self.done.load(Ordering::Relaxed).min(total);
            (Stage::Write.begins_at() - stage.begins_at()) * done as f64 / total as f64
        } else {
            0.0
        };
        (stage, stage.begins_at() + inside)
    }

    pub(crate) fn enter(&self, stage: Stage) {
        self.stage.store(stage as u8, Ordering::Relaxed);
    }

    pub(crate) fn expect_series(&self, total: usize) {
        self.total.store(total as u64, Ordering::Relaxed);
    }

    pub(crate) fn series_done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}
