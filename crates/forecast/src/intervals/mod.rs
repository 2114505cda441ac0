//! How wide intervals are, and which forecasts are believed.

pub(crate) mod calibration;
pub(crate) mod guard;
