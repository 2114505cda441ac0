//! Parses timestamps.

use crate::cursor::Cursor;
use crate::named::parse_named;
use crate::order::DateOrder;
use crate::stamp::{Stamp, date_micros, in_range};
use crate::{Micros, SECOND};

/// Parses a timestamp; `None` if it has none of the accepted forms or its year is not in 1..=9999.
///
/// Accepted forms are ISO 8601 dates and date-times (`T` or a blank between; seconds and fraction optional, digits
/// below the microsecond dropped; `Z`, ` UTC`, `±hh`, `±hhmm` or `±hh:mm` after the time), the same with `/` in the
/// date, `YYYYMMDD`, `YYYY-MM` and `YYYY`. A bare integer of 9 or 10 digits is epoch seconds, of 12 or 13 milliseconds,
/// of 15 or 16 microseconds, of 18 or 19 nanoseconds. Quarters (`2026Q1`, `Q1 2026`) and ISO weeks (`2026-W05`) mean
/// their first day, and months may have English names, short or long: `Jan 2026`, `1-Jan-2026`, `January 1, 2026`.
/// Surrounding blanks are skipped.
///
/// `DD/MM/YYYY` and `MM/DD/YYYY` are ambiguous and refused; [`parse_timestamp_in`] reads them.
pub fn parse_timestamp(text: &[u8]) -> Option<Stamp> {
    parse_timestamp_in(text, None)
}

/// Whether a stamp is finer than a microsecond, the resolution of [`parse_timestamp`].
pub fn is_finer_than_micros(stamp: &[u8]) -> bool {
    let stamp = stamp.trim_ascii();
    if stamp.iter().all(u8::is_ascii_digit) {
        return matches!(stamp.len(), 18 | 19) && !stamp.ends_with(b"000");
    }
    // Only a fraction of seconds can have this many digits after such a character.
    let mut fractions = stamp.split(|byte| matches!(byte, b'.' | b',')).skip(1);
    fractions
        .any(|text| text.iter().take_while(|byte| byte.is_ascii_digit()).skip(6).any(|&digit| digit != b'0'))
}

/// Like [`parse_timestamp`], but also parses dates whose year comes last, if their order is given.
pub fn parse_timestamp_in(text: &[u8], order: Option<DateOrder>) -> Option<Stamp> {
    if let Some(micros) = parse_plain_timestamp(text) {
        return Some(Stamp { micros, offset_seconds: None });
    }
    let text = text.trim_ascii();
    let stamp = if text.iter().all(u8::is_ascii_digit) {
        Stamp { micros: parse_integer(text)?, offset_seconds: None }
    } else {
        let dated = order.and_then(|order| order.parse(text));
        dated.or_else(|| parse_parts(text)).or_else(|| parse_named(text))?
    };
    in_range(stamp)
}

/// Parses the two forms of nearly every file, `YYYY-MM-DD` and `YYYY-MM-DD hh:mm:ss` (or with `T`), without a loop or a
/// branch per digit; `None` for every other form.
#[inline]
pub fn parse_plain_timestamp(text: &[u8]) -> Option<Micros> {
    let date = text.first_chunk::<10>()?;
    let time = match text.len() {
        10 => None,
        19 => text.last_chunk::<9>(),
        _ => return None,
    };
    let mut wrong = u32::from(date[4] ^ b'-') | u32::from(date[7] ^ b'-');
    let mut two = |high: u8, low: u8| {
        let (high, low) = (u32::from(high.wrapping_sub(b'0')), u32::from(low.wrapping_sub(b'0')));
        wrong |= u32::from(high > 9) | u32::from(low > 9);
        high * 10 + low
    };
    let year = i64::from(two(date[0], date[1]) * 100 + two(date[2], date[3]));
    let (month, day) = (two(date[5], date[6]), two(date[8], date[9]));
    let mut seconds = 0;
    if let Some(time) = time {
        let (hour, minute, second) = (two(time[1], time[2]), two(time[4], time[5]), two(time[7], time[8]));
        if (time[0] != b'T' && time[0] != b' ') || time[3] != b':' || time[6] != b':' {
            return None;
        }
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        seconds = hour * 3600 + minute * 60 + second;
    }
    if wrong != 0 {
        return None;
    }
    Some(date_micros(year, month, day)? + Micros::from(seconds) * SECOND)
}

fn parse_integer(digits: &[u8]) -> Option<Micros> {
    let value = || {
        digits.iter().try_fold(0_i64, |sum, digit| sum.checked_mul(10)?.checked_add(i64::from(digit - b'0')))
    };
    match digits.len() {
        4 => date_micros(value()?, 1, 1),
        8 => {
            let date = value()?;
            date_micros(date / 10_000, (date / 100 % 100) as u32, (date % 100) as u32)
        }
        9 | 10 => value()?.checked_mul(SECOND),
        12 | 13 => value()?.checked_mul(1_000),
        15 | 16 => value(),
        18 | 19 => Some(value()? / 1_000),
        _ => None,
    }
}

fn parse_parts(text: &[u8]) -> Option<Stamp> {
    let mut rest = Cursor(text);
    let year = rest.digits(4, 4)?;
    let separator = rest.one_of(b"-/")?;
    let month = rest.digits(1, 2)?;
    let day = if rest.one_of(&[separator]).is_some() { rest.digits(1, 2)? } else { 1 };
    let mut micros = date_micros(year, month as u32, day as u32)?;
    let mut offset_seconds = None;
    if rest.one_of(b"Tt ").is_some() {
        micros += rest.time()?;
        if !rest.0.is_empty() {
            offset_seconds = Some(rest.offset()?);
        }
    }
    if !rest.0.is_empty() {
        return None;
    }
    Some(Stamp { micros: micros - Micros::from(offset_seconds.unwrap_or(0)) * SECOND, offset_seconds })
}
