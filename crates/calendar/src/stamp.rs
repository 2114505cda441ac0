//! A parsed timestamp.

use crate::civil::{Date, days_in_month};
use crate::{DAY, Micros};

/// 0001-01-01T00:00:00, the earliest accepted stamp.
pub const MIN_MICROS: Micros = -62_135_596_800_000_000;

/// 9999-12-31T23:59:59.999999, the latest accepted stamp.
pub const MAX_MICROS: Micros = 253_402_300_799_999_999;

/// A parsed timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The instant, after subtracting the offset; a stamp without an offset counts as UTC.
    pub micros: Micros,
    /// The offset as written, in seconds east of UTC; `None` if none was written.
    pub offset_seconds: Option<i32>,
}

/// The stamp, if it lies in the years that can be written.
pub(crate) fn in_range(stamp: Stamp) -> Option<Stamp> {
    (MIN_MICROS..=MAX_MICROS).contains(&stamp.micros).then_some(stamp)
}

#[inline]
pub(crate) fn date_micros(year: i64, month: u32, day: u32) -> Option<Micros> {
    let valid = year >= 1
        && (1..=12).contains(&month)
        && day >= 1
        && (day <= 28 || day <= days_in_month(year, month));
    valid.then(|| Date { year, month, day }.to_days() * DAY)
}
