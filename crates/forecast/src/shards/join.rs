//! The last step: puts the parts together.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::file;
use super::plan::{Plan, Rows};
use super::shard::{Done, PartFiles};
use crate::config::{pool, seconds};
use crate::explaining::Subject;
use crate::output::OutputFiles;
use crate::run::forecaster::Forecaster;
use crate::run::tally::Tally;
use crate::run::{Conclusion, stages};
use crate::{Control, Failure, Output, Summary};

/// The parts of a run.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
pub struct JoinOptions {
    /// `plan.bin`.
    pub plan_path: PathBuf,
    /// `explained.bin`.
    pub explained_path: PathBuf,
    /// The folders of all shards, in their order.
    pub parts: Vec<PathBuf>,
    /// The fine-tuned model of the plan; none if it has none.
    pub model_path: Option<PathBuf>,
    /// Threads of this call; results do not depend on it.
    pub threads: usize,
    /// Wall time that the explanations should keep to; none: no limit.
    #[serde(rename = "budgetSeconds", default, deserialize_with = "seconds")]
    #[ts(as = "Option<f64>")]
    pub budget: Option<Duration>,
}

/// Joins the parts of all shards, explains the forecasts, and writes the files of the run.
///
/// # Errors
///
/// [`Failure::Shard`] for a file that is damaged, of another plan, of another shard or of another release;
/// [`Failure::Cancelled`]; a file that cannot be read or written.
pub fn join(options: &JoinOptions, output: &Output, control: &Control) -> Result<Summary, Failure> {
    let (mut plan, hash) = Plan::open(&options.plan_path)?;
    plan.config.budget = options.budget;
    let rows = Rows::open(&options.explained_path, hash)?;
    if rows.shard.is_some() {
        return Err(Failure::Shard("the rows are those of a shard".to_owned()));
    }
    let (part, backtests) = plan.part(rows, options.model_path.as_deref())?;
    if options.parts.len() != plan.shards.len() {
        let message = format!("{} parts of a plan with {} shards", options.parts.len(), plan.shards.len());
        return Err(Failure::Options(message));
    }
    let began = Instant::now();
    let mut timings = plan.timings;
    let mut tally = Tally::default();
    let mut forecasts = BTreeMap::new();
    let mut files = OutputFiles::create(output.table(), &plan.config, control)?;
    let mut rows = 0;
    for (shard, folder) in options.parts.iter().enumerate() {
        let part = PartFiles::of(folder);
        let (done, _): (Done, _) = file::read(&part.done)?;
        if done.plan != hash || done.shard != Some(shard) {
            return Err(Failure::Shard(format!(
                "the part of shard {shard} is that of another plan or shard"
            )));
        }
        files.append(&part.parquet, &part.csv, done.rows)?;
        rows += done.rows;
        tally.add_part(&done.tally);
        timings.add(&done.timings);
        forecasts.extend(done.kept);
    }
    timings.write += began.elapsed().as_secs_f64();
    let all: Vec<usize> = plan.kept.all().collect();
    let kept = plan.kept.renumbered(forecasts);
    let place_of = |index: usize| all.binary_search(&index).ok();
    let forecaster =
        Forecaster::resume(&part, control, plan.prepared, place_of, None).with_backtests(backtests);
    let subject = Subject {
        config: &plan.config,
        dataset: &part.dataset,
        forecaster: &forecaster,
        kept: &kept,
        control,
    };
    let conclusion = Conclusion {
        subject,
        output,
        pool: &pool(options.threads)?,
        tally: &tally,
        timings,
        dataset_hash: plan.dataset_hash,
        reconciliation: None,
    };
    conclusion.write(|| {
        control.enter(stages::WRITE);
        Ok((rows, files.finish(rows)?))
    })
}
