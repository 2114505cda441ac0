//! The meaning of a spreadsheet cell.
//!
//! A formula counts as the result that was saved with it, or as nothing without one. An error counts as the text that
//! it shows, so it is missing, refused, or a category, as in the exported CSV.

use std::fmt::Write;

use calamine::{CellErrorType, Data, DataRef, ExcelDateTime};
use tabcast_calendar::{Micros, parse_timestamp};

use crate::value::Value;

/// The value of a cell in a streamed sheet. `text` holds what is not in the cell itself.
pub(crate) fn streamed<'a>(cell: &'a DataRef<'a>, text: &'a mut String) -> Value<'a> {
    match cell {
        DataRef::Empty => Value::Empty,
        DataRef::Int(value) => Value::Integer((*value).into()),
        DataRef::Float(value) => number(*value),
        DataRef::String(value) | DataRef::DateTimeIso(value) | DataRef::DurationIso(value) => {
            Value::Text(value)
        }
        DataRef::SharedString(value) => Value::Text(value),
        DataRef::Bool(value) => Value::Boolean(*value),
        DataRef::DateTime(value) => time(value),
        DataRef::Error(error) => shown(error, text),
    }
}

/// The value of a cell in a sheet that was read in full.
pub(crate) fn held<'a>(cell: &'a Data, text: &'a mut String) -> Value<'a> {
    match cell {
        Data::Empty => Value::Empty,
        Data::Int(value) => Value::Integer((*value).into()),
        Data::Float(value) => number(*value),
        Data::String(value) | Data::DateTimeIso(value) | Data::DurationIso(value) => Value::Text(value),
        Data::Bool(value) => Value::Boolean(*value),
        Data::DateTime(value) => time(value),
        Data::Error(error) => shown(error, text),
    }
}

/// Spreadsheets only have doubles: a whole number is the integer that it shows.
fn number(value: f64) -> Value<'static> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_whole =
        value.trunc() == value && value.abs() < EXACT && !(value == 0.0 && value.is_sign_negative());
    if is_whole { Value::Integer(value as i128) } else { Value::Number(value) }
}

fn shown<'a>(error: &CellErrorType, text: &'a mut String) -> Value<'a> {
    text.clear();
    // Writing to a string cannot fail.
    let _ = write!(text, "{error}");
    Value::Text(text)
}

fn time(value: &ExcelDateTime) -> Value<'static> {
    if value.is_datetime() { Value::Time(micros(value)) } else { Value::Number(value.as_f64()) }
}

/// `None` for serial numbers that are no dates: before 1900, after 9999, and 29 February 1900, which never existed.
fn micros(value: &ExcelDateTime) -> Option<Micros> {
    const AFTER_9999: f64 = 2_958_466.0;
    if !(0.0..AFTER_9999).contains(&value.as_f64()) {
        return None;
    }
    let (year, month, day, hour, minute, second, milli) = value.to_ymd_hms_milli();
    let text = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{milli:03}");
    parse_timestamp(text.as_bytes()).map(|stamp| stamp.micros)
}
