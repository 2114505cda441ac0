//! Calendar and clock of stamps. The expected numbers are those of Python's `datetime` and `isocalendar`.

use tabcast_calendar::{CivilTime, parse_timestamp};

/// Stamp; year, quarter, month, day, days in month, day of year, days in year, ISO week, weeks in its year, weekday,
/// hour, minute; W for a weekend, then m and M for first and last day of a month, q and Q of a quarter, y and Y of a
/// year.
type Vector = (&'static str, [i64; 12], &'static str);

const VECTORS: [Vector; 23] = [
    ("2024-02-29 00:00:00", [2024, 1, 2, 29, 29, 60, 366, 9, 52, 3, 0, 0], "M"),
    ("2023-02-28 23:59:59", [2023, 1, 2, 28, 28, 59, 365, 9, 52, 1, 23, 59], "M"),
    ("2024-12-30 12:30:00", [2024, 4, 12, 30, 31, 365, 366, 1, 52, 0, 12, 30], ""),
    ("2024-12-31 00:00:00", [2024, 4, 12, 31, 31, 366, 366, 1, 52, 1, 0, 0], "MQY"),
    ("2025-01-01 00:00:00", [2025, 1, 1, 1, 31, 1, 365, 1, 52, 2, 0, 0], "mqy"),
    ("2021-01-03 05:06:07", [2021, 1, 1, 3, 31, 3, 365, 53, 53, 6, 5, 6], "W"),
    ("2020-12-31 00:00:00", [2020, 4, 12, 31, 31, 366, 366, 53, 53, 3, 0, 0], "MQY"),
    ("2016-01-01 00:00:00", [2016, 1, 1, 1, 31, 1, 366, 53, 53, 4, 0, 0], "mqy"),
    ("2015-12-28 00:00:00", [2015, 4, 12, 28, 31, 362, 365, 53, 53, 0, 0, 0], ""),
    ("1900-03-01 00:00:00", [1900, 1, 3, 1, 31, 60, 365, 9, 52, 3, 0, 0], "m"),
    ("2000-02-29 00:00:00", [2000, 1, 2, 29, 29, 60, 366, 9, 52, 1, 0, 0], "M"),
    ("2026-03-31 00:00:00", [2026, 1, 3, 31, 31, 90, 365, 14, 53, 1, 0, 0], "MQ"),
    ("2026-04-01 00:00:00", [2026, 2, 4, 1, 30, 91, 365, 14, 53, 2, 0, 0], "mq"),
    ("2026-06-30 00:00:00", [2026, 2, 6, 30, 30, 181, 365, 27, 53, 1, 0, 0], "MQ"),
    ("2026-09-30 23:00:00", [2026, 3, 9, 30, 30, 273, 365, 40, 53, 2, 23, 0], "MQ"),
    ("2026-10-01 00:00:00", [2026, 4, 10, 1, 31, 274, 365, 40, 53, 3, 0, 0], "mq"),
    ("1969-12-31 23:59:00", [1969, 4, 12, 31, 31, 365, 365, 1, 53, 2, 23, 59], "MQY"),
    ("1970-01-01 00:00:00", [1970, 1, 1, 1, 31, 1, 365, 1, 53, 3, 0, 0], "mqy"),
    ("0001-01-01 00:00:00", [1, 1, 1, 1, 31, 1, 365, 1, 52, 0, 0, 0], "mqy"),
    ("9998-12-31 00:00:00", [9998, 4, 12, 31, 31, 365, 365, 53, 53, 3, 0, 0], "MQY"),
    ("2026-11-22 00:16:00", [2026, 4, 11, 22, 30, 326, 365, 47, 53, 6, 0, 16], "W"),
    ("2010-01-03 00:00:00", [2010, 1, 1, 3, 31, 3, 365, 53, 53, 6, 0, 0], "W"),
    ("2032-12-31 00:00:00", [2032, 4, 12, 31, 31, 366, 366, 53, 53, 4, 0, 0], "MQY"),
];

fn time_of(text: &str) -> CivilTime {
    CivilTime::of(parse_timestamp(text.as_bytes()).expect("a stamp").micros)
}

#[test]
fn calendar_and_clock_are_those_of_the_gregorian_calendar_and_iso_8601() {
    for (text, numbers, flags) in VECTORS {
        let time = time_of(text);
        let found = [
            time.quarter,
            time.month,
            time.day,
            time.days_in_month,
            time.day_of_year,
            time.days_in_year,
            time.week,
            time.weeks_in_year,
            time.weekday,
            time.hour,
            time.minute,
        ];
        assert_eq!(time.year, numbers[0], "{text}");
        assert_eq!(found.map(i64::from), numbers[1..], "{text}");
        let is = [
            ('W', time.is_weekend()),
            ('m', time.is_month_start()),
            ('M', time.is_month_end()),
            ('q', time.is_quarter_start()),
            ('Q', time.is_quarter_end()),
            ('y', time.is_year_start()),
            ('Y', time.is_year_end()),
        ];
        let found: String = is.iter().filter(|(_, holds)| *holds).map(|(letter, _)| *letter).collect();
        assert_eq!(found, flags, "{text}");
    }
}

#[test]
fn every_year_has_as_many_weeks_as_its_last_thursday_says() {
    for year in 1..=2_400 {
        // 28 December is always in the last week of its own year.
        let last = time_of(&format!("{year:04}-12-28"));
        assert_eq!(last.week, last.weeks_in_year, "{year}");
        assert!(last.week == 52 || last.week == 53, "{year}");
    }
}
