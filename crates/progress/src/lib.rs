//! Lets another thread read the progress of a run and cancel it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// The name in progress reports.
    pub name: &'static str,
    /// The share of the run that is done when the stage begins, 0 to 1.
    pub begins_at: f64,
    /// The share of the run that is done when the stage ends, 0 to 1.
    pub ends_at: f64,
}

impl Stage {
    /// The run has not begun.
    pub const QUEUED: Self = Self { name: "queued", begins_at: 0.0, ends_at: 0.0 };
}

/// Lets other threads watch and cancel one run. Its counters are independent, so relaxed ordering is enough.
#[derive(Debug)]
pub struct Control {
    cancel: Arc<AtomicBool>,
    stage: Mutex<Stage>,
    /// The units of work of the stage: their total, and the number done.
    units: (AtomicU64, AtomicU64),
}

impl Default for Control {
    fn default() -> Self {
        Self { cancel: Arc::default(), stage: Mutex::new(Stage::QUEUED), units: Default::default() }
    }
}

impl Control {
    /// A control for one run.
    pub fn new() -> Self {
        Self::default()
    }

    /// A control for side work: it does not count towards the progress of this run, but is cancelled with it.
    #[must_use]
    pub fn aside(&self) -> Self {
        Self { cancel: self.shared_cancel_flag(), ..Self::default() }
    }

    /// Asks the run to stop; it does within a fraction of a second.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Whether [`Control::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The cancel flag, for readers that poll it.
    pub fn cancel_flag(&self) -> &AtomicBool {
        &self.cancel
    }

    /// Shared ownership of the cancel flag, for callers that outlive a borrow of the control.
    pub fn shared_cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// The current stage, and the share of the whole run that is done, 0 to 1.
    pub fn progress(&self) -> (Stage, f64) {
        let stage = *self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let units = self.units.0.load(Ordering::Relaxed);
        let done = self.units.1.load(Ordering::Relaxed).min(units);
        let inside = (stage.ends_at - stage.begins_at) * done as f64 / units.max(1) as f64;
        (stage, stage.begins_at + inside)
    }

    /// Enters a stage whose work is not counted.
    pub fn enter(&self, stage: Stage) {
        self.enter_units(stage, 0);
    }

    /// Enters a stage of `units` units of work. A run that enters the same stage again, because it found more work,
    /// keeps its count of units done.
    pub fn enter_units(&self, stage: Stage, units: usize) {
        let mut current = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if *current != stage {
            self.units.1.store(0, Ordering::Relaxed);
        }
        self.units.0.store(units as u64, Ordering::Relaxed);
        *current = stage;
    }

    /// Adds to the units of the stage that are done.
    pub fn units_done(&self, units: usize) {
        self.units.1.fetch_add(units as u64, Ordering::Relaxed);
    }
}
