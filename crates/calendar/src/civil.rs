//! Days since the epoch and civil dates, after Howard Hinnant's "chrono-compatible low-level date algorithms".

use crate::{DAY, Micros};

/// A day of the proleptic Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: i64,
    /// 1 to 12.
    pub(crate) month: u32,
    /// 1 to 31.
    pub(crate) day: u32,
}

impl Date {
    /// The date of a day number.
    pub(crate) fn from_days(days: i64) -> Date {
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097) as u32;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        Date { year: i64::from(year_of_era) + era * 400 + i64::from(month <= 2), month, day }
    }

    /// The day number of the date.
    pub(crate) fn to_days(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400) as u32;
        let month_from_march = if self.month > 2 { self.month - 3 } else { self.month + 9 };
        let day_of_year = (153 * month_from_march + 2) / 5 + self.day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + i64::from(day_of_era) - 719_468
    }

    /// Months since year 0.
    pub(crate) fn month_index(self) -> i64 {
        self.year * 12 + i64::from(self.month) - 1
    }

    pub(crate) fn is_last_of_month(self) -> bool {
        self.day == days_in_month(self.year, self.month)
    }
}

pub(crate) fn days_in_month(year: i64, month: u32) -> u32 {
    const DAYS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    DAYS[month as usize - 1] + u32::from(leap && month == 2)
}

/// Day `day` of the month with this index, or the month's last day if the month is shorter.
pub(crate) fn day_in_month(month_index: i64, day: u32) -> i64 {
    let (year, month) = (month_index.div_euclid(12), month_index.rem_euclid(12) as u32 + 1);
    Date { year, month, day: day.min(days_in_month(year, month)) }.to_days()
}

/// Day number and microseconds since midnight.
pub(crate) fn split(micros: Micros) -> (i64, Micros) {
    (micros.div_euclid(DAY), micros.rem_euclid(DAY))
}

/// 0 for Monday to 6 for Sunday.
pub(crate) fn weekday(days: i64) -> u8 {
    (days + 3).rem_euclid(7) as u8
}

/// The index of the business day (Monday to Friday) `days`; at a weekend, of the preceding Friday.
pub(crate) fn business_index(days: i64) -> i64 {
    (days + 3).div_euclid(7) * 5 + i64::from(weekday(days).min(4))
}

/// The day number of a business day.
pub(crate) fn business_day(index: i64) -> i64 {
    index.div_euclid(5) * 7 + index.rem_euclid(5) - 3
}
