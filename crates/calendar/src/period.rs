//! The periods of a frequency, into which rows are combined.

use crate::civil::{Date, business_day, business_index, day_in_month, split};
use crate::{DAY, Edge, Frequency, HOUR, MINUTE, Micros, SECOND, Unit, WEEK};

/// All periods of a frequency, numbered, each with its stamp in a series of that frequency.
///
/// Seconds to days are stamped at their beginning. A week ends on the day that it is named after, and is stamped there
/// (`W-SUN` is Monday to Sunday, as in pandas). Months, quarters and years are stamped on their first or last day, as
/// the alias says. A weekend belongs to the business day before. Days are days of UTC, and stamps of days and longer
/// periods are midnights.
///
/// ```
/// use tabcast_calendar::{Frequency, Periods, parse_timestamp};
///
/// let at = |text: &str| parse_timestamp(text.as_bytes()).unwrap().micros;
/// let weeks = Periods::new(Frequency::parse("W-SUN").unwrap(), at("2026-01-01"));
/// let week = weeks.index(at("2026-01-07 13:00"));
/// assert_eq!((weeks.start(week), weeks.label(week)), (at("2026-01-05"), at("2026-01-11")));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Periods {
    unit: Unit,
    multiple: i64,
    /// Start of period 0, in units of the frequency.
    origin: i64,
}

impl Periods {
    /// The periods of a frequency. Multiples are counted from the unit that contains `origin`; times of day from its
    /// midnight.
    pub fn new(frequency: Frequency, origin: Micros) -> Periods {
        let unit = frequency.unit();
        let is_clock = matches!(unit, Unit::Second | Unit::Minute | Unit::Hour);
        let origin = if is_clock { split(origin).0 * DAY } else { origin };
        Periods { unit, multiple: i64::from(frequency.multiple()), origin: unit_of(unit, origin) }
    }

    /// The period that contains a stamp.
    pub fn index(&self, stamp: Micros) -> i64 {
        (unit_of(self.unit, stamp) - self.origin).div_euclid(self.multiple)
    }

    /// Start of a period; it ends where the next one starts.
    pub fn start(&self, index: i64) -> Micros {
        start_of(self.unit, self.origin + index * self.multiple)
    }

    /// The stamp of a period.
    pub fn label(&self, index: i64) -> Micros {
        let is_at_end = match self.unit {
            Unit::Week(_) => true,
            Unit::Month(edge) | Unit::Quarter(edge, _) | Unit::Year(edge, _) => edge == Edge::End,
            Unit::Second | Unit::Minute | Unit::Hour | Unit::Day | Unit::BusinessDay => false,
        };
        if is_at_end { self.start(index + 1) - DAY } else { self.start(index) }
    }
}

/// Length of a unit in months, and the 0-based month in which one of them starts.
fn months(unit: Unit) -> Option<(i64, i64)> {
    let (length, edge, month) = match unit {
        Unit::Month(_) => return Some((1, 0)),
        Unit::Quarter(edge, month) => (3, edge, month),
        Unit::Year(edge, month) => (12, edge, month),
        _ => return None,
    };
    let month = i64::from(month);
    Some((length, if edge == Edge::End { month } else { month - 1 }))
}

/// Length and start of a unit of fixed length.
fn fixed(unit: Unit) -> (Micros, Micros) {
    match unit {
        Unit::Second => (SECOND, 0),
        Unit::Minute => (MINUTE, 0),
        Unit::Hour => (HOUR, 0),
        // 1970-01-05 was a Monday; a week starts on the day after the one that it is named after.
        Unit::Week(day) => (WEEK, (4 + i64::from(day) - 6) * DAY),
        _ => (DAY, 0),
    }
}

fn unit_of(unit: Unit, stamp: Micros) -> i64 {
    let day = split(stamp).0;
    if unit == Unit::BusinessDay {
        return business_index(day);
    }
    if let Some((length, first)) = months(unit) {
        return (Date::from_days(day).month_index() - first).div_euclid(length);
    }
    let (length, first) = fixed(unit);
    (stamp - first).div_euclid(length)
}

fn start_of(unit: Unit, index: i64) -> Micros {
    if unit == Unit::BusinessDay {
        return business_day(index) * DAY;
    }
    if let Some((length, first)) = months(unit) {
        return day_in_month(index * length + first, 1) * DAY;
    }
    let (length, first) = fixed(unit);
    index * length + first
}
