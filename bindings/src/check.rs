//! `check`: what is in a dataset.

use std::sync::Arc;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::Control;
use tabcast_table::Warning;

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::options::DatasetOptions;
use crate::task_handle::TaskHandle;

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct CheckReply {
    /// What is in the dataset.
    pub value: Option<Checked>,
    /// What is wrong with it.
    pub error: Option<EngineFailure>,
}

/// A dataset that can be forecast.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct Checked {
    /// Its figures.
    pub profile: Profile,
    /// What the sender should know.
    pub warnings: Vec<EngineWarning>,
}

/// Figures of a dataset.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct Profile {
    /// Data rows.
    pub rows: f64,
    /// Distinct items.
    pub series: f64,
    /// Rows of the shortest series.
    pub min_length: f64,
    /// Rows of the longest series.
    pub max_length: f64,
    /// Canonical alias of the frequency.
    pub freq: String,
    /// Of a hierarchy: what is forecast, sums and series.
    pub nodes: Option<f64>,
}

/// Something that was put right and that the sender should know.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct EngineWarning {
    /// Stable code in `snake_case`.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// How often.
    pub count: f64,
}

impl From<Warning> for EngineWarning {
    fn from(warning: Warning) -> Self {
        Self { code: warning.code.to_owned(), message: warning.message, count: warning.count as f64 }
    }
}

/// One call of `check`.
#[derive(Debug)]
pub struct CheckTask {
    options: Option<DatasetOptions>,
    control: Arc<Control>,
}

impl CheckTask {
    fn work(&mut self) -> Result<Checked, Box<EngineFailure>> {
        let Some(options) = self.options.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        let (profile, warnings) =
            guarded(|| tabcast_forecast::check(&options.resolve(None)?, &self.control))?;
        let profile = Profile {
            rows: profile.rows as f64,
            series: profile.series as f64,
            min_length: profile.min_length as f64,
            max_length: profile.max_length as f64,
            freq: profile.freq,
            nodes: profile.nodes.map(|nodes| nodes as f64),
        };
        Ok(Checked { profile, warnings: warnings.into_iter().map(EngineWarning::from).collect() })
    }
}

#[napi]
impl Task for CheckTask {
    type Output = CheckReply;
    type JsValue = CheckReply;

    fn compute(&mut self) -> napi::Result<CheckReply> {
        Ok(match self.work() {
            Ok(value) => CheckReply { value: Some(value), error: None },
            Err(error) => CheckReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: CheckReply) -> napi::Result<CheckReply> {
        Ok(output)
    }
}

/// Reads the dataset and says what is in it or what is wrong with it.
#[napi(catch_unwind)]
pub fn check(options: DatasetOptions, task: &TaskHandle) -> AsyncTask<CheckTask> {
    AsyncTask::new(CheckTask { options: Some(options), control: task.control() })
}
