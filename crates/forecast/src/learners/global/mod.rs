//! Boosted trees for all series of a panel. They describe a step by its position in the season, its past, the calendar
//! and the covariates, whichever series it belongs to.
//!
//! A row is a series, an origin and a step after it. Its target is the value of that step minus the outcome at
//! comparable past steps ([`analogs`]), in units of the usual seasonal difference, so that rows of all series are
//! alike. One model forecasts every step of the horizon directly, with the step as a feature. Another forecasts single
//! steps and continues from its own forecasts (Januschowski et al., Forecasting with trees, International Journal of
//! Forecasting 38, 2022; Montero-Manso and Hyndman, 2021). The spread comes from quantiles in the leaves of a third,
//! smaller model.
//!
//! As with the networks of `pooled`, models are trained twice: for the backtests on what was known before the first
//! held-back window of each series, and for the forecasts on everything.

mod analogs;
mod learner;
mod model;
mod panel;
mod rows;
mod sample;
mod season;
mod stored;
mod track;

pub(crate) use learner::{Aim, Effort};
pub(crate) use model::{GlobalModel, Task};
pub(crate) use panel::{Common, GlobalPanel, TrainingSeries, effort, joins, longest_history, names};
pub(crate) use season::of as seasons;

/// Names of the members.
pub(crate) const NAMES: [&str; 2] = ["global_direct", "global_recursive"];
