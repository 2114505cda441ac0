use std::io;
use std::ops::Range;
use std::time::Instant;

use rayon::prelude::*;
use tabcast_table::{Warning, dataset_hash, shorten};

use crate::control::Stage;
use crate::dataset::Dataset;
use crate::history::History;
use crate::outlook::{Outlook, forecast_series};
use crate::output::OutputFiles;
use crate::plan::Plan;
use crate::table_chunk::TableChunk;
use crate::tally::Tally;
use crate::timers::{Timers, Timings};
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
    let mut timings = Timings::default();
    let dataset = Dataset::load(config, control, &mut timings)?;
    let began = Instant::now();
    let dataset_hash = dataset_hash(&dataset.panel);
    timings.validate += began.elapsed().as_secs_f64();

    let plan = Plan::new(config, dataset.frequency);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(config.threads)
        .thread_name(|index| format!("forecast-{index}"))
        .build()
        .map_err(|error| Failure::io("starting threads")(io::Error::other(error)))?;
    let mut files = OutputFiles::create(output, config)?;
    let mut rows = TableChunk::new(config.levels.len());
    let mut tally = Tally::default();
    let timers = Timers::default();

    control.enter(Stage::Fit);
    let began = Instant::now();
    let mut writing = 0.0;
    let series = dataset.panel.len();
    control.expect_series(series);
    let chunk_series = (CHUNK_ROWS / plan.horizon).max(1);
    for first in (0..series).step_by(chunk_series) {
        let chunk = first..series.min(first + chunk_series);
        let forecasts = pool.install(|| forecast_chunk(chunk.clone(), &dataset, &plan, &timers, control))?;
        let write_began = Instant::now();
        rows.clear();
        for (index, (history, outlook)) in chunk.zip(&forecasts) {
            tally.add(history, outlook);
            rows.push(dataset.panel.ids.get(index), history, plan.frequency, outlook);
        }
        rows.verify(plan.horizon)?;
        files.write(&rows)?;
        writing += write_began.elapsed().as_secs_f64();
    }
    let computing = (began.elapsed().as_secs_f64() - writing).max(0.0);
    (timings.fit, timings.predict) = timers.split(computing);

    control.enter(Stage::Write);
    let began = Instant::now();
    let num_items = series as u64;
    let total = num_items * plan.horizon as u64;
    let csv_written = files.finish(total)?;
    timings.write = writing + began.elapsed().as_secs_f64();

    let mut warnings = dataset.warnings;
    warnings.extend(tally.warnings());
    let freq = plan.frequency.alias();
    Ok(Summary { num_items, rows: total, freq, dataset_hash, timings, warnings, csv_written })
}

fn forecast_chunk(
    chunk: Range<usize>,
    dataset: &Dataset,
    plan: &Plan,
    timers: &Timers,
    control: &Control,
) -> Result<Vec<(History, Outlook)>, Failure> {
    chunk
        .into_par_iter()
        .map(|index| {
            if control.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            let (timestamps, targets) = dataset.panel.series(index);
            // The reader refuses series without observations.
            let mut history = History::of(timestamps, targets, plan).ok_or_else(|| {
                let id = shorten(dataset.panel.ids.get(index));
                Failure::InvalidForecast(format!("item {id:?} has no observation"))
            })?;
            let outlook = forecast_series(&history.values, plan, timers);
            history.values = Vec::new();
            control.series_done();
            Ok((history, outlook))
        })
        .collect()
}
