//! A run: from its options to its files.

pub(crate) mod forecaster;
pub(crate) mod members;
pub(crate) mod plan;
pub(crate) mod series_forecast;
pub mod stages;
pub(crate) mod tally;
pub(crate) mod time_budget;
pub(crate) mod timers;

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
    let run_began = Instant::now();
    let mut timings = Timings::default();
    let (model, config) = TunedModel::of(config)?;
    let config = &*config;
    let dataset = Dataset::load_with(config, model.as_ref(), Identity::Needed, control, &mut timings)?;
    let began = Instant::now();
    let dataset_hash = dataset.hash(control)?;
    timings.validate += began.elapsed().as_secs_f64();

    let series = dataset.series();
    let plan = Plan::new(config, dataset.frequency, series, control);
    let pool = config.pool()?;
    let began = Instant::now();
    let forecaster = match &model {
        Some(model) => Forecaster::with_model(&dataset, control, plan, model),
        None => pool.install(|| Forecaster::prepare(&dataset, control, plan, run_began, config.budget))?,
    };
    let preparing = began.elapsed().as_secs_f64();

    let kept = match (&output.findings_path, &output.analyses_dir) {
        (None, None) => Kept::default(),
        _ => Kept::choose(config, &dataset, &forecaster),
    };
    let mut table = ForecastTable::create(output, config, &dataset, kept, control)?;
    let mut tally = Tally::default();
    let began = Instant::now();
    let mut reconciliation = None;
    if let Some(hierarchy) = &dataset.hierarchy {
        let nodes = Nodes { hierarchy, dataset: &dataset, forecaster: &forecaster, pool: &pool, control };
        let (summary, seconds) = nodes.forecast(&mut table, &mut tally)?;
        reconciliation = Some(summary);
        timings.reconcile = seconds;
    } else {
        control.enter_units(stages::FIT, series);
        forecast_panel(&forecaster, &pool, &mut table, &mut tally)?;
    }
    let computing = (began.elapsed().as_secs_f64() - table.writing - timings.reconcile).max(0.0);
    (timings.fit, timings.predict) = forecaster.timers.split(computing);
    timings.fit += preparing;

    let freq = dataset.frequency.alias();
    let began = Instant::now();
    let kept = std::mem::take(&mut table.kept);
    let subject = Subject { config, dataset: &dataset, forecaster: &forecaster, kept: &kept, control };
    if output.findings_path.is_some() || output.analyses_dir.is_some() {
        control.enter(stages::EXPLAIN);
        pool.install(|| explain(&subject, output, &freq))?;
        timings.explain = began.elapsed().as_secs_f64();
    }

    control.enter(stages::WRITE);
    let began = Instant::now();
    timings.write = table.writing;
    let (rows, csv_written) = table.finish()?;
    let warnings: Vec<Warning> =
        dataset.warnings.iter().cloned().chain(tally.warnings(dataset.added_rows as u64)).collect();
    let report = Report::new(&forecaster, &dataset, &freq, tally.series_of(), &warnings);
    write_report(output, &report)?;
    timings.write += began.elapsed().as_secs_f64();
    let num_items = dataset.panel.len() as u64;
    Ok(Summary { num_items, rows, freq, dataset_hash, timings, warnings, csv_written, reconciliation })
}

/// Forecasts series that need not add up.
fn forecast_panel(
    forecaster: &Forecaster<'_>,
    pool: &rayon::ThreadPool,
    table: &mut ForecastTable<'_>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    for chunk in table.chunks() {
        let forecasts = pool.install(|| forecaster.forecast(chunk.clone()))?;
        tally.add_all(&forecasts);
        table.write(chunk, forecasts.iter().map(|(history, series_forecast)| (history, series_forecast)))?;
    }
    Ok(())
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
