//! Numeric columns.

use super::{Finding, reading, uniform};
use crate::Role;

/// With this many rows, a pattern among all of them is no accident.
const ENOUGH: usize = 20;

/// The role of a numeric column. `is_time`: the request names it as the order of the rows.
pub(super) fn find(numbers: &[f64], rows: &[u32], name: &str, is_time: bool) -> Finding {
    let mut values: Vec<f64> =
        rows.iter().map(|&row| numbers[row as usize] + 0.0).filter(|value| !value.is_nan()).collect();
    let missing = rows.len() - values.len();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let distinct = values.len();
    if let Some(finding) = uniform(distinct, missing) {
        return finding;
    }
    let is_whole = values.iter().all(|value| value.fract() == 0.0);
    let is_unique = distinct == rows.len() && distinct >= ENOUGH;
    let (role, note) = if values == [0.0, 1.0] {
        (Role::Boolean, "Its values are 0 and 1.".to_owned())
    } else if are_dates(&values) {
        (Role::Date, "Its numbers are dates written as YYYYMMDD.".to_owned())
    } else if !is_time && is_whole && is_unique && reading::names_rows(name) {
        let note = "It has another whole number in every row and the name of an identifier, so it is kept in \
            the output and not learned from.";
        (Role::Identifier, note.to_owned())
    } else if !is_time && is_whole && is_unique && counts_rows(numbers) && !are_years(&values) {
        let note = "It counts the rows of the file, so it is taken for an identifier: kept in the output and \
            not learned from.";
        (Role::Identifier, note.to_owned())
    } else {
        let kind = if is_whole { "whole numbers" } else { "numbers" };
        (Role::Number, format!("All its values are {kind}."))
    };
    Finding { role, distinct, missing, notes: vec![note] }
}

/// Whether the numbers change by the same step from each row of the file to the next.
fn counts_rows(numbers: &[f64]) -> bool {
    let [first, second, ..] = numbers else { return false };
    let step = second - first;
    step != 0.0 && numbers.windows(2).all(|pair| pair[1] - pair[0] == step)
}

fn are_years(sorted: &[f64]) -> bool {
    matches!(sorted, [first, .., last] if *first >= 1800.0 && *last <= 2200.0)
}

/// Whether all are days of the years 1900 to 2100, written as eight digits.
fn are_dates(sorted: &[f64]) -> bool {
    let [first, .., last] = sorted else { return false };
    *first >= 19_000_101.0
        && *last <= 21_001_231.0
        && sorted.len() >= 3
        && sorted.iter().all(|value| {
            value.fract() == 0.0 && tabcast_calendar::parse_timestamp(value.to_string().as_bytes()).is_some()
        })
}
