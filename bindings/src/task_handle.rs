//! `TaskHandle`: cancel a call, read its progress.

use std::sync::Arc;

use napi_derive::napi;
use tabcast_forecast::Control;

/// A handle on one call: make one, pass it in, then cancel the call or read how far it is.
#[napi]
#[derive(Debug, Default)]
pub struct TaskHandle {
    control: Arc<Control>,
}

/// How far a call is.
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

    /// The stage under way and the share that is done.
    #[napi(catch_unwind)]
    pub fn progress(&self) -> Progress {
        let (stage, fraction) = self.control.progress();
        Progress { stage: stage.name.to_owned(), fraction }
    }

    pub(crate) fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }
}
