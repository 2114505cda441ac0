//! Prints timestamps.

use std::io::Write;

use crate::civil::{Date, split};
use crate::{HOUR, MINUTE, Micros, SECOND};

/// Appends `YYYY-MM-DD hh:mm:ss`, with six digits of fraction if there is one.
pub fn write_pandas(micros: Micros, out: &mut Vec<u8>) {
    write_stamp(micros, b' ', out);
}

/// Appends `YYYY-MM-DDThh:mm:ss+00:00`, with six digits of fraction if there is one.
pub fn write_iso8601(micros: Micros, out: &mut Vec<u8>) {
    write_stamp(micros, b'T', out);
    out.extend_from_slice(b"+00:00");
}

fn write_stamp(micros: Micros, separator: u8, out: &mut Vec<u8>) {
    let (days, time) = split(micros);
    let date = Date::from_days(days);
    if (0..=9999).contains(&date.year) {
        out.extend_from_slice(&two(date.year / 100));
        out.extend_from_slice(&two(date.year % 100));
    } else {
        // Writing into a vector cannot fail.
        let _ = write!(out, "{:05}", date.year);
    }
    let month = two(i64::from(date.month));
    let day = two(i64::from(date.day));
    let hour = two(time / HOUR);
    let minute = two(time % HOUR / MINUTE);
    let second = two(time % MINUTE / SECOND);
    out.extend_from_slice(&[b'-', month[0], month[1], b'-', day[0], day[1], separator]);
    out.extend_from_slice(&[hour[0], hour[1], b':', minute[0], minute[1], b':', second[0], second[1]]);
    let fraction = time % SECOND;
    if fraction != 0 {
        let _ = write!(out, ".{fraction:06}");
    }
}

fn two(value: i64) -> [u8; 2] {
    [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8]
}
