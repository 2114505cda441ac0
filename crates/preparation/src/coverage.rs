//! The step of the data, and the time range that they cover completely.

use tabcast_calendar::{Frequency, Micros, Unit, infer_frequency};
use tabcast_table::{Columns, ContentError, Kind, WantedColumn};

use crate::RowFilter;
use crate::filter::apply;
use crate::input::Input;
use crate::rows::Rows;

/// The most frequent step between neighbouring times of a series; none for irregular rows.
pub(crate) fn own_step(rows: &Rows) -> Option<Frequency> {
    let mut times = Vec::with_capacity(rows.times.len());
    let mut offsets = vec![0];
    for pair in rows.offsets.windows(2) {
        let start = times.len();
        for time in &rows.times[pair[0]..pair[1]] {
            if times[start..].last() != Some(time) {
                times.push(*time);
            }
        }
        offsets.push(times.len());
    }
    infer_frequency(&times, &offsets).ok().map(|found| found.frequency)
}

/// # Errors
///
/// If the requested step is shorter than that of the data.
pub(crate) fn check_step(
    step: Frequency,
    own: Frequency,
    columns: &Columns,
) -> Result<(), Box<ContentError>> {
    if micros(step) >= micros(own) * 0.95 {
        return Ok(());
    }
    let (step, own) = (step.alias(), own.alias());
    let message = format!("Rows that are a step of '{own}' apart cannot be combined into steps of '{step}'");
    let error = ContentError::new("step_too_fine", Kind::Content, message).column(&columns.timestamp);
    Err(Box::new(error.suggestion(format!("Take steps of '{own}' or longer ones, or leave the step out."))))
}

/// Mean length of a step.
fn micros(step: Frequency) -> f64 {
    const DAY: f64 = 86_400_000_000.0;
    let days = match step.unit() {
        Unit::Month(_) => 30.436_875,
        Unit::Quarter(..) => 3.0 * 30.436_875,
        Unit::Year(..) => 365.2425,
        _ => 1.0,
    };
    step.fixed_micros().map_or(days * DAY * f64::from(step.multiple()), |micros| micros as f64)
}

/// The first and the last time with a target among the rows that pass the filters on time. Rows that other filters
/// remove were observed all the same; rows that the filters on time remove were not requested.
pub(crate) fn range(
    input: &Input,
    columns: &Columns,
    filters: &[RowFilter],
) -> Result<Option<(Micros, Micros)>, Box<ContentError>> {
    let time_column = input.column(&columns.timestamp);
    let mut rows = vec![true; input.rows];
    for filter in filters.iter().filter(|filter| filter.column == columns.timestamp) {
        apply(filter, time_column, &mut rows)?;
    }
    let (WantedColumn::Times(times, _), WantedColumn::Target(targets, _)) =
        (time_column, input.column(&columns.target))
    else {
        return Ok(None);
    };
    let observed = (0..input.rows)
        .filter(|row| rows[*row] && !targets[*row].is_nan() && times[*row] != Micros::MIN)
        .map(|row| times[row]);
    Ok(observed.fold(None, |range: Option<(Micros, Micros)>, time| match range {
        None => Some((time, time)),
        Some((first, last)) => Some((first.min(time), last.max(time))),
    }))
}
