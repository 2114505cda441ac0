//! `TaskHandle`: cancels a call and reads its progress.

use std::sync::Arc;

use napi_derive::napi;
use tabcast_forecast::Control;

/// A handle on one call: create it, pass it in, then cancel the call or read its progress.
#[napi]
#[derive(Debug, Default)]
pub struct TaskHandle {
    control: Arc<Control>,
}

/// The progress of a call.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct Progress {
    /// `queued`, `ingest`, `validate`, `fit`, `write` or another stage of the call.
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
    }

    /// The current stage, and the share that is done.
    #[napi(catch_unwind)]
    pub fn progress(&self) -> Progress {
        let (stage, fraction) = self.control.progress();
        Progress { stage: stage.name.to_owned(), fraction }
    }

    pub(crate) fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }
}
