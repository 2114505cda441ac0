//! The first step: reads the dataset, learns, and cuts the series into shards.

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabcast_calendar::Frequency;
use tabcast_table::{Panel, Warning};

use super::Part;
use super::file::{self, Hash};
use crate::backtest::Backtest;
use crate::covariates::regressors::Encoding;
use crate::dataset::Dataset;
use crate::explaining::Kept;
use crate::learners::tuned::TunedModel;
use crate::run::forecaster::Prepared;
use crate::run::timers::Timings;
use crate::run::{Begun, begin};
use crate::{Config, Control, Failure, Output, Summary};

/// What [`plan`] did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
pub struct Planned {
    /// Number of shards.
    pub shards: usize,
    /// The whole run, if its series are a single shard: its files are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub summary: Option<Summary>,
}

/// The content of `plan.bin`.
#[derive(Serialize, Deserialize)]
pub(super) struct Plan {
    /// The release that made it. Another one may forecast differently.
    pub(super) engine: String,
    pub(super) config: Config,
    pub(super) frequency: Frequency,
    pub(super) encoding: Encoding,
    pub(super) dataset_hash: String,
    pub(super) warnings: Vec<Warning>,
    pub(super) added_rows: usize,
    pub(super) timings: Timings,
    pub(super) shards: Vec<Range<usize>>,
    pub(super) prepared: Prepared,
    /// Without forecasts.
    pub(super) kept: Kept,
    /// Whether a fine-tuned model makes the forecasts.
    pub(super) is_tuned: bool,
}

/// The content of `series-N.bin` (`shard` is N) and of `explained.bin` (`shard` is none), as it is written.
#[derive(Serialize)]
struct Written<'a> {
    plan: Hash,
    shard: Option<usize>,
    panel: &'a Panel,
    backtests: &'a [Backtest],
}

/// The same content, as it is read.
#[derive(Deserialize)]
pub(super) struct Rows {
    plan: Hash,
    pub(super) shard: Option<usize>,
    panel: Panel,
    backtests: Vec<Backtest>,
}

/// Makes a plan in `folder`, which is empty. If the series are a single shard, it forecasts them, and no plan is left.
///
/// # Errors
///
/// As for [`run`](crate::run).
pub fn plan(config: &Config, output: &Output, folder: &Path, control: &Control) -> Result<Planned, Failure> {
    begin(config, output, control, |begun| {
        if let [_] = begun.shards[..] {
            return Ok(Planned { shards: 1, summary: Some(begun.forecast(output)?) });
        }
        let shards = begun.shards.len();
        write(begun, output, folder)?;
        Ok(Planned { shards, summary: None })
    })
}

fn write(begun: Begun<'_>, output: &Output, folder: &Path) -> Result<(), Failure> {
    let kept = begun.kept(output);
    let Begun { config, dataset, forecaster, dataset_hash, timings, shards, control, .. } = begun;
    let is_tuned = forecaster.is_tuned();
    let (prepared, backtests) = forecaster.into_prepared();
    let Dataset { panel, frequency, encoding, warnings, added_rows, .. } = dataset;
    let all: Vec<usize> = kept.all().collect();
    let plan = Plan {
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        config: config.clone(),
        frequency: *frequency,
        encoding: encoding.clone(),
        dataset_hash,
        warnings: warnings.clone(),
        added_rows: *added_rows,
        timings,
        shards,
        prepared,
        kept,
        is_tuned,
    };
    let hash = file::write(&folder.join("plan.bin"), &plan)?;
    let rows = |name: &str, shard: Option<usize>, panel: &Panel, backtests: &[Backtest]| {
        if control.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        file::write(&folder.join(name), &Written { plan: hash, shard, panel, backtests })
    };
    let place_of = |backtest: Backtest| {
        let index = all.binary_search(&backtest.index).ok()?;
        Some(Backtest { index, ..backtest })
    };
    let backtests: Vec<Backtest> = backtests.into_iter().filter_map(place_of).collect();
    rows("explained.bin", None, &panel.select(&all), &backtests)?;
    for (shard, series) in plan.shards.iter().enumerate() {
        rows(
            &format!("series-{shard}.bin"),
            Some(shard),
            &panel.select(&series.clone().collect::<Vec<_>>()),
            &[],
        )?;
    }
    Ok(())
}

impl Rows {
    /// Reads the rows of the plan with this hash.
    ///
    /// # Errors
    ///
    /// [`Failure::Shard`] if they are damaged or of another plan.
    pub(super) fn open(path: &Path, hash: Hash) -> Result<Self, Failure> {
        let (rows, _) = file::read::<Self>(path)?;
        if rows.plan == hash {
            Ok(rows)
        } else {
            Err(Failure::Shard("the rows are those of another plan".to_owned()))
        }
    }
}

impl Plan {
    /// Reads the plan; returns it with its hash.
    ///
    /// # Errors
    ///
    /// [`Failure::Shard`] if it is damaged or of another release.
    pub(super) fn open(path: &Path) -> Result<(Self, Hash), Failure> {
        let (plan, hash) = file::read::<Self>(path)?;
        if plan.engine != env!("CARGO_PKG_VERSION") {
            let message =
                format!("the plan is of release {}, and this is {}", plan.engine, env!("CARGO_PKG_VERSION"));
            return Err(Failure::Shard(message));
        }
        Ok((plan, hash))
    }

    /// The series whose rows these are, and their backtests.
    ///
    /// # Errors
    ///
    /// Errors of the model file; [`Failure::Options`] if the plan needs one and none is named.
    pub(super) fn part(
        &mut self,
        rows: Rows,
        model: Option<&Path>,
    ) -> Result<(Part, Vec<Backtest>), Failure> {
        let Rows { panel, backtests, .. } = rows;
        let model = match (self.is_tuned, model) {
            (true, Some(path)) => Some(TunedModel::open(path)?),
            (true, None) => {
                return Err(Failure::Options("model_path must name the model of the plan".to_owned()));
            }
            (false, _) => None,
        };
        let dataset = Dataset {
            elsewhere: self.shards.last().map_or(0, |last| last.end) - panel.len(),
            panel,
            frequency: self.frequency,
            warnings: std::mem::take(&mut self.warnings),
            encoding: self.encoding.clone(),
            hierarchy: None,
            own_hash: None,
            added_rows: self.added_rows,
        };
        Ok((Part { dataset, model }, backtests))
    }
}
