//! What was done.

use serde::{Serialize, Serializer};
use tabcast_calendar::{Micros, write_iso8601};
use tabcast_table::Warning;

use crate::Operator;

/// What was done, in figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "PreparationSummary"))]
pub struct Summary {
    /// Rows of the table.
    pub rows_read: u64,
    /// Those for which all filters hold.
    pub rows_used: u64,
    /// Rows of the file that was written.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub rows_written: u64,
    /// Of each filter, in their order.
    pub filtered: Vec<FilteredRows>,
    /// Series that the rows of the table belong to.
    pub series_before: u64,
    /// Series of the file that was written.
    pub series_after: u64,
    /// Used rows that became one with an earlier row of their series and step.
    pub rows_combined: u64,
    /// Of these, the ones of the same time as an earlier one of their series.
    pub rows_combined_across: u64,
    /// Periods at the beginning and the end that the data do not cover, 0 to 2: sums of them would be too small, and
    /// their largest and least value may be missing.
    pub incomplete_periods_dropped: u64,
    /// Steps that were given a value, over all series.
    pub steps_filled: u64,
    /// Steps that were left out because they had none.
    pub steps_dropped: u64,
    /// Values that stand out.
    pub anomalies: AnomalySummary,
    /// What the sender should know.
    pub warnings: Vec<Warning>,
}

/// Rows that a filter took out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FilteredRows {
    /// The column of the filter.
    pub column: String,
    /// How it compares.
    pub op: Operator,
    /// What with.
    pub values: Vec<String>,
    /// Rows for which it is the first filter that does not hold.
    pub rows: u64,
}

/// Values that stand out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "PreparedAnomalies"))]
pub struct AnomalySummary {
    /// How many there are.
    pub found: u64,
    /// How many of them have another value now, or none.
    pub changed: u64,
    /// The first 20, in the order of the series and of time.
    pub examples: Vec<AnomalyExample>,
}

/// A value that stands out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "PreparedAnomaly"))]
pub struct AnomalyExample {
    /// Its series; what is beyond 200 characters becomes an ellipsis.
    pub item_id: String,
    /// Its step; ISO 8601 in documents.
    #[serde(serialize_with = "iso8601")]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub timestamp: Micros,
    /// What it is in the data, after grouping.
    pub value: f64,
    /// What was used in its place; none: nothing was.
    pub used_instead: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn iso8601<S: Serializer>(timestamp: &Micros, serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = Vec::new();
    write_iso8601(*timestamp, &mut text);
    serializer.serialize_str(&String::from_utf8_lossy(&text))
}

/// Anomalies that are shown.
pub(crate) const MOST_EXAMPLES: usize = 20;
/// Characters of an item id that an example has: examples are kept with the job, and an id may be as long as a cell.
pub(crate) const ID_CHARACTERS: usize = 200;
