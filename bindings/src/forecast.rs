//! `forecast`: a dataset in, a forecast table out.

use std::sync::Arc;
use std::time::Duration;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::{Config, Control, Output};

use crate::check::EngineWarning;
use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::options::DatasetOptions;
use crate::reconciliation_summary::ReconciliationSummary;
use crate::survey::KeptDataset;
use crate::task_handle::TaskHandle;

/// Where the forecast table goes.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct OutputOptions {
    /// The table as Parquet.
    pub parquet_path: String,
    /// The table as CSV.
    pub csv_path: String,
    /// The CSV is given up, and its file removed, once it would grow beyond this.
    pub max_csv_bytes: f64,
    /// The report as JSON.
    pub report_path: String,
    /// What stands out in the data and the forecasts, as JSON; missing: not looked for.
    pub findings_path: Option<String>,
    /// A folder that is there, for the files of the analyses; missing: they are not made.
    pub analyses_dir: Option<String>,
    /// Wall clock that the run should keep to, in seconds; the last series get cheaper models when it runs short.
    pub budget_seconds: f64,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct ForecastReply {
    /// What was done.
    pub value: Option<ForecastSummary>,
    /// Why there is no forecast.
    pub error: Option<EngineFailure>,
}

/// What a finished run has to say; the rows are in the files.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct ForecastSummary {
    /// Series of the dataset.
    pub num_items: f64,
    /// Rows of the table: series times horizon, the aggregates of a hierarchy included.
    pub rows: f64,
    /// Canonical alias of the frequency that was used.
    pub freq: String,
    /// SHA-256 of the dataset's canonical rows, in hexadecimal.
    pub dataset_hash: String,
    /// Seconds by stage.
    pub timings: Timings,
    /// What the sender should know.
    pub warnings: Vec<EngineWarning>,
    /// Whether the CSV was written.
    pub csv_written: bool,
    /// What the reconciliation did; missing: none was asked for.
    pub reconciliation: Option<ReconciliationSummary>,
}

/// Seconds by stage; stages do not overlap.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct Timings {
    /// Reading the file.
    pub ingest: f64,
    /// Frequency, grids and caps.
    pub validate: f64,
    /// Fitting models, the backtest included.
    pub fit: f64,
    /// Forecasting from the fits, combining, guarding.
    pub predict: f64,
    /// Making the forecasts add up; missing: that was not done.
    pub reconcile: Option<f64>,
    /// Findings and analyses; missing: neither was asked for.
    pub explain: Option<f64>,
    /// Writing the table.
    pub write: f64,
}

impl From<tabcast_forecast::Timings> for Timings {
    fn from(timings: tabcast_forecast::Timings) -> Self {
        Self {
            ingest: timings.ingest,
            validate: timings.validate,
            fit: timings.fit,
            predict: timings.predict,
            reconcile: (timings.reconcile > 0.0).then_some(timings.reconcile),
            explain: (timings.explain > 0.0).then_some(timings.explain),
            write: timings.write,
        }
    }
}

/// One call of `forecast`.
#[derive(Debug)]
pub struct ForecastTask {
    work: Option<(DatasetOptions, OutputOptions, Option<KeptDataset>)>,
    control: Arc<Control>,
}

impl ForecastTask {
    fn work(&mut self) -> Result<ForecastSummary, Box<EngineFailure>> {
        let Some((options, output, kept)) = self.work.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        let budget = Duration::try_from_secs_f64(output.budget_seconds).ok();
        let output = Output {
            parquet_path: output.parquet_path.into(),
            csv_path: output.csv_path.into(),
            max_csv_bytes: output.max_csv_bytes as u64,
            report_path: output.report_path.into(),
            findings_path: output.findings_path.map(Into::into),
            analyses_dir: output.analyses_dir.map(Into::into),
        };
        let summary = guarded(|| {
            let config = Config::resolve(KeptDataset::within(kept, options.options(budget)))?;
            tabcast_forecast::run(&config, &output, &self.control)
        })?;
        Ok(ForecastSummary {
            num_items: summary.num_items as f64,
            rows: summary.rows as f64,
            freq: summary.freq,
            dataset_hash: summary.dataset_hash,
            timings: summary.timings.into(),
            warnings: summary.warnings.into_iter().map(EngineWarning::from).collect(),
            csv_written: summary.csv_written,
            reconciliation: summary.reconciliation.map(ReconciliationSummary::from),
        })
    }
}

#[napi]
impl Task for ForecastTask {
    type Output = ForecastReply;
    type JsValue = ForecastReply;

    fn compute(&mut self) -> napi::Result<ForecastReply> {
        Ok(match self.work() {
            Ok(value) => ForecastReply { value: Some(value), error: None },
            Err(error) => ForecastReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: ForecastReply) -> napi::Result<ForecastReply> {
        Ok(output)
    }
}

/// Reads the dataset, or takes the rows that its survey has left in `kept`, forecasts every series and writes the table.
#[napi(catch_unwind)]
pub fn forecast(
    options: DatasetOptions,
    output: OutputOptions,
    kept: Option<&KeptDataset>,
    task: &TaskHandle,
) -> AsyncTask<ForecastTask> {
    AsyncTask::new(ForecastTask { work: Some((options, output, kept.cloned())), control: task.control() })
}
