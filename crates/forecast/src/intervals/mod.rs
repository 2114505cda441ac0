//! How wide intervals are, and which forecasts are plausible.

pub(crate) mod calibration;
pub(crate) mod guard;
