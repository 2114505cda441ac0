//! Trees for all series of a panel: what a step looks like from its place in the season, the past, the calendar and the
//! covariates, whatever the series.
//!
//! A row is a series, an origin and a step after it. Its target is the value of that step, measured from what
//! happened at comparable steps of the past ([`analogs`]) in usual seasonal differences, so that rows of all series
//! are alike. One model forecasts every step of the horizon directly, with the step as a feature; another one
//! forecasts single steps and goes on from its own forecasts (Januschowski et al., Forecasting with trees,
//! International Journal of Forecasting 38, 2022; Montero-Manso and Hyndman, 2021). The spread comes from quantiles
//! in the leaves of a third, smaller one.
//!
//! Like the networks of `pooled`, models are learned twice: from what was known before the first held-back window of
//! each series, for the backtests, and from everything, for the forecasts.

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
