//! `checkHeader`: whether a dataset is what it says and has the columns.

use std::sync::Arc;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::Control;

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::options::DatasetOptions;
use crate::task_handle::TaskHandle;

/// Without an error the header is in order; there is nothing more to say.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct CheckHeaderReply {
    /// What is wrong with it.
    pub error: Option<EngineFailure>,
}

/// One call of `check_header`.
#[derive(Debug)]
pub struct CheckHeaderTask {
    options: Option<DatasetOptions>,
    control: Arc<Control>,
}

impl CheckHeaderTask {
    fn work(&mut self) -> Result<(), Box<EngineFailure>> {
        let Some(options) = self.options.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        guarded(|| tabcast_forecast::check_header(&options.resolve(None)?, &self.control))
    }
}

#[napi]
impl Task for CheckHeaderTask {
    type Output = CheckHeaderReply;
    type JsValue = CheckHeaderReply;

    fn compute(&mut self) -> napi::Result<CheckHeaderReply> {
        Ok(CheckHeaderReply { error: self.work().err().map(|error| *error) })
    }

    fn resolve(&mut self, _env: Env, output: CheckHeaderReply) -> napi::Result<CheckHeaderReply> {
        Ok(output)
    }
}

/// Reads what stands before the rows of the dataset and says what is wrong with it.
#[napi(catch_unwind)]
pub fn check_header(options: DatasetOptions, task: &TaskHandle) -> AsyncTask<CheckHeaderTask> {
    AsyncTask::new(CheckHeaderTask { options: Some(options), control: task.control() })
}
