//! Profiles a file without any given roles.
//!
//! The file is read up to three times, four if its dates end with the year, and no cells are kept except times, targets
//! and the numbers of series. The first rows suggest the roles of the columns. Then all rows give the figures of every
//! column and the series. Once the series are known, another pass over all rows shows how the other columns relate to
//! them.

mod beginning;
mod covary;
mod date_order;
mod distinct;
mod figures;
mod keys;
mod look;
mod naming;
mod nesting;
mod options;
mod panel;
mod places;
mod roles;
mod rows;
mod season;
mod settle;
mod tally;
mod types;
mod unreadable;

use std::cmp::Reverse;
use std::collections::HashSet;

use tabcast_calendar::Decision;

use crate::dates::ambiguous_dates;
use crate::read::in_pool;
use crate::{ColumnType, ReadError, ReadOptions};
use beginning::Beginning;
use covary::moving_together;
use date_order::find_orders;
use figures::figures;
use look::{Answer, Question, look};
use nesting::{Level, levels_above};
pub use options::{GivenRoles, ProfileOptions};
use panel::Series;
use roles::find_roles;
use rows::{AllRows, SeriesColumns, read_all};
use season::seasonality;
use settle::settle;
pub use types::{DataProfile, ProfiledColumn, ProfiledRoles, SeriesProfile};

/// Maximum number of distinct values in a column of a hierarchy.
const MOST_VALUES: usize = 10_000;

/// Profiles a file. The profile does not depend on the number of threads or, except for the order of equally frequent
/// values, on the order of the rows.
///
/// Memory is that of [`read_panel`](crate::read_panel) without covariates, plus a bounded number of values per column,
/// plus at most 200 MB for values of series; it does not grow with the number of columns.
///
/// # Errors
/// [`ReadError::Content`] for a file that is no table, and for a given column that it lacks; otherwise `Cancelled` or
/// `Io`. A table without a time or a target is no error.
pub fn profile_data(options: &ProfileOptions) -> Result<DataProfile, ReadError> {
    let read = options.as_read();
    // In a pool of one thread, because the first rows are those of the first blocks.
    let beginning = in_pool(1, || Beginning::read(&read))?;
    let mut found = find_roles(&beginning, &options.roles)?;
    drop(beginning);
    in_pool(options.threads, || {
        if let Some(columns) = &mut found.columns
            && found.has_dates
        {
            let orders = find_orders(&read, &columns.timestamp)?;
            match orders.decide() {
                Decision::NotNeeded => {}
                Decision::Order(order) => columns.date_order = Some(order),
                Decision::Ambiguous => {
                    found.unreadable =
                        Some(unreadable::of_dates(&ambiguous_dates(&orders, &columns.timestamp)));
                    found.columns = None;
                }
            }
        }
        let AllRows { table, tallies, parts, rows } = read_all(&read, found.columns.as_ref())?;
        let named = table.names.iter().zip(&tallies);
        let varying: HashSet<String> =
            named.filter(|(_, tally)| tally.varies).map(|(name, _)| name.clone()).collect();
        let mut profile = DataProfile::of_columns(&table, tallies, found.roles);
        let Some(mut columns) = found.columns else {
            profile.unreadable = found.unreadable;
            return Ok(profile);
        };
        let mut series = Series::of(parts, &read)?;
        while settle(&mut series, &mut columns, &found.doubtful) {
            series = Series::of(read_all(&read, Some(&columns))?.parts, &read)?;
        }
        profile.roles.item_id = columns.items.first().filter(|_| columns.items.len() == 1).cloned();
        if let Some(reason) = unreadable::of_series(&series, rows, &columns) {
            profile.unreadable = Some(reason);
            return Ok(profile);
        }
        let rows = Rows { series: &series, count: rows, columns: &columns, varying: &varying };
        describe_series(&mut profile, &rows, &read)?;
        Ok(profile)
    })
}

/// The rows of a table that has series.
struct Rows<'a> {
    series: &'a Series,
    count: u64,
    columns: &'a SeriesColumns,
    /// Columns with different values in consecutive rows of a series.
    varying: &'a HashSet<String>,
}

fn describe_series(profile: &mut DataProfile, rows: &Rows, options: &ReadOptions) -> Result<(), ReadError> {
    let Rows { series, columns, .. } = *rows;
    let figures = figures(series);
    let (future_rows, least_future_rows) = series.future_rows();
    let is_role = |name: &str| name == columns.timestamp || name == columns.target;
    let others = || profile.columns.iter().filter(|column| !is_role(&column.name));
    let names = |of: &dyn Fn(&ProfiledColumn) -> bool| -> Vec<String> {
        others().filter(|column| of(column)).map(|column| column.name.clone()).collect()
    };
    let is_item = |name: &str| columns.items.iter().any(|item| item == name);
    let question = Question {
        columns,
        series,
        statics: names(&|column| !rows.varying.contains(&column.name) && has_values(column.kind)),
        covariates: names(&|column| {
            let is_number = matches!(column.kind, ColumnType::Number | ColumnType::Boolean);
            is_number && column.distinct > 1 && !is_item(&column.name)
        }),
        has_future: future_rows > 0,
    };
    let Answer { statics, known_ahead, windows } = look(&question, options)?;
    let suspected = moving_together(&windows, question.covariates.len());
    let mut profiled = SeriesProfile {
        total_rows: rows.count,
        num_items: series.panel.len() as u64,
        min_length: figures.min_length as u64,
        max_length: figures.max_length as u64,
        avg_length: figures.avg_length,
        freq: figures.frequency.map(|frequency| frequency.alias()),
        missingness: figures.missingness,
        leading_gap: figures.leading_gap,
        trailing_gap: figures.trailing_gap,
        has_negatives: figures.min < 0.0,
        covers_weekends: figures.covers_weekends,
        min: figures.min,
        max: figures.max,
        seasonality: figures.frequency.map_or_else(Vec::new, |frequency| seasonality(series, frequency)),
        suspected_covariates: suspected.into_iter().map(|place| question.covariates[place].clone()).collect(),
        hierarchy_columns: hierarchy(profile, &statics, columns, series.panel.len()),
        start: figures.start,
        end: figures.end,
        future_rows: future_rows as u64,
        least_future_rows: least_future_rows as u64,
    };
    let is_static = |name: &str| statics.iter().any(|(other, _)| other == name);
    profiled.suspected_covariates.retain(|name| !is_static(name));
    for column in &mut profile.columns {
        column.is_static = is_static(&column.name);
        column.is_known_ahead = column.name != columns.target && known_ahead.contains(&column.name);
    }
    // A column with values after the last target is not something to forecast.
    profile.roles.other_targets.retain(|name| !known_ahead.contains(name));
    profile.series = Some(profiled);
    Ok(())
}

fn has_values(kind: ColumnType) -> bool {
    !matches!(kind, ColumnType::Empty | ColumnType::Other)
}

/// Nested columns from the coarsest up to the item id, or to the columns that together name the series.
fn hierarchy(
    profile: &DataProfile,
    statics: &[(String, Vec<Option<u64>>)],
    columns: &SeriesColumns,
    items: usize,
) -> Vec<String> {
    let of_name = |name: &str| profile.columns.iter().find(|column| column.name == name);
    let is_item = |name: &str| columns.items.iter().any(|item| item == name);
    let mut levels: Vec<Level> = statics
        .iter()
        .filter(|(name, _)| is_item(name) || of_name(name).is_some_and(ProfiledColumn::may_be_level))
        .filter_map(|(name, keys)| Level::new(name, keys))
        .collect();
    levels.retain(|level| is_item(&level.name) || level.count() as usize <= MOST_VALUES);
    let (naming, others): (Vec<Level>, Vec<Level>) =
        levels.into_iter().partition(|level| is_item(&level.name));
    if items < 2 {
        return Vec::new();
    }
    let mut chains: Vec<Vec<&Level>> = naming
        .iter()
        .map(|level| levels_above(&others, level).into_iter().chain([level]).collect())
        .collect();
    // Among crossing columns, the one with most levels above it comes first; among equal ones, the coarser.
    chains.sort_by_key(|chain| (Reverse(chain.len()), chain.last().map(|level| level.count())));
    let mut names: Vec<String> = Vec::new();
    for level in chains.into_iter().flatten() {
        if !names.contains(&level.name) {
            names.push(level.name.clone());
        }
    }
    if names.len() < 2 { Vec::new() } else { names }
}
