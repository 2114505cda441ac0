//! Models that are trained once on all series of a dataset and then only applied.
//!
//! [`fine_tune`] learns heads from all series (trees, directly and step by step; a linear model; one more for
//! histories of a few values), judges them and a seasonal naive rule on horizons that were held back, weighs them by
//! the loss that was asked for, and calibrates the spread of the combination on what it missed there. A forecast with
//! the file builds features and predicts: nothing is fitted, and series that training never saw are forecast like
//! others.

mod baseline;
mod file;
mod heads;
mod judge;
mod measures;
mod model;
mod notes;
mod options;
mod summary;
#[cfg(test)]
mod tests;
mod tune;

pub(crate) use heads::NAMES;
pub(crate) use model::TunedModel;
pub use options::{TuneConfig, TuneLoss, TuneOptions};
pub use summary::{TuneMetrics, TuneSummary};
pub use tune::fine_tune;
