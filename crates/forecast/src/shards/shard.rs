//! The second step: forecasts one shard.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::file::{self, Hash};
use super::plan::{Plan, Rows};
use crate::config::{pool, seconds};
use crate::explaining::KeptForecast;
use crate::output::TablePaths;
use crate::output::forecast_table::ForecastTable;
use crate::run::forecast_shard_of;
use crate::run::forecaster::Forecaster;
use crate::run::stages;
use crate::run::tally::Tally;
use crate::run::timers::Timings;
use crate::{Control, Failure};

/// One shard to forecast.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
pub struct ShardOptions {
    /// `plan.bin`.
    pub plan_path: PathBuf,
    /// `series-N.bin`.
    pub series_path: PathBuf,
    /// An existing folder for `part.bin`, `forecast.parquet` and, if it is short enough, `forecast.csv`.
    pub folder: PathBuf,
    /// The CSV of the shard is abandoned beyond this size in bytes.
    pub max_csv_bytes: u64,
    /// The fine-tuned model of the plan; none if it has none.
    pub model_path: Option<PathBuf>,
    /// Threads of this call; results do not depend on it.
    pub threads: usize,
    /// Wall time that the shard should keep to; none: no limit. See [`Options`](crate::Options).
    #[serde(rename = "budgetSeconds", default, deserialize_with = "seconds")]
    #[ts(as = "Option<f64>")]
    pub budget: Option<Duration>,
}

/// The outcome of a shard; the rows are in the files.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
pub struct ShardSummary {
    /// Series of the shard.
    pub series: usize,
    /// Seconds by stage.
    pub timings: Timings,
    /// Whether the CSV was written.
    pub csv_written: bool,
}

/// The content of `part.bin`.
#[derive(Serialize, Deserialize)]
pub(super) struct Done {
    pub(super) plan: Hash,
    pub(super) shard: Option<usize>,
    pub(super) rows: u64,
    pub(super) tally: Tally,
    pub(super) timings: Timings,
    /// By the index of the series in the run.
    pub(super) kept: BTreeMap<usize, KeptForecast>,
}

/// The files of a shard that is done.
pub(super) struct PartFiles {
    pub(super) done: PathBuf,
    pub(super) parquet: PathBuf,
    pub(super) csv: PathBuf,
}

impl PartFiles {
    pub(super) fn of(folder: &Path) -> Self {
        Self {
            done: folder.join("part.bin"),
            parquet: folder.join("forecast.parquet"),
            csv: folder.join("forecast.csv"),
        }
    }
}

/// Forecasts the series of one shard as the whole run would, and writes their part of the table. `part.bin` comes last.
///
/// # Errors
///
/// [`Failure::Shard`] for a file that is damaged, of another plan or of another release; [`Failure::Cancelled`]; a file
/// that cannot be read or written.
pub fn forecast_shard(options: &ShardOptions, control: &Control) -> Result<ShardSummary, Failure> {
    let began = Instant::now();
    control.enter(stages::INGEST);
    let (mut plan, hash) = Plan::open(&options.plan_path)?;
    let rows = Rows::open(&options.series_path, hash)?;
    let shard = rows.shard;
    let Some(range) = shard.and_then(|shard| plan.shards.get(shard).cloned()) else {
        return Err(Failure::Shard("the rows are not those of a shard".to_owned()));
    };
    let (part, _) = plan.part(rows, options.model_path.as_deref())?;
    let series = part.dataset.series();
    let place_of = |index: usize| range.contains(&index).then(|| index - range.start);
    let forecaster = Forecaster::resume(&part, control, plan.prepared, place_of, options.budget);
    let files = PartFiles::of(&options.folder);
    let paths = TablePaths { parquet: &files.parquet, csv: &files.csv, max_csv_bytes: options.max_csv_bytes };
    let kept = plan.kept.within(&range);
    let mut table = ForecastTable::create(paths, &plan.config, &part.dataset, kept, control)?;
    let mut tally = Tally::default();
    let mut timings = Timings { ingest: began.elapsed().as_secs_f64(), ..Timings::default() };
    let pool = pool(options.threads)?;
    let began = Instant::now();
    control.enter_units(stages::FIT, series);
    forecast_shard_of(&forecaster, 0..series, &pool, &mut table, &mut tally)?;
    let computing = (began.elapsed().as_secs_f64() - table.writing).max(0.0);
    (timings.fit, timings.predict) = forecaster.timers.split(computing);
    control.enter(stages::WRITE);
    timings.write = table.writing;
    let kept = std::mem::take(&mut table.kept).into_forecasts();
    let (rows, csv_written) = table.finish()?;
    let kept = kept.into_iter().map(|(place, forecast)| (range.start + place, forecast)).collect();
    let done = Done { plan: hash, shard, rows, tally, timings, kept };
    file::write(&files.done, &done)?;
    Ok(ShardSummary { series, timings, csv_written })
}
