//! Findings: what stands out in the data and the forecasts of a job, as numbers; one finding per rule.
//!
//! [`find`] examines one series, [`Panel`] aggregates series. Time steps are indices into the grid that all series of
//! the panel share: 0 is its first step, and forecasts continue where the history ends. [`Findings::steps`] lists the
//! indices that need a date. All numbers are finite, and in the unit of the data unless they are shares.

mod anomalies;
mod backtest;
mod concentration;
mod confidence;
mod decomposition;
mod find;
mod input;
mod lines;
mod ordinary;
mod panel;
mod regressors;
mod reliability;
mod robust;
mod rules;
mod season_test;
mod serial;
mod series_findings;
mod spectrum;
mod tail;
mod tally;
mod total;
mod trend_test;

pub use anomalies::{Anomaly, anomalies};
pub use concentration::Concentration;
pub use confidence::Confidence;
pub use find::find;
pub use input::{Backtest, Counts, Forecast, Series};
pub use panel::{Findings, Panel};
pub use rules::*;
pub use series_findings::SeriesFindings;
pub use tally::{Extent, PanelAccuracy, Rules};
pub use total::Total;
