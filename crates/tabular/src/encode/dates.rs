//! Encodes dates as numbers.

use std::f64::consts::TAU;

use tabcast_calendar::{CivilTime, Micros, parse_timestamp};
use tabcast_table::{Frame, FrameColumn};

use crate::typing::date;

const DAY: f64 = 86_400e6;

/// The instants of a column; None if a cell is empty or no date.
pub(crate) fn stamps(frame: &Frame, column: usize, rows: &[u32]) -> Vec<Option<Micros>> {
    match &frame.columns[column] {
        FrameColumn::Texts(texts) => rows.iter().map(|&row| date(texts.get(row as usize)?)).collect(),
        FrameColumn::Numbers(numbers) => {
            // Parses `YYYYMMDD` like a text.
            let of = |value: f64| parse_timestamp(value.to_string().as_bytes()).map(|stamp| stamp.micros);
            rows.iter().map(|&row| of(numbers[row as usize])).collect()
        }
    }
}

/// A numeric part of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatePart {
    Year,
    Month,
    Day,
    Weekday,
    /// Including minutes, as a fraction.
    Hour,
    MonthEnd,
    /// Days since the first fitted date, with a fraction.
    Age,
    /// Position in the year, in the week or in the day as points on a circle, for models that measure distances.
    Circle {
        cycle: Cycle,
        sine: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cycle {
    Year,
    Week,
    Day,
}

impl DatePart {
    /// All parts; those on circles come last.
    pub(crate) const ALL: [Self; 13] = [
        Self::Year,
        Self::Month,
        Self::Day,
        Self::Weekday,
        Self::Hour,
        Self::MonthEnd,
        Self::Age,
        Self::Circle { cycle: Cycle::Year, sine: true },
        Self::Circle { cycle: Cycle::Year, sine: false },
        Self::Circle { cycle: Cycle::Week, sine: true },
        Self::Circle { cycle: Cycle::Week, sine: false },
        Self::Circle { cycle: Cycle::Day, sine: true },
        Self::Circle { cycle: Cycle::Day, sine: false },
    ];

    /// Its suffix after the name of the column.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Month => "month",
            Self::Day => "day",
            Self::Weekday => "weekday",
            Self::Hour => "hour",
            Self::MonthEnd => "month end",
            Self::Age => "days",
            Self::Circle { cycle: Cycle::Year, sine: true } => "sine of the year",
            Self::Circle { cycle: Cycle::Year, sine: false } => "cosine of the year",
            Self::Circle { cycle: Cycle::Week, sine: true } => "sine of the week",
            Self::Circle { cycle: Cycle::Week, sine: false } => "cosine of the week",
            Self::Circle { cycle: Cycle::Day, sine: true } => "sine of the day",
            Self::Circle { cycle: Cycle::Day, sine: false } => "cosine of the day",
        }
    }

    /// Its value at an instant, if the fitted rows begin at `origin`.
    pub(crate) fn of(self, stamp: Micros, origin: Micros) -> f64 {
        let time = CivilTime::of(stamp);
        let hour = f64::from(time.hour) + f64::from(time.minute) / 60.0;
        match self {
            Self::Year => time.year as f64,
            Self::Month => f64::from(time.month),
            Self::Day => f64::from(time.day),
            Self::Weekday => f64::from(time.weekday),
            Self::Hour => hour,
            Self::MonthEnd => f64::from(u8::from(time.is_month_end())),
            Self::Age => days_between(origin, stamp),
            Self::Circle { cycle, sine } => {
                let share = match cycle {
                    Cycle::Year => f64::from(time.day_of_year - 1) / f64::from(time.days_in_year),
                    Cycle::Week => f64::from(time.weekday) / 7.0,
                    Cycle::Day => hour / 24.0,
                };
                let (of_sine, of_cosine) = (TAU * share).sin_cos();
                if sine { of_sine } else { of_cosine }
            }
        }
    }
}

/// Days between two instants, with a fraction.
pub(crate) fn days_between(from: Micros, to: Micros) -> f64 {
    (to - from) as f64 / DAY
}
