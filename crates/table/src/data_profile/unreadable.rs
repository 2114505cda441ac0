//! Explains to people why a table has no series.

use super::panel::Series;
use super::rows::SeriesColumns;
use super::types::ProfiledRoles;
use crate::dates::is_time;
use crate::detect::Facts;
use crate::number::{Number, parse_number};
use crate::{ContentError, shorten};

/// With more columns named by times than this, the table is taken as transposed.
const TURNED: usize = 3;

/// The first row is no header.
pub(super) fn of_header(facts: &[Facts]) -> Option<String> {
    let is_time = |name: &str| is_time(name.as_bytes());
    let is_number = |name: &str| matches!(parse_number(name.as_bytes()), Number::Value(_));
    let times: Vec<&Facts> = facts.iter().filter(|column| column.is_plainly_timestamp()).collect();
    let headless_times = times.iter().filter(|column| is_time(&column.name)).count();
    let numbers = count(facts, Facts::is_numeric);
    let headless_numbers = count(facts, |column| column.is_numeric() && is_number(&column.name));
    let named_by_times = count(facts, |column| column.is_numeric() && is_time(&column.name));
    if headless_times > 0
        || (times.is_empty() && numbers > 0 && headless_numbers == numbers && named_by_times < TURNED)
    {
        return Some(
            "The first row looks like data, not like the names of the columns. Add a row of names at the top of the \
                file."
                .to_owned(),
        );
    }
    (times.is_empty() && named_by_times >= TURNED).then(|| {
        format!(
            "{named_by_times} columns are named by times. Turn the table, so that each row has one series, one time \
                and one value."
        )
    })
}

/// There is no column for the time or for the target.
pub(super) fn of_roles(facts: &[Facts], roles: &ProfiledRoles) -> String {
    if facts.len() == 1 {
        return "The table has one column, and a forecast needs times and numbers side by side. Check that commas, \
            semicolons, tabs or bars separate the cells.".to_owned();
    }
    let no_time = "No column holds times that can be read. Write them like 2026-01-31 or 2026-01-31T14:00:00Z, with \
        four digits for the year, or say which column holds them.";
    let no_target = "No column holds numbers to forecast. Write them with digits and a decimal point alone, or say \
        which column holds them.";
    match (&roles.timestamp, &roles.target) {
        (None, None) => format!("{no_time} {no_target}"),
        (None, _) => no_time.to_owned(),
        _ => no_target.to_owned(),
    }
}

/// Dates could be read both ways.
pub(super) fn of_dates(error: &ContentError) -> String {
    let suggestion = error.suggestion.as_deref().unwrap_or_default();
    format!("{}. {suggestion}", error.message)
}

/// The rows give no series.
pub(super) fn of_series(series: &Series, rows: u64, columns: &SeriesColumns) -> Option<String> {
    let SeriesColumns { timestamp, target, items, .. } = columns;
    let (timestamp, target) = (shorten(timestamp), shorten(target));
    if !series.has_target() {
        let names: Vec<String> =
            items.iter().map(|name| format!("a value in '{}', ", shorten(name))).collect();
        let names = names.concat();
        return Some(format!(
            "None of the {rows} rows has a time in '{timestamp}', {names}and a number in '{target}'. Say which \
                columns hold them, or correct the cells."
        ));
    }
    let repeats = series.repeats;
    (repeats > series.panel.rows).then(|| {
        let by = match items.as_slice() {
            [] => "there is no column that tells series apart".to_owned(),
            names => {
                let names: Vec<String> = names.iter().map(|name| format!("'{}'", shorten(name))).collect();
                format!("{} does not tell series apart", names.join(" and "))
            }
        };
        format!(
            "{repeats} rows have the time of another row of their series in '{timestamp}': {by}. Say which column \
                names the series, or add up the rows of each time."
        )
    })
}

/// Number of columns whose facts fit, for the reasons.
pub(super) fn count(facts: &[Facts], fits: impl Fn(&Facts) -> bool) -> usize {
    facts.iter().filter(|column| fits(column)).count()
}
