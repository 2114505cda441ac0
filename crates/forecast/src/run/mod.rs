//! A run: from its options to its files.

pub(crate) mod forecaster;
pub(crate) mod members;
pub(crate) mod plan;
pub(crate) mod series_forecast;
pub mod stages;
pub(crate) mod tally;
pub(crate) mod time_budget;
pub(crate) mod timers;

use std::ops::Range;
use std::time::Instant;
use std::{fs, io};

use serde::Serialize;
use tabcast_table::Warning;

use crate::dataset::{Dataset, Identity};
use crate::explaining::{Kept, Subject, write_analyses, write_findings};
use crate::learners::tuned::TunedModel;
use crate::output::forecast_table::ForecastTable;
use crate::output::report::Report;
use crate::reconciliation::Nodes;
use crate::run::forecaster::Forecaster;
use crate::run::plan::Plan;
use crate::run::tally::Tally;
use crate::run::timers::Timings;
use crate::shards::cut;
use crate::{Config, Control, Failure, Output, ReconciliationSummary};

/// The outcome of a run; the rows are in the files.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "ForecastSummary")]
pub struct Summary {
    /// Series of the dataset.
    pub num_items: u64,
    /// Rows of the table: number of series, or of nodes of the hierarchy, times horizon.
    pub rows: u64,
    /// Canonical alias of the frequency that was used.
    pub freq: String,
    /// SHA-256 of the dataset's canonical rows.
    pub dataset_hash: String,
    /// Seconds by stage.
    pub timings: Timings,
    /// Warnings for the sender.
    pub warnings: Vec<Warning>,
    /// Whether the CSV was written; false if it would have exceeded its cap.
    pub csv_written: bool,
    /// The outcome of reconciliation; none without a hierarchy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reconciliation: Option<ReconciliationSummary>,
}

/// Reads the dataset, forecasts every series and writes the table in item id order, one chunk of series at a time. With
/// a hierarchy, it forecasts all nodes, from the grand total down.
///
/// No problem of a single series fails the run, and the same options give the same bytes for any number of threads.
///
/// # Errors
///
/// See [`Failure`]; any output files that exist then are unusable.
pub fn run(config: &Config, output: &Output, control: &Control) -> Result<Summary, Failure> {
    begin(config, output, control, |begun| begun.forecast(output))
}

/// A run before its forecasts: the dataset is read, and what all series teach is learned.
pub(crate) struct Begun<'a> {
    pub(crate) config: &'a Config,
    pub(crate) dataset: &'a Dataset,
    pub(crate) forecaster: Forecaster<'a>,
    pub(crate) dataset_hash: String,
    pub(crate) timings: Timings,
    /// The series, cut into shards.
    pub(crate) shards: Vec<Range<usize>>,
    pub(crate) control: &'a Control,
    pool: rayon::ThreadPool,
}

/// Begins a run; `then` goes on with it.
pub(crate) fn begin<R>(
    config: &Config,
    output: &Output,
    control: &Control,
    then: impl FnOnce(Begun<'_>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let run_began = Instant::now();
    let mut timings = Timings::default();
    let (model, config) = TunedModel::of(config)?;
    let config = &*config;
    // There is space for the table, so there is some for the rows of a large dataset.
    let scratch = output.parquet_path.parent();
    let dataset =
        Dataset::load_with(config, model.as_ref(), Identity::Needed, scratch, control, &mut timings)?;
    let began = Instant::now();
    let dataset_hash = dataset.hash(control)?;
    timings.validate += began.elapsed().as_secs_f64();

    let plan = Plan::new(config, dataset.frequency, dataset.series(), control);
    let pool = config.pool()?;
    let began = Instant::now();
    let forecaster = match &model {
        Some(model) => Forecaster::with_model(&dataset, control, plan, model),
        None => pool.install(|| Forecaster::prepare(&dataset, control, plan, run_began, config.budget))?,
    };
    timings.fit = began.elapsed().as_secs_f64();
    let shards = cut(&dataset, forecaster.plan(), config.shard_seconds);
    then(Begun { config, dataset: &dataset, forecaster, dataset_hash, timings, shards, control, pool })
}

impl Begun<'_> {
    /// The forecasts to keep for the explanations.
    pub(crate) fn kept(&self, output: &Output) -> Kept {
        match (&output.findings_path, &output.analyses_dir) {
            (None, None) => Kept::default(),
            _ => Kept::choose(self.config, self.dataset, &self.forecaster),
        }
    }

    /// Goes on in this process, to the end.
    pub(crate) fn forecast(self, output: &Output) -> Result<Summary, Failure> {
        let kept = self.kept(output);
        let Self { config, dataset, forecaster, dataset_hash, mut timings, shards, control, pool } = self;
        let mut table = ForecastTable::create(output.table(), config, dataset, kept, control)?;
        let mut tally = Tally::default();
        let began = Instant::now();
        let mut reconciliation = None;
        if let Some(hierarchy) = &dataset.hierarchy {
            let nodes = Nodes { hierarchy, dataset, forecaster: &forecaster, pool: &pool, control };
            let (summary, seconds) = nodes.forecast(&mut table, &mut tally)?;
            reconciliation = Some(summary);
            timings.reconcile = seconds;
        } else {
            control.enter_units(stages::FIT, dataset.series());
            for shard in shards {
                forecast_shard_of(&forecaster, shard, &pool, &mut table, &mut tally)?;
            }
        }
        let computing = (began.elapsed().as_secs_f64() - table.writing - timings.reconcile).max(0.0);
        let (fit, predict) = forecaster.timers.split(computing);
        timings.fit += fit;
        timings.predict = predict;
        timings.write = table.writing;
        let kept = std::mem::take(&mut table.kept);
        let subject = Subject { config, dataset, forecaster: &forecaster, kept: &kept, control };
        let conclusion =
            Conclusion { subject, output, pool: &pool, tally: &tally, timings, dataset_hash, reconciliation };
        conclusion.write(|| table.finish())
    }
}

/// Forecasts the series of a shard, which need not add up.
pub(crate) fn forecast_shard_of(
    forecaster: &Forecaster<'_>,
    shard: Range<usize>,
    pool: &rayon::ThreadPool,
    table: &mut ForecastTable<'_>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    for chunk in table.chunks(shard) {
        let forecasts = pool.install(|| forecaster.forecast(chunk.clone()))?;
        tally.add_all(&forecasts);
        table.write(chunk, forecasts.iter().map(|(history, series_forecast)| (history, series_forecast)))?;
    }
    table.end_shard()
}

/// The end of a run, once all series are forecast.
pub(crate) struct Conclusion<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) output: &'a Output,
    pub(crate) pool: &'a rayon::ThreadPool,
    pub(crate) tally: &'a Tally,
    pub(crate) timings: Timings,
    pub(crate) dataset_hash: String,
    pub(crate) reconciliation: Option<ReconciliationSummary>,
}

impl Conclusion<'_> {
    /// Explains the forecasts and writes the report. `close` closes the files of the table; it returns their rows, and
    /// whether there is a CSV.
    pub(crate) fn write(
        self,
        close: impl FnOnce() -> Result<(u64, bool), Failure>,
    ) -> Result<Summary, Failure> {
        let Self { subject, output, pool, tally, mut timings, dataset_hash, reconciliation } = self;
        let Subject { dataset, forecaster, control, .. } = subject;
        let freq = dataset.frequency.alias();
        if output.findings_path.is_some() || output.analyses_dir.is_some() {
            let began = Instant::now();
            control.enter(stages::EXPLAIN);
            pool.install(|| explain(&subject, output, &freq))?;
            timings.explain = began.elapsed().as_secs_f64();
        }

        control.enter(stages::WRITE);
        let began = Instant::now();
        let (rows, csv_written) = close()?;
        let warnings: Vec<Warning> =
            dataset.warnings.iter().cloned().chain(tally.warnings(dataset.added_rows as u64)).collect();
        let report = Report::new(forecaster, dataset, &freq, tally.series_of(), &warnings);
        write_report(output, &report)?;
        timings.write += began.elapsed().as_secs_f64();
        let num_items = (dataset.panel.len() + dataset.elsewhere) as u64;
        Ok(Summary { num_items, rows, freq, dataset_hash, timings, warnings, csv_written, reconciliation })
    }
}

/// Writes findings and analyses, if the output names a place for them.
fn explain(subject: &Subject<'_>, output: &Output, freq: &str) -> Result<(), Failure> {
    if let Some(path) = &output.findings_path {
        write_findings(path, subject, freq)?;
    }
    if let (Some(folder), Some(options)) = (&output.analyses_dir, &subject.config.explain) {
        write_analyses(folder, output.max_csv_bytes, subject, options, freq)?;
    }
    Ok(())
}

fn write_report(output: &Output, report: &Report<'_>) -> Result<(), Failure> {
    let bytes = serde_json::to_vec_pretty(report)
        .map_err(|error| Failure::io("writing the report")(io::Error::other(error)))?;
    fs::write(&output.report_path, bytes).map_err(Failure::io("writing the report"))
}
