//! Quarters, ISO weeks, and dates with English month names.

use crate::civil::{Date, weekday};
use crate::cursor::Cursor;
use crate::stamp::{Stamp, date_micros};
use crate::{DAY, Micros, SECOND, WEEK};

const MONTHS: [&[u8]; 12] = [
    b"january",
    b"february",
    b"march",
    b"april",
    b"may",
    b"june",
    b"july",
    b"august",
    b"september",
    b"october",
    b"november",
    b"december",
];
/// Separators between the parts of such a date.
const SEPARATORS: &[u8] = b" -/";

/// Parses a text without surrounding blanks; `None` if it has none of these forms.
///
/// Quarters are `2026Q1`, `2026 Q1`, `2026-Q1` and `Q1 2026`; weeks are `2026W05`, `2026 W05` and `2026-W05`,
/// optionally with a day (`2026-W05-1`). Months are `Jan 2026` and `2026 Jan`; days are `1 Jan 2026`, `Jan 1, 2026` and
/// `2026-Jan-01`, optionally with a time of day. Blanks, hyphens and slashes may separate the parts.
pub(crate) fn parse_named(text: &[u8]) -> Option<Stamp> {
    let mut rest = Cursor(text);
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = |micros| Some(Stamp { micros, offset_seconds: None });
    match digits {
        0 if rest.one_of(b"Qq").is_some() => {
            let quarter = rest.digits(1, 1)?;
            rest.one_of(SEPARATORS)?;
            whole(first_of_quarter(rest.digits(4, 4)?, quarter)?).filter(|_| rest.0.is_empty())
        }
        0 => {
            let month = rest.month()?;
            rest.one_of(SEPARATORS)?;
            if let Some(year) = rest.last_year() {
                return whole(date_micros(year, month, 1)?);
            }
            let day = rest.digits(1, 2)?;
            let comma = rest.one_of(b",");
            rest.one_of(if comma.is_some() { b" " } else { SEPARATORS })?;
            let year = rest.digits(4, 4)?;
            rest.stamp(date_micros(year, month, day as u32)?)
        }
        1 | 2 => {
            let day = rest.digits(1, 2)?;
            rest.one_of(SEPARATORS)?;
            let month = rest.month()?;
            rest.one_of(SEPARATORS)?;
            let year = rest.digits(4, 4)?;
            rest.stamp(date_micros(year, month, day as u32)?)
        }
        4 => {
            let year = rest.digits(4, 4)?;
            let separator = rest.one_of(SEPARATORS);
            if rest.one_of(b"Qq").is_some() {
                let quarter = rest.digits(1, 1)?;
                return whole(first_of_quarter(year, quarter)?).filter(|_| rest.0.is_empty());
            }
            if rest.one_of(b"Ww").is_some() {
                let week = rest.digits(1, 2)?;
                let day = if rest.one_of(b"-").is_some() { rest.digits(1, 1)? } else { 1 };
                return whole(day_of_week(year, week, day)?).filter(|_| rest.0.is_empty());
            }
            separator?;
            let month = rest.month()?;
            if rest.0.is_empty() {
                return whole(date_micros(year, month, 1)?);
            }
            rest.one_of(SEPARATORS)?;
            let day = rest.digits(1, 2)?;
            rest.stamp(date_micros(year, month, day as u32)?)
        }
        _ => None,
    }
}

fn first_of_quarter(year: i64, quarter: i64) -> Option<Micros> {
    (1..=4).contains(&quarter).then(|| date_micros(year, quarter as u32 * 3 - 2, 1))?
}

/// The day of an ISO week; week 1 contains the year's first Thursday.
fn day_of_week(year: i64, week: i64, day: i64) -> Option<Micros> {
    let first = |year| {
        let fourth = Date { year, month: 1, day: 4 }.to_days();
        (fourth - i64::from(weekday(fourth))) * DAY
    };
    let monday = first(year) + (week - 1) * WEEK;
    let is_in_year = year >= 1 && week >= 1 && monday < first(year + 1);
    (is_in_year && (1..=7).contains(&day)).then_some(monday + (day - 1) * DAY)
}

impl Cursor<'_> {
    /// The number of a month, by its name or the first three letters.
    fn month(&mut self) -> Option<u32> {
        let length = self.0.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (name, rest) = self.0.split_at(length);
        let is_named =
            |month: &&[u8]| name.eq_ignore_ascii_case(month) || name.eq_ignore_ascii_case(&month[..3]);
        let place = MONTHS.iter().position(is_named).or_else(|| {
            // The one usual abbreviation with four letters.
            name.eq_ignore_ascii_case(b"sept").then_some(8)
        })?;
        self.0 = rest;
        Some(place as u32 + 1)
    }

    /// Four digits, if nothing follows them.
    fn last_year(&mut self) -> Option<i64> {
        if self.0.len() == 4 { self.digits(4, 4) } else { None }
    }

    /// The date with the time of day that follows it.
    fn stamp(&mut self, date: Micros) -> Option<Stamp> {
        let (time, offset_seconds) = self.clock()?;
        Some(Stamp {
            micros: date + time - Micros::from(offset_seconds.unwrap_or(0)) * SECOND,
            offset_seconds,
        })
    }
}
