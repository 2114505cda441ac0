//! A run in shards: series that any process can forecast, from a plan that one process makes.
//!
//! [`plan`] reads the dataset, learns what all series teach and cuts the series into shards. [`forecast_shard`]
//! forecasts one of them. [`join`] puts the files of all shards together. The files are byte for byte those of
//! [`run`](crate::run), which does the same in one process.
//!
//! | file | what it has |
//! |---|---|
//! | `plan.bin` | what was asked and learned, and where the series are cut |
//! | `series-N.bin` | the rows of shard N |
//! | `explained.bin` | the rows and backtests of the series that the explanations need |
//! | `part.bin` | of a shard that is done: its counts, and its forecasts of those series |
//!
//! Plans, shards and parts name each other by the hash of the plan.

mod cut;
mod file;
mod join;
mod plan;
mod shard;

pub(crate) use cut::cut;
pub use join::{JoinOptions, join};
pub use plan::{Planned, plan};
pub use shard::{ShardOptions, ShardSummary, forecast_shard};

use crate::dataset::Dataset;
use crate::learners::tuned::TunedModel;

/// Some series of a run, and the fine-tuned model that forecasts them, if there is one.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) dataset: Dataset,
    pub(crate) model: Option<TunedModel>,
}
