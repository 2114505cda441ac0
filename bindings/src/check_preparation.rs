//! `checkPreparation`: whether a dataset has the columns that its preparation needs.

use std::sync::Arc;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::Control;

use crate::check_header::CheckHeaderReply;
use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::options::DatasetOptions;
use crate::prepare::{PreparationOptions, request};
use crate::task_handle::TaskHandle;

/// One call of `checkPreparation`.
#[derive(Debug)]
pub struct CheckPreparationTask {
    work: Option<(DatasetOptions, PreparationOptions)>,
    control: Arc<Control>,
}

impl CheckPreparationTask {
    fn work(&mut self) -> Result<(), Box<EngineFailure>> {
        let Some((dataset, preparation)) = self.work.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        guarded(|| {
            let options = request(dataset, preparation, "").resolve(self.control.cancel_flag())?;
            tabcast_preparation::check_header(&options)
        })
    }
}

#[napi]
impl Task for CheckPreparationTask {
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
pub fn check_preparation(
    dataset: DatasetOptions,
    preparation: PreparationOptions,
    task: &TaskHandle,
) -> AsyncTask<CheckPreparationTask> {
    AsyncTask::new(CheckPreparationTask { work: Some((dataset, preparation)), control: task.control() })
}
