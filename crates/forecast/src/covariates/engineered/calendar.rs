//! The calendar part of a row.

use std::f64::consts::TAU;

use tabcast_calendar::{CivilTime, Edge, Frequency, Micros, Unit};

use super::Recipe;

/// A number from the calendar or the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Year,
    Quarter,
    Month,
    WeekOfYear,
    DayOfYear,
    DayOfMonth,
    DayOfWeek,
    Hour,
    Minute,
}

/// A yes-or-no property of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    Weekend,
    MonthStart,
    MonthEnd,
    QuarterStart,
    QuarterEnd,
    YearStart,
    YearEnd,
}

/// One feature of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CalendarFeature {
    Number(Field),
    Sine(Field),
    Cosine(Field),
    Flag(Flag),
}

/// Writes the calendar features of a stamp, [`Recipe::calendar_width`] of them: year, quarter, month, week of year (ISO
/// 8601), day of year, day of month, day of week (0 is Monday), hour, minute; their sines and cosines, over the period
/// that contains the stamp (a month of 28 to 31 days, a year of 52 or 53 weeks); 1 or 0 for the flags. Only features
/// that vary at the frequency are written.
pub(crate) fn write_calendar(recipe: &Recipe, frequency: Frequency, stamp: Micros, out: &mut [f64]) {
    if out.is_empty() {
        return;
    }
    let time = CivilTime::of(stamp);
    for (feature, out) in calendar_features(recipe, frequency).zip(out) {
        *out = feature.value(&time);
    }
}

/// The features of the calendar, in order.
pub(super) fn calendar_features(
    recipe: &Recipe,
    frequency: Frequency,
) -> impl Iterator<Item = CalendarFeature> + use<> {
    let unit = frequency.unit();
    let fields = fields(unit);
    let numbers = if recipe.time { fields } else { &[] };
    // The year has no period.
    let periodic = if recipe.cyclical { &fields[1..] } else { &[] };
    let flags = if recipe.flags { flags(unit) } else { &[] };
    let circles =
        periodic.iter().flat_map(|&field| [CalendarFeature::Sine(field), CalendarFeature::Cosine(field)]);
    let numbers = numbers.iter().copied().map(CalendarFeature::Number);
    numbers.chain(circles).chain(flags.iter().copied().map(CalendarFeature::Flag))
}

/// Fields that vary from stamp to stamp.
fn fields(unit: Unit) -> &'static [Field] {
    const FIELDS: [Field; 9] = [
        Field::Year,
        Field::Quarter,
        Field::Month,
        Field::WeekOfYear,
        Field::DayOfYear,
        Field::DayOfMonth,
        Field::DayOfWeek,
        Field::Hour,
        Field::Minute,
    ];
    match unit {
        Unit::Year(..) => &FIELDS[..1],
        Unit::Quarter(..) => &FIELDS[..2],
        Unit::Month(_) => &FIELDS[..3],
        Unit::Week(_) => &FIELDS[..6],
        Unit::Day | Unit::BusinessDay => &FIELDS[..7],
        Unit::Hour => &FIELDS[..8],
        Unit::Minute | Unit::Second => &FIELDS,
    }
}

/// Flags that vary from stamp to stamp. Monthly stamps always lie at the same edge of the month, so only that edge of a
/// quarter or year can occur.
fn flags(unit: Unit) -> &'static [Flag] {
    const DAYS: [Flag; 7] = [
        Flag::Weekend,
        Flag::MonthStart,
        Flag::MonthEnd,
        Flag::QuarterStart,
        Flag::QuarterEnd,
        Flag::YearStart,
        Flag::YearEnd,
    ];
    match unit {
        Unit::Year(..) => &[],
        Unit::Quarter(Edge::Start, _) => &[Flag::YearStart],
        Unit::Quarter(Edge::End, _) => &[Flag::YearEnd],
        Unit::Month(Edge::Start) => &[Flag::QuarterStart, Flag::YearStart],
        Unit::Month(Edge::End) => &[Flag::QuarterEnd, Flag::YearEnd],
        Unit::Week(_) | Unit::BusinessDay => &DAYS[1..],
        _ => &DAYS,
    }
}

impl CalendarFeature {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Number(field) => field.names()[0],
            Self::Sine(field) => field.names()[1],
            Self::Cosine(field) => field.names()[2],
            Self::Flag(flag) => flag.name(),
        }
    }

    fn value(self, time: &CivilTime) -> f64 {
        match self {
            Self::Number(field) => field.value(time),
            Self::Sine(field) => field.angle(time).sin(),
            Self::Cosine(field) => field.angle(time).cos(),
            Self::Flag(flag) => f64::from(u8::from(flag.holds(time))),
        }
    }
}

impl Field {
    /// Names of the number, its sine and its cosine.
    fn names(self) -> [&'static str; 3] {
        match self {
            Self::Year => ["year", "year_sin", "year_cos"],
            Self::Quarter => ["quarter", "quarter_sin", "quarter_cos"],
            Self::Month => ["month", "month_sin", "month_cos"],
            Self::WeekOfYear => ["week_of_year", "week_of_year_sin", "week_of_year_cos"],
            Self::DayOfYear => ["day_of_year", "day_of_year_sin", "day_of_year_cos"],
            Self::DayOfMonth => ["day_of_month", "day_of_month_sin", "day_of_month_cos"],
            Self::DayOfWeek => ["day_of_week", "day_of_week_sin", "day_of_week_cos"],
            Self::Hour => ["hour", "hour_sin", "hour_cos"],
            Self::Minute => ["minute", "minute_sin", "minute_cos"],
        }
    }

    fn value(self, time: &CivilTime) -> f64 {
        match self {
            Self::Year => time.year as f64,
            Self::Quarter => f64::from(time.quarter),
            Self::Month => f64::from(time.month),
            Self::WeekOfYear => f64::from(time.week),
            Self::DayOfYear => f64::from(time.day_of_year),
            Self::DayOfMonth => f64::from(time.day),
            Self::DayOfWeek => f64::from(time.weekday),
            Self::Hour => f64::from(time.hour),
            Self::Minute => f64::from(time.minute),
        }
    }

    /// The stamp's position in its period, as an angle.
    fn angle(self, time: &CivilTime) -> f64 {
        let (first, period) = match self {
            Self::Year => (0.0, 1.0),
            Self::Quarter => (1.0, 4.0),
            Self::Month => (1.0, 12.0),
            Self::WeekOfYear => (1.0, f64::from(time.weeks_in_year)),
            Self::DayOfYear => (1.0, f64::from(time.days_in_year)),
            Self::DayOfMonth => (1.0, f64::from(time.days_in_month)),
            Self::DayOfWeek => (0.0, 7.0),
            Self::Hour => (0.0, 24.0),
            Self::Minute => (0.0, 60.0),
        };
        TAU * (self.value(time) - first) / period
    }
}

impl Flag {
    fn name(self) -> &'static str {
        match self {
            Self::Weekend => "is_weekend",
            Self::MonthStart => "is_month_start",
            Self::MonthEnd => "is_month_end",
            Self::QuarterStart => "is_quarter_start",
            Self::QuarterEnd => "is_quarter_end",
            Self::YearStart => "is_year_start",
            Self::YearEnd => "is_year_end",
        }
    }

    fn holds(self, time: &CivilTime) -> bool {
        match self {
            Self::Weekend => time.is_weekend(),
            Self::MonthStart => time.is_month_start(),
            Self::MonthEnd => time.is_month_end(),
            Self::QuarterStart => time.is_quarter_start(),
            Self::QuarterEnd => time.is_quarter_end(),
            Self::YearStart => time.is_year_start(),
            Self::YearEnd => time.is_year_end(),
        }
    }
}
