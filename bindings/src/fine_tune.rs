//! `fineTune`: a dataset in, a model file out.

use std::sync::Arc;
use std::time::Duration;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::{Control, TuneConfig, TuneOptions};

use crate::check::EngineWarning;
use crate::failure::EngineFailure;
use crate::forecast::Timings;
use crate::guarded::guarded;
use crate::options::DatasetOptions;
use crate::task_handle::TaskHandle;

/// How the model is trained, and where it goes.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct TuningOptions {
    /// The file to write.
    pub model_path: String,
    /// `mae`, `mse`, `rmse`, `mape`, `smape` or `wql`.
    pub loss: String,
    /// Horizons at the end of each series that the model is judged on, 1 to 5.
    pub validation_windows: u32,
    /// Wall clock that the run should keep to, in seconds; training ends earlier when it runs short.
    pub budget_seconds: f64,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct FineTuneReply {
    /// What was done.
    pub value: Option<FineTuneSummary>,
    /// Why there is no model.
    pub error: Option<EngineFailure>,
}

/// What a finished fine-tuning has to say; the model is in its file.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct FineTuneSummary {
    /// Series of the dataset.
    pub num_items: f64,
    /// Data rows.
    pub rows: f64,
    /// Canonical alias of the frequency.
    pub freq: String,
    /// SHA-256 of the dataset's canonical rows, in hexadecimal.
    pub dataset_hash: String,
    /// Seconds by stage.
    pub timings: Timings,
    /// What the sender should know.
    pub warnings: Vec<EngineWarning>,
    /// Names of the covariates that the model needs.
    pub covariates: Vec<String>,
    /// Names of the features that it makes of each series.
    pub features: Vec<String>,
    /// Errors on the validation windows.
    pub metrics: TuneMetrics,
    /// Of the file.
    pub size_bytes: f64,
}

/// Errors of the model, trained without the windows, and of the preset.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct TuneMetrics {
    /// The model's.
    pub candidate: ErrorMeasures,
    /// The preset's.
    pub baseline: ErrorMeasures,
}

/// Errors over all windows; missing: nothing could be held back, or every actual value is 0.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct ErrorMeasures {
    /// Mean absolute error.
    pub mae: Option<f64>,
    /// Mean squared error.
    pub mse: Option<f64>,
    /// Its root.
    pub rmse: Option<f64>,
    /// Mean absolute percentage error, percent.
    pub mape: Option<f64>,
    /// Symmetric mean absolute percentage error, percent.
    pub smape: Option<f64>,
    /// Weighted quantile loss over the levels 0.1 to 0.9.
    pub wql: Option<f64>,
}

impl From<tabcast_forecast::TuneMetrics> for ErrorMeasures {
    fn from(metrics: tabcast_forecast::TuneMetrics) -> Self {
        let tabcast_forecast::TuneMetrics { mae, mse, rmse, mape, smape, wql } = metrics;
        Self { mae, mse, rmse, mape, smape, wql }
    }
}

/// One call of `fineTune`.
#[derive(Debug)]
pub struct FineTuneTask {
    work: Option<(DatasetOptions, TuningOptions)>,
    control: Arc<Control>,
}

impl FineTuneTask {
    fn work(&mut self) -> Result<FineTuneSummary, Box<EngineFailure>> {
        let Some((dataset, tuning)) = self.work.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        let budget = Duration::try_from_secs_f64(tuning.budget_seconds).ok();
        let options = TuneOptions {
            forecast: dataset.options(budget),
            model_path: tuning.model_path.into(),
            loss: tuning.loss,
            validation_windows: tuning.validation_windows as usize,
        };
        let summary = guarded(|| tabcast_forecast::fine_tune(&TuneConfig::resolve(options)?, &self.control))?;
        Ok(FineTuneSummary {
            num_items: summary.num_items as f64,
            rows: summary.rows as f64,
            freq: summary.freq,
            dataset_hash: summary.dataset_hash,
            timings: summary.timings.into(),
            warnings: summary.warnings.into_iter().map(EngineWarning::from).collect(),
            covariates: summary.covariates,
            features: summary.features,
            metrics: TuneMetrics { candidate: summary.candidate.into(), baseline: summary.baseline.into() },
            size_bytes: summary.size_bytes as f64,
        })
    }
}

#[napi]
impl Task for FineTuneTask {
    type Output = FineTuneReply;
    type JsValue = FineTuneReply;

    fn compute(&mut self) -> napi::Result<FineTuneReply> {
        Ok(match self.work() {
            Ok(value) => FineTuneReply { value: Some(value), error: None },
            Err(error) => FineTuneReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: FineTuneReply) -> napi::Result<FineTuneReply> {
        Ok(output)
    }
}

/// Trains one model for all series of the dataset and writes it.
#[napi(catch_unwind)]
pub fn fine_tune(
    options: DatasetOptions,
    tuning: TuningOptions,
    task: &TaskHandle,
) -> AsyncTask<FineTuneTask> {
    AsyncTask::new(FineTuneTask { work: Some((options, tuning)), control: task.control() })
}
