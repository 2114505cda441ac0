//! Prepares the rows of a dataset before a forecast: filters, grouping, combining to a longer step, anomalies and
//! missing steps. One call reads files, writes one file with a row per series and step, and returns a summary.

mod aggregate;
mod anomalies;
mod combine;
mod coverage;
mod edges;
mod failure;
mod fill;
mod filter;
mod filters;
mod gaps;
mod input;
mod made;
mod mend;
mod options;
mod panel;
mod places;
mod prepare;
mod resolve;
mod rows;
mod series;
mod span;
mod summary;
mod table;

pub use failure::Failure;
pub use options::{Aggregate, AnomalyHandling, MissingHandling, Operator, Options, Preparation, RowFilter};
pub use prepare::{check_header, prepare};
pub use resolve::Request;
pub use summary::{AnomalyExample, AnomalySummary, FilteredRows, Summary};
