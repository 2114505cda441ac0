//! The forecasting pipeline of a panel: grid, models, combination, quantiles, guards, output.
//!
//! [`Options`] become a [`Config`] in one place. [`check`] reads a dataset and describes it, [`check_header`] checks
//! what comes before its rows, and [`inspect`] reports every check of its content. [`profile_data`] describes a file
//! whose columns have no roles yet. [`survey`] finds the locations and times that need external covariates. [`run`]
//! forecasts every series and writes the table; [`plan`], [`forecast_shard`] and [`join`] do the same in parts. A
//! [`Control`] lets another thread watch a run and stop it.

mod backtest;
mod check;
mod codec;
mod combination;
mod config;
mod covariates;
mod dataset;
mod explaining;
mod failure;
mod history;
mod inspect;
mod intervals;
mod learners;
mod output;
mod preset;
mod profile_data;
mod reconciliation;
mod run;
mod shards;

pub use check::{Profile, check, check_header};
pub use combination::training_rows::write_training_rows;
pub use config::{Config, Options, QuantileColumnStyle};
pub use covariates::engineered::{FeatureEngineering, RollingStat};
pub use covariates::external::{Axis, ExternalOptions, GridOfSteps, KeptDataset, Survey, survey};
pub use failure::Failure;
pub use inspect::{InspectionOptions, inspect};
pub use learners::tuned::{TuneConfig, TuneLoss, TuneMetrics, TuneOptions, TuneSummary, fine_tune};
pub use output::Output;
pub use preset::Preset;
pub use profile_data::{ProfilingOptions, profile_data};
pub use reconciliation::{Fallback, HierarchyLevel, ReconciliationOptions, ReconciliationSummary};
pub use run::stages;
pub use run::timers::Timings;
pub use run::{Summary, run};
pub use shards::{JoinOptions, Planned, ShardOptions, ShardSummary, forecast_shard, join, plan};
pub use tabcast_analyses::ExplainOptions;
pub use tabcast_progress::Control;
