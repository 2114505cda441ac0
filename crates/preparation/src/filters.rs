//! Applies all filters in turn.

use std::cmp::Reverse;

use tabcast_table::{ContentError, Kind, WantedColumn, closest, shorten};

use crate::filter::apply;
use crate::input::Input;
use crate::{FilteredRows, Operator, RowFilter};

/// The rows in use.
pub(crate) struct Used {
    /// Whether each row of the table is in use.
    pub(crate) rows: Vec<bool>,
    pub(crate) count: usize,
    pub(crate) filtered: Vec<FilteredRows>,
}

/// Finds the rows for which all filters hold.
pub(crate) fn apply_all(filters: &[RowFilter], input: &Input) -> Result<Used, Box<ContentError>> {
    let mut rows = vec![true; input.rows];
    let mut count = input.rows;
    let mut filtered = Vec::with_capacity(filters.len());
    for filter in filters {
        apply(filter, input.column(&filter.column), &mut rows)?;
        let left = rows.iter().filter(|used| **used).count();
        let RowFilter { column, op, values } = filter.clone();
        filtered.push(FilteredRows { column, op, values, rows: (count - left) as u64 });
        count = left;
    }
    if count == 0 {
        return Err(nothing_left(&filtered, input));
    }
    Ok(Used { rows, count, filtered })
}

/// The error if no rows are left; names the filter that removed most rows, the first among equals.
fn nothing_left(filtered: &[FilteredRows], input: &Input) -> Box<ContentError> {
    let strictest = filtered.iter().enumerate().max_by_key(|(place, filter)| (filter.rows, Reverse(*place)));
    let message = "The filters leave no row".to_owned();
    let Some((_, filter)) = strictest else {
        return Box::new(ContentError::new("no_rows_left", Kind::Content, message));
    };
    let values = filter.values.iter().take(5).map(|value| format!("'{}'", shorten(value)));
    let values = values.collect::<Vec<_>>().join(", ");
    let message = format!(
        "{message}: '{} {} {values}' takes out {} of {} rows",
        shorten(&filter.column),
        filter.op.name(),
        filter.rows,
        input.rows
    );
    let suggestion = match nearest_value(filter, input) {
        Some(value) => format!("Correct or remove the filter; the closest value is '{}'.", shorten(&value)),
        None => "Correct or remove the filter.".to_owned(),
    };
    let error = ContentError::new("no_rows_left", Kind::Content, message).column(&filter.column);
    Box::new(error.count(filter.rows).suggestion(suggestion))
}

/// The text of the column that most resembles the only value of the filter.
fn nearest_value(filter: &FilteredRows, input: &Input) -> Option<String> {
    /// Maximum number of texts compared with the value.
    const LOOKED_AT: usize = 1_000;
    let is_equality = matches!(filter.op, Operator::Eq | Operator::In);
    let ([value], WantedColumn::Texts(column)) = (filter.values.as_slice(), input.column(&filter.column))
    else {
        return None;
    };
    let texts: Vec<String> = column.texts.iter().take(LOOKED_AT).map(ToString::to_string).collect();
    closest(value, &texts).filter(|_| is_equality).map(ToOwned::to_owned)
}
