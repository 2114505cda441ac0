//! Calendar and clock fields of a stamp.

use crate::civil::{Date, days_in_month, split, weekday};
use crate::{DAY, HOUR, MINUTE, Micros};

/// Calendar and clock fields of a stamp as stored, without any time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CivilTime {
    /// Year of the Gregorian calendar.
    pub year: i64,
    /// 1 to 4.
    pub quarter: u32,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
    /// 28 to 31.
    pub days_in_month: u32,
    /// 1 to 366.
    pub day_of_year: u32,
    /// 365 or 366.
    pub days_in_year: u32,
    /// Week of ISO 8601, 1 to 53: the first week contains the year's first Thursday, so the days around New Year may
    /// belong to a week of the previous or next year.
    pub week: u32,
    /// 52 or 53: number of weeks in the ISO year that contains the week.
    pub weeks_in_year: u32,
    /// 0 for Monday to 6 for Sunday.
    pub weekday: u32,
    /// 0 to 23.
    pub hour: u32,
    /// 0 to 59.
    pub minute: u32,
}

impl CivilTime {
    /// Computes the fields.
    pub fn of(stamp: Micros) -> Self {
        let (days, time) = split(stamp);
        let date = Date::from_days(days);
        let new_year = first_day(date.year);
        let weekday = weekday(days);
        // A week belongs to the year that contains its Thursday.
        let thursday = days - i64::from(weekday) + 3;
        let iso_year = Date::from_days(thursday).year;
        let iso_start = first_day(iso_year);
        Self {
            year: date.year,
            quarter: (date.month - 1) / 3 + 1,
            month: date.month,
            day: date.day,
            days_in_month: days_in_month(date.year, date.month),
            day_of_year: (days - new_year) as u32 + 1,
            days_in_year: (first_day(date.year + 1) - new_year) as u32,
            week: ((thursday - iso_start) / 7) as u32 + 1,
            weeks_in_year: weeks_in_year(iso_start, first_day(iso_year + 1)),
            weekday: u32::from(weekday),
            hour: (time % DAY / HOUR) as u32,
            minute: (time % HOUR / MINUTE) as u32,
        }
    }

    /// Saturday or Sunday.
    pub fn is_weekend(&self) -> bool {
        self.weekday >= 5
    }

    /// The first day of a month.
    pub fn is_month_start(&self) -> bool {
        self.day == 1
    }

    /// The last day of a month.
    pub fn is_month_end(&self) -> bool {
        self.day == self.days_in_month
    }

    /// The first day of January, April, July or October.
    pub fn is_quarter_start(&self) -> bool {
        self.is_month_start() && self.month % 3 == 1
    }

    /// The last day of March, June, September or December.
    pub fn is_quarter_end(&self) -> bool {
        self.is_month_end() && self.month.is_multiple_of(3)
    }

    /// 1 January.
    pub fn is_year_start(&self) -> bool {
        self.day_of_year == 1
    }

    /// 31 December.
    pub fn is_year_end(&self) -> bool {
        self.day_of_year == self.days_in_year
    }
}

/// Day number of 1 January.
fn first_day(year: i64) -> i64 {
    Date { year, month: 1, day: 1 }.to_days()
}

/// Thursdays of the year between its first day and that of the next.
fn weeks_in_year(start: i64, end: i64) -> u32 {
    let before = |day: i64| (day - 1).div_euclid(7);
    // 1970-01-01, day 0, was a Thursday.
    (before(end) - before(start)) as u32
}
