//! All models through the registry. One binary, because each takes its time to link.

mod edge_cases;
mod long_series;
mod properties;
mod reference;
mod seasonal_regression;
