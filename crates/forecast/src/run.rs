use std::fs;
use std::io;
use std::time::Instant;

use tabcast_table::{Warning, dataset_hash_unless};

use crate::control::Stage;
use crate::dataset::Dataset;
use crate::forecaster::Forecaster;
use crate::output::OutputFiles;
use crate::plan::Plan;
use crate::report::Report;
use crate::table_chunk::TableChunk;
use crate::tally::Tally;
use crate::timers::Timings;
use crate::{Config, Control, Failure, Output};

/// What a finished run has to say; the rows are in the files.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Series forecast.
    pub num_items: u64,
    /// Rows of the table: series times horizon.
    pub rows: u64,
    /// Canonical alias of the frequency that was used.
    pub freq: String,
    /// SHA-256 of the dataset's canonical rows.
    pub dataset_hash: String,
    /// Seconds by stage.
    pub timings: Timings,
    /// What the sender should know.
    pub warnings: Vec<Warning>,
    /// Whether the CSV was written; false when it would have outgrown its cap.
    pub csv_written: bool,
}

/// Rows that are held in memory at a time. It does not depend on the number of threads, so neither do the files' bytes.
const CHUNK_ROWS: usize = 65_536;

/// Reads the dataset, forecasts every series and writes the table in item id order, a chunk of series at a time.
///
/// Nothing about a single series fails the run, and the same options give the same bytes for any number of threads.
///
/// # Errors
///
/// See [`Failure`]; output files may exist then, and are worth nothing.
pub fn run(config: &Config, output: &Output, control: &Control) -> Result<Summary, Failure> {
    let run_began = Instant::now();
    let mut timings = Timings::default();
    let dataset = Dataset::load(config, control, &mut timings)?;
    let began = Instant::now();
    let dataset_hash =
        dataset_hash_unless(&dataset.panel, control.cancel_flag()).ok_or(Failure::Cancelled)?;
    timings.validate += began.elapsed().as_secs_f64();

    let series = dataset.panel.len();
    let plan = Plan::new(config, dataset.frequency, series, control);
    let horizon = plan.horizon;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(config.threads)
        .thread_name(|index| format!("forecast-{index}"))
        .build()
        .map_err(|error| Failure::io("starting threads")(io::Error::other(error)))?;
    let began = Instant::now();
    let forecaster =
        pool.install(|| Forecaster::prepare(&dataset, control, plan, run_began, config.budget))?;
    let preparing = began.elapsed().as_secs_f64();

    let mut files = OutputFiles::create(output, config, control)?;
    let mut rows = TableChunk::new(config.levels.len());
    let mut tally = Tally::default();
    let began = Instant::now();
    let mut writing = 0.0;
    control.enter_series(Stage::Fit, series);
    let chunk_series = (CHUNK_ROWS / horizon).max(1);
    for first in (0..series).step_by(chunk_series) {
        let chunk = first..series.min(first + chunk_series);
        let forecasts = pool.install(|| forecaster.forecast(chunk.clone()))?;
        let write_began = Instant::now();
        rows.clear();
        for (index, (history, outlook)) in chunk.zip(&forecasts) {
            tally.add(history, outlook);
            rows.push(dataset.panel.ids.get(index), history, dataset.frequency, outlook);
        }
        rows.verify(horizon)?;
        files.write(&rows)?;
        writing += write_began.elapsed().as_secs_f64();
    }
    let computing = (began.elapsed().as_secs_f64() - writing).max(0.0);
    (timings.fit, timings.predict) = forecaster.timers.split(computing);
    timings.fit += preparing;

    control.enter(Stage::Write);
    let began = Instant::now();
    let num_items = series as u64;
    let total = num_items * horizon as u64;
    let csv_written = files.finish(total)?;
    let warnings: Vec<Warning> = dataset.warnings.iter().cloned().chain(tally.warnings()).collect();
    let freq = dataset.frequency.alias();
    let (plan, evidence, pooled) = (forecaster.plan(), forecaster.evidence(), forecaster.pooled());
    let report = Report::new(plan, &freq, evidence, pooled, tally.series_of(), &warnings);
    write_report(output, &report)?;
    timings.write = writing + began.elapsed().as_secs_f64();
    Ok(Summary { num_items, rows: total, freq, dataset_hash, timings, warnings, csv_written })
}

fn write_report(output: &Output, report: &Report<'_>) -> Result<(), Failure> {
    let bytes = serde_json::to_vec_pretty(report)
        .map_err(|error| Failure::io("writing the report")(io::Error::other(error)))?;
    fs::write(&output.report_path, bytes).map_err(Failure::io("writing the report"))
}
