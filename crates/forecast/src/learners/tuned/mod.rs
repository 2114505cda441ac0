//! Fine-tuned models: trained once on all series of a dataset, then only applied.
//!
//! [`fine_tune`] trains heads on all series (trees, direct and recursive; a linear model; another for histories of a
//! few values). It judges them and a seasonal naive rule on held-back horizons, weights them by the requested loss, and
//! calibrates the combination on its errors there. A forecast with the model file computes features and predicts:
//! nothing is fitted, and series that training never saw are forecast like any other.

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
