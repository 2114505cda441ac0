//! The contents of a profile.

use serde::Serialize;
use tabcast_calendar::Micros;

use super::distinct::LISTED;
use super::tally::Tally;
use crate::detect::Telling;
use crate::frame::Taken;
use crate::{ColumnType, as_text};

/// Maximum size of all listed values in bytes, because a profile is a message.
const LISTED_BYTES: usize = 256 * 1024;

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
pub struct DataProfile {
    /// In the order of the file.
    pub columns: Vec<ProfiledColumn>,
    /// The likely roles of the columns.
    pub roles: ProfiledRoles,
    /// `None`: the time or the target was not found, or no row could be read with them.
    pub series: Option<SeriesProfile>,
    /// Why there are no series, in a sentence for the sender.
    pub unreadable: Option<String>,
}

/// A column, over all its cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
pub struct ProfiledColumn {
    /// Its name.
    pub name: String,
    /// Type of its cells.
    pub kind: ColumnType,
    /// Number of cells without a value.
    pub nulls: u64,
    /// Number of distinct values; 10,000 means at least as many.
    pub distinct: u64,
    /// The most frequent values of a column that has up to 1,000 distinct ones: at most 200 values of up to 100 bytes,
    /// most frequent first, equally frequent ones in the order of the file. Wide tables have fewer.
    pub values: Vec<String>,
    /// The smallest number, for a numeric column.
    pub min: Option<f64>,
    /// The largest number.
    pub max: Option<f64>,
    /// Whether each series has a single value of it.
    pub is_static: bool,
    /// Whether there are rows after the last target, all with a value of it.
    pub is_known_ahead: bool,
}

/// Names of columns by role.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
pub struct ProfiledRoles {
    /// The column of times.
    pub timestamp: Option<String>,
    /// The column of observations.
    pub target: Option<String>,
    /// The column that names the series; `None`: there is one series, or several columns together name them.
    pub item_id: Option<String>,
    /// Other possible targets, best first.
    pub other_targets: Vec<String>,
    /// Other columns of timestamps.
    pub other_timestamps: Vec<String>,
}

/// Figures about the series.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
pub struct SeriesProfile {
    /// Data rows of the file.
    pub total_rows: u64,
    /// Series with a readable row.
    pub num_items: u64,
    /// Rows of the shortest series, up to its last target.
    pub min_length: u64,
    /// Rows of the longest series, likewise.
    pub max_length: u64,
    /// Mean number of rows per series.
    pub avg_length: f64,
    /// Canonical alias; `None`: irregular.
    pub freq: Option<String>,
    /// Share of the steps between the first and the last target of each series that have no target.
    pub missingness: f64,
    /// The largest number of steps by which a series starts after the earliest time of all.
    pub leading_gap: u64,
    /// The largest number of steps by which a series ends before the latest time of all.
    pub trailing_gap: u64,
    /// Whether any target is negative.
    pub has_negatives: bool,
    /// Whether there are targets on Saturdays and on Sundays.
    pub covers_weekends: bool,
    /// The smallest target.
    pub min: f64,
    /// The largest target.
    pub max: f64,
    /// Season lengths in steps that the values support, strongest first.
    pub seasonality: Vec<usize>,
    /// Columns that move with the target, strongest first.
    pub suspected_covariates: Vec<String>,
    /// Columns with nested values, from the coarsest to the finest, or the columns that together name the series.
    pub hierarchy_columns: Vec<String>,
    /// The first time with a target.
    #[serde(serialize_with = "as_text::time")]
    #[ts(type = "string")]
    pub start: Micros,
    /// The last time with a target.
    #[serde(serialize_with = "as_text::time")]
    #[ts(type = "string")]
    pub end: Micros,
    /// Number of rows after the last target of their series.
    pub future_rows: u64,
    /// The same for the series with the fewest such rows.
    pub least_future_rows: u64,
}

impl SeriesProfile {
    /// The first time in RFC 3339, UTC.
    pub fn start_text(&self) -> String {
        as_text::rfc3339(self.start)
    }

    /// The last time in RFC 3339, UTC.
    pub fn end_text(&self) -> String {
        as_text::rfc3339(self.end)
    }
}

impl DataProfile {
    /// The profile of a table whose series are unknown.
    pub(super) fn of_columns(table: &Taken, tallies: Vec<Tally>, roles: ProfiledRoles) -> DataProfile {
        let is_other = |name: &String| table.unreadable.contains(name);
        let named = table.names.iter().zip(&table.unnamed).zip(tallies);
        let mut columns: Vec<ProfiledColumn> = named
            .filter(|((name, is_unnamed), tally)| {
                !**is_unnamed || tally.kind() != ColumnType::Empty || is_other(name)
            })
            .map(|((name, _), tally)| {
                let is_time = roles.timestamp.as_ref() == Some(name);
                ProfiledColumn::of(name, tally, is_other(name), is_time)
            })
            .collect();
        shorten_lists(&mut columns);
        DataProfile { columns, roles, series: None, unreadable: None }
    }
}

/// Lists fewer values per column until all fit into a message.
fn shorten_lists(columns: &mut [ProfiledColumn]) {
    let mut most = LISTED;
    while columns.iter().flat_map(|column| &column.values).map(|value| value.len() + 3).sum::<usize>()
        > LISTED_BYTES
    {
        most /= 2;
        for column in columns.iter_mut() {
            column.values.truncate(most);
        }
    }
}

impl ProfiledColumn {
    fn of(name: &str, mut tally: Tally, is_other: bool, is_time: bool) -> ProfiledColumn {
        let kind = match tally.kind() {
            _ if is_other => ColumnType::Other,
            // Plain numbers are timestamps if the column holds the times.
            ColumnType::Number if is_time => ColumnType::Timestamp,
            kind => kind,
        };
        let nulls = tally.nulls();
        if kind != ColumnType::Text {
            tally.distinct.without_words();
        }
        let (min, max) = tally.range().filter(|_| kind == ColumnType::Number).unzip();
        ProfiledColumn {
            name: name.to_owned(),
            kind,
            nulls,
            distinct: tally.distinct.len() as u64,
            values: tally.distinct.most_frequent(),
            min,
            max,
            is_static: false,
            is_known_ahead: false,
        }
    }

    /// Whether the column may be a level of a hierarchy: texts, or numbers in a column named like an identifier.
    pub(super) fn may_be_level(&self) -> bool {
        self.nulls == 0
            && (self.kind == ColumnType::Text
                || (self.kind == ColumnType::Number && Telling::of_item_id(&self.name).is_some()))
    }
}
