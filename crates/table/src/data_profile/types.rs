//! What a profile says.

use serde::Serialize;
use tabcast_calendar::Micros;

use super::distinct::LISTED;
use super::tally::Tally;
use crate::detect::Telling;
use crate::frame::Taken;
use crate::{ColumnType, as_text};

/// Bytes of all values that are listed: a profile is a message.
const LISTED_BYTES: usize = 256 * 1024;

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DataProfile {
    /// In the order of the file.
    pub columns: Vec<ProfiledColumn>,
    /// What the columns look like they are for.
    pub roles: ProfiledRoles,
    /// `None`: one of time and target was not found, or no row could be read with them.
    pub series: Option<SeriesProfile>,
    /// Why there are no series, in words for the sender.
    pub unreadable: Option<String>,
}

/// A column, by all its cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProfiledColumn {
    /// Its name.
    pub name: String,
    /// What its cells have in common.
    pub kind: ColumnType,
    /// Cells without a value.
    pub nulls: u64,
    /// Distinct values; 10,000 stands for more.
    pub distinct: u64,
    /// The most frequent values of a column with up to 1,000 of them, at most 200 of up to 100 bytes each, most
    /// frequent first, equal ones in the order of the file. Wide tables have fewer.
    pub values: Vec<String>,
    /// The least number, of a column of numbers.
    pub min: Option<f64>,
    /// The greatest.
    pub max: Option<f64>,
    /// Whether each series has one value of it.
    pub is_static: bool,
    /// Whether all rows behind the last target have a value of it, and there are such rows.
    pub is_known_ahead: bool,
}

/// Names of columns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProfiledRoles {
    /// When.
    pub timestamp: Option<String>,
    /// What was observed.
    pub target: Option<String>,
    /// Which series; `None`: there is one, or several columns together name them.
    pub item_id: Option<String>,
    /// Other columns that may be the target, best first.
    pub other_targets: Vec<String>,
    /// Other columns of timestamps.
    pub other_timestamps: Vec<String>,
}

/// What the series are like.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SeriesProfile {
    /// Data rows of the file.
    pub total_rows: u64,
    /// Series with a row that can be read.
    pub num_items: u64,
    /// Rows of the shortest series, up to its last target.
    pub min_length: u64,
    /// Rows of the longest.
    pub max_length: u64,
    /// Rows of a series in the mean.
    pub avg_length: f64,
    /// Canonical alias; `None`: irregular.
    pub freq: Option<String>,
    /// Share of the steps between the first and the last target of each series that have none.
    pub missingness: f64,
    /// Steps that a series begins after the first time of all; the most of any.
    pub leading_gap: u64,
    /// Steps that a series ends before the last time of all; the most of any.
    pub trailing_gap: u64,
    /// Whether a target is below zero.
    pub has_negatives: bool,
    /// Whether there are targets of Saturdays and of Sundays.
    pub covers_weekends: bool,
    /// The least target.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// Season lengths in steps that the values bear out, strongest first.
    pub seasonality: Vec<usize>,
    /// Columns that move with the target, strongest first.
    pub suspected_covariates: Vec<String>,
    /// Columns whose values nest, from the coarsest to the finest, or the columns that together name the series.
    pub hierarchy_columns: Vec<String>,
    /// The first time with a target.
    #[serde(serialize_with = "as_text::time")]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub start: Micros,
    /// The last one.
    #[serde(serialize_with = "as_text::time")]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub end: Micros,
    /// Rows behind the last target of their series.
    pub future_rows: u64,
    /// Of the series with the fewest.
    pub least_future_rows: u64,
}

impl SeriesProfile {
    /// The first time as RFC 3339 has it, in UTC.
    pub fn start_text(&self) -> String {
        as_text::rfc3339(self.start)
    }

    /// The last time, likewise.
    pub fn end_text(&self) -> String {
        as_text::rfc3339(self.end)
    }
}

impl DataProfile {
    /// Of a table whose series are not known.
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

/// Lists fewer values of each column until all of them fit into a message.
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
            // Plain numbers are timestamps where they are taken for the time.
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

    /// Whether it may be a level of a hierarchy: texts, or numbers under the name of a thing.
    pub(super) fn may_be_level(&self) -> bool {
        self.nulls == 0
            && (self.kind == ColumnType::Text
                || (self.kind == ColumnType::Number && Telling::of_item_id(&self.name).is_some()))
    }
}
