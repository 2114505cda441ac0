//! Lets other threads watch a run and cancel it.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// The current part of a run, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// Waiting for its turn.
    Queued,
    /// Reading the input file.
    Ingest,
    /// Checking labels, column types and split.
    Validate,
    /// Learning, fold by fold.
    Fit,
    /// Weights, calibration, intervals, importance.
    Combine,
    /// Analyses, if requested.
    Explain,
    /// Writing the files.
    Write,
}

impl Stage {
    const ALL: [Self; 7] =
        [Self::Queued, Self::Ingest, Self::Validate, Self::Fit, Self::Combine, Self::Explain, Self::Write];

    /// The name in progress reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Ingest => "ingest",
            Self::Validate => "validate",
            Self::Fit => "fit",
            Self::Combine => "combine",
            Self::Explain => "explain",
            Self::Write => "write",
        }
    }

    /// Share of a run that is done when the stage begins; learning takes most of it.
    fn begins_at(self) -> f64 {
        match self {
            Self::Queued | Self::Ingest => 0.0,
            Self::Validate => 0.03,
            Self::Fit => 0.05,
            Self::Combine => 0.93,
            Self::Explain => 0.96,
            Self::Write => 0.98,
        }
    }
}

/// Shared between threads; the fields are independent, so relaxed ordering is enough.
#[derive(Debug, Default)]
pub struct Control {
    cancel: AtomicBool,
    stage: AtomicU8,
    /// Pieces of work in the stage, and pieces done.
    work: (AtomicU64, AtomicU64),
}

impl Control {
    /// A control for one run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the run to stop; it does within a fraction of a second.
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
        let at = usize::from(self.stage.load(Ordering::Relaxed)).min(Stage::ALL.len() - 1);
        let stage = Stage::ALL[at];
        let end = Stage::ALL.get(at + 1).map_or(1.0, |next| next.begins_at());
        let whole = self.work.0.load(Ordering::Relaxed).max(1);
        let done = self.work.1.load(Ordering::Relaxed).min(whole);
        (stage, stage.begins_at() + (end - stage.begins_at()) * done as f64 / whole as f64)
    }

    /// Enters a stage with this many pieces of work.
    pub(crate) fn enter(&self, stage: Stage, pieces: usize) {
        self.work.1.store(0, Ordering::Relaxed);
        self.work.0.store(pieces as u64, Ordering::Relaxed);
        self.stage.store(stage as u8, Ordering::Relaxed);
    }

    pub(crate) fn piece_done(&self) {
        self.work.1.fetch_add(1, Ordering::Relaxed);
    }
}
