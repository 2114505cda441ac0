//! The summary of a preparation.

use serde::{Serialize, Serializer};
use tabcast_calendar::{Micros, write_iso8601};
use tabcast_table::Warning;

use crate::Operator;

/// The summary, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "PreparationSummary")]
pub struct Summary {
    /// Number of rows of the table.
    pub rows_read: u64,
    /// Number of rows for which all filters hold.
    pub rows_used: u64,
    /// Number of rows written.
    #[serde(skip)]
    #[ts(skip)]
    pub rows_written: u64,
    /// Rows removed by each filter, in their order.
    pub filtered: Vec<FilteredRows>,
    /// Number of series of the table's rows.
    pub series_before: u64,
    /// Number of series written.
    pub series_after: u64,
    /// Number of used rows combined with an earlier row of their series and step.
    pub rows_combined: u64,
    /// Of these, the rows with the same time as an earlier one of their series.
    pub rows_combined_across: u64,
    /// Number of periods at the beginning and the end that the data cover only partly, 0 to 2: their sums would be too
    /// small, and their extremes may be missing.
    pub incomplete_periods_dropped: u64,
    /// Number of steps filled, over all series.
    pub steps_filled: u64,
    /// Number of steps left out because they had no value.
    pub steps_dropped: u64,
    /// Anomalies.
    pub anomalies: AnomalySummary,
    /// Warnings for the sender.
    pub warnings: Vec<Warning>,
}

/// Rows removed by a filter.
#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
pub struct FilteredRows {
    /// The column of the filter.
    pub column: String,
    /// The comparison.
    pub op: Operator,
    /// The values compared with.
    pub values: Vec<String>,
    /// Number of rows for which it is the first filter that does not hold.
    pub rows: u64,
}

/// Anomalies in numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "PreparedAnomalies")]
pub struct AnomalySummary {
    /// Number found.
    pub found: u64,
    /// How many of them were replaced or removed.
    pub changed: u64,
    /// The first 20, by series and time.
    pub examples: Vec<AnomalyExample>,
}

/// An anomaly.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "PreparedAnomaly")]
pub struct AnomalyExample {
    /// Its series; an ellipsis replaces everything after 200 characters.
    pub item_id: String,
    /// Its step; ISO 8601 in documents.
    #[serde(serialize_with = "iso8601")]
    #[ts(type = "string")]
    pub timestamp: Micros,
    /// Its value in the data, after grouping.
    pub value: f64,
    /// The replacement; none if it was not replaced.
    pub used_instead: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn iso8601<S: Serializer>(timestamp: &Micros, serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = Vec::new();
    write_iso8601(*timestamp, &mut text);
    serializer.serialize_str(&String::from_utf8_lossy(&text))
}

/// Maximum number of examples.
pub(crate) const MOST_EXAMPLES: usize = 20;
/// Maximum number of characters of an item id in an example: examples are kept with the job, and an id may be as long
/// as a cell.
pub(crate) const ID_CHARACTERS: usize = 200;
