//! The panel pipeline: grid, models, combination, quantiles, guards, output.
//!
//! [`Options`] become a [`Config`] in one place; [`check`] reads a dataset and says what is in it, [`check_header`]
//! looks at what stands before its rows, and [`inspect`] reports every check of them; [`profile_data`] says
//! what is in a file that nobody has said anything about; [`survey`] says for which places and times covariates from
//! outside are needed; [`run`] forecasts every
//! series of it and writes the table. A [`Control`] lets another thread watch a run and stop it.

mod backtest;
mod ballot;
mod calibration;
mod check;
mod class;
mod closed;
mod codec;
mod cold_start;
mod combine;
mod config;
mod control;
mod dataset;
mod effect;
mod engineered;
mod evidence;
mod explaining;
mod external;
mod failure;
mod features;
mod fill;
mod forecast_table;
mod forecaster;
mod global;
mod governor;
mod guard;
mod history;
mod inspect;
mod judged;
mod leaderboard;
mod members;
mod outliers;
mod outlook;
mod output;
mod plan;
mod pooled;
mod preset;
mod prior;
mod profile_data;
mod reconciliation;
mod regressors;
mod report;
mod ridge;
mod run;
mod shares;
mod table_chunk;
mod tally;
mod timers;
mod training;
mod tuned;
mod vote;
mod weights;

pub use check::{Profile, check, check_header};
pub use config::{Config, Options, QuantileColumnStyle};
pub use control::{Control, Stage};
pub use engineered::{FeatureEngineering, RollingStat};
pub use external::{Axis, ExternalOptions, GridOfSteps, KeptDataset, Survey, survey};
pub use failure::Failure;
pub use inspect::{InspectionOptions, inspect};
pub use output::Output;
pub use preset::Preset;
pub use profile_data::{ProfilingOptions, profile_data};
pub use reconciliation::{Fallback, HierarchyLevel, ReconciliationOptions, ReconciliationSummary};
pub use run::{Summary, run};
pub use tabcast_analyses::ExplainOptions;
pub use timers::Timings;
pub use training::write_training_rows;
pub use tuned::{TuneConfig, TuneLoss, TuneMetrics, TuneOptions, TuneSummary, fine_tune};
