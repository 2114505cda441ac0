//! Forecasts of short series from the long ones of the same panel.
//!
//! A few observations say little about season and growth, but they say which of the long series a short one is like.
//! Its forecast is its own level times what is expected of the long series, in parts of their level over the same
//! steps; the more a long series was like the short one, the more it counts. This is the synthetic control of Abadie,
//! Diamond and Hainmueller (Journal of the American Statistical Association 105, 2010) with forecasts of the donors
//! in place of what became of them.
//!
//! How it is done, how much it counts beside the models of the short series and how far it is off is learned from
//! long series that are cut to as few observations before the windows of the backtest.

mod blend_rule;
mod composite;
mod cut;
mod donors;
mod older;
mod panel;
mod trees;
mod view;

pub(crate) use panel::{ColdStart, shortest_donor};
