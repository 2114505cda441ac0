//! Combines the forecasts of several models into one: weights, blend, leaderboard.

pub(crate) mod blend_weights;
pub(crate) mod combinations;
pub(crate) mod combined_forecast;
pub(crate) mod features;
pub(crate) mod held_back;
pub(crate) mod leaderboard;
pub(crate) mod of_window;
pub(crate) mod prior;
pub(crate) mod training_rows;
pub(crate) mod weighted_forecast;
pub(crate) mod weighted_median;
pub(crate) mod weights;
