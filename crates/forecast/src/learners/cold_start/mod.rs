//! Forecasts short series from long series of the same panel.
//!
//! A few observations say little about season and growth, but they show which long series a short one resembles. Its
//! forecast is its own level times the forecasts of the long series, relative to their level over the same steps; a
//! long series counts more, the more it resembled the short one. This is the synthetic control of Abadie, Diamond and
//! Hainmueller (Journal of the American Statistical Association 105, 2010), with forecasts of the donors in place of
//! their actual outcomes.
//!
//! The rule, its weight beside the models of the short series, and its errors are learned from long series that are cut
//! to equally few observations before the windows of the backtest.

mod blend_rule;
mod composite;
mod cut;
mod donors;
mod older;
mod panel;
mod trees;
mod view;

pub(crate) use panel::{ColdStart, shortest_donor};
