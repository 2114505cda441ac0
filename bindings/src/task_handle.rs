//! `TaskHandle`: cancels a call and reads its progress.

use std::sync::Arc;

use napi_derive::napi;
use tabcast_forecast::Control;

/// A handle on one call: create it, pass it in, then cancel the call or read its progress.
#[napi]
#[derive(Debug, Default)]
pub struct TaskHandle {
    control: Arc<Control>,
    tabular: Arc<tabcast_tabular::Control>,
}

/// The progress of a call.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct Progress {
    /// `queued`, `ingest`, `validate`, `fit` or `write`.
    pub stage: String,
    /// Share of the whole call that is done, 0 to 1.
    pub fraction: f64,
}

#[napi]
impl TaskHandle {
    /// A handle for one call.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the call to stop; it ends with an error of kind `cancelled`.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.control.cancel();
        self.tabular.cancel();
    }

    /// The current stage, and the share that is done.
    #[napi(catch_unwind)]
    pub fn progress(&self) -> Progress {
        let (stage, fraction) = self.control.progress();
        let (tabular, tabular_fraction) = self.tabular.progress();
        // One handle belongs to one call, so at most one of the two has begun.
        if tabular == tabcast_tabular::Stage::Queued {
            return Progress { stage: stage.name().to_owned(), fraction };
        }
        Progress { stage: tabular.name().to_owned(), fraction: tabular_fraction }
    }

    pub(crate) fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }

    pub(crate) fn tabular_control(&self) -> Arc<tabcast_tabular::Control> {
        Arc::clone(&self.tabular)
    }
}
