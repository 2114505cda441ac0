//! `call`: one document in, one document out.

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;

use crate::calls::{Handles, answer};
use crate::kept_dataset::KeptDataset;
use crate::task_handle::TaskHandle;

/// A call in progress.
#[derive(Debug)]
pub struct Call {
    name: String,
    request: String,
    handles: Handles,
}

#[napi]
impl Task for Call {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> napi::Result<String> {
        Ok(answer(&self.name, &self.request, &self.handles))
    }

    fn resolve(&mut self, _env: Env, reply: String) -> napi::Result<String> {
        Ok(reply)
    }
}

/// Runs the call `name` with a `request`. Request and reply are JSON, with the types in
/// `src/domain/engine-documents.ts`. A survey leaves rows in `kept`, and a forecast takes them from there.
#[napi(catch_unwind)]
pub fn call(name: String, request: String, task: &TaskHandle, kept: Option<&KeptDataset>) -> AsyncTask<Call> {
    AsyncTask::new(Call { name, request, handles: Handles::new(task, kept) })
}
