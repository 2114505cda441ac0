//! Dates whose year comes last: `31/12/2026`, `12/31/2026`, `31.12.2026`.
//!
//! Single dates are ambiguous, so all dates of a column together decide which part comes first.

use crate::cursor::Cursor;
use crate::stamp::{Stamp, date_micros, in_range};
use crate::{Micros, SECOND};

/// The part of a date that comes first; the year comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// `31/12/2026`.
    DayFirst,
    /// `12/31/2026`.
    MonthFirst,
}

impl DateOrder {
    /// Both orders.
    pub const ALL: [DateOrder; 2] = [DateOrder::DayFirst, DateOrder::MonthFirst];

    /// The first part, as a word.
    pub fn first(self) -> &'static str {
        match self {
            DateOrder::DayFirst => "day",
            DateOrder::MonthFirst => "month",
        }
    }

    /// Parses a date whose year comes last, with slashes, full stops or hyphens as separators, optionally followed by a
    /// time of day: `31/12/2026 9:30`, `12/31/2026, 3:15:00 PM`. `None` for every other text, including stamps that
    /// need no order.
    pub fn parse(self, text: &[u8]) -> Option<Stamp> {
        YearLast::parse(text)?.read(self)
    }

    /// Whether a text is a date whose year comes last, in at least one order.
    pub fn is_needed(text: &[u8]) -> bool {
        YearLast::parse(text)
            .is_some_and(|date| DateOrder::ALL.iter().any(|order| date.read(*order).is_some()))
    }
}

/// The parts of such a date, which need not be an existing day.
struct YearLast {
    parts: [u32; 2],
    year: i64,
    time: Micros,
    offset_seconds: Option<i32>,
}

impl YearLast {
    fn parse(text: &[u8]) -> Option<YearLast> {
        let mut rest = Cursor(text.trim_ascii());
        let first = rest.digits(1, 2)?;
        let separator = rest.one_of(b"/.-")?;
        let second = rest.digits(1, 2)?;
        rest.one_of(&[separator])?;
        let year = rest.digits(4, 4)?;
        let (time, offset_seconds) = rest.clock()?;
        Some(YearLast { parts: [first as u32, second as u32], year, time, offset_seconds })
    }

    fn read(&self, order: DateOrder) -> Option<Stamp> {
        let [first, second] = self.parts;
        let (day, month) = if order == DateOrder::DayFirst { (first, second) } else { (second, first) };
        let offset = Micros::from(self.offset_seconds.unwrap_or(0)) * SECOND;
        let micros = date_micros(self.year, month, day)? + self.time - offset;
        in_range(Stamp { micros, offset_seconds: self.offset_seconds })
    }
}

/// What the dates of a column show about their order.
///
/// The outcome does not depend on the order of the dates, so parts of a column can be examined separately.
#[derive(Debug, Clone, Default)]
pub struct DateOrders {
    /// Number of dates that exist in only one order, by order.
    sure: [u64; 2],
    /// The first date that exists in only one order, by order.
    sure_example: [Option<Box<str>>; 2],
    /// For the other dates, which numbers from 1 to 12 occur as the first and as the second part, as bits.
    open: [u16; 2],
    /// The first of the other dates.
    first_open: Option<([u32; 2], i64)>,
    /// Whether there is a different one.
    several: bool,
    /// Whether any of them has a time of day.
    timed: bool,
    /// The first of them that is a different day in the other order.
    open_example: Option<Box<str>>,
}

/// The order in which to read dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// There is no date whose year comes last.
    NotNeeded,
    /// In this order.
    Order(DateOrder),
    /// Both orders are possible and give different days.
    Ambiguous,
}

impl DateOrders {
    /// Examines a cell; `false` if it is no date whose year comes last.
    pub fn note(&mut self, text: &[u8]) -> bool {
        let Some(date) = YearLast::parse(text) else { return false };
        let example = || Some(String::from_utf8_lossy(text.trim_ascii()).into());
        match DateOrder::ALL.map(|order| date.read(order).is_some()) {
            [false, false] => return false,
            [true, true] => {
                for (numbers, part) in self.open.iter_mut().zip(date.parts) {
                    *numbers |= 1 << part;
                }
                let day = (date.parts, date.year);
                self.several |= *self.first_open.get_or_insert(day) != day;
                self.timed |= date.time != 0;
                if self.open_example.is_none() && date.parts[0] != date.parts[1] {
                    self.open_example = example();
                }
            }
            [day_first, _] => {
                let order = usize::from(!day_first);
                self.sure[order] += 1;
                if self.sure_example[order].is_none() {
                    self.sure_example[order] = example();
                }
            }
        }
        true
    }

    /// Adds the cells that follow those so far.
    pub fn append(&mut self, later: DateOrders) {
        for order in 0..2 {
            self.sure[order] += later.sure[order];
            self.open[order] |= later.open[order];
        }
        self.several |= later.several;
        match (self.first_open, later.first_open) {
            (Some(known), Some(first)) => self.several |= known != first,
            (None, first) => self.first_open = first,
            (Some(_), None) => {}
        }
        self.timed |= later.timed;
        for (known, example) in self.sure_example.iter_mut().zip(later.sure_example) {
            *known = known.take().or(example);
        }
        self.open_example = self.open_example.take().or(later.open_example);
    }

    /// The order of the majority of the dates that exist in only one order. If there are none, but several dates
    /// without a time of day which are all the first of a month in exactly one order, that order.
    pub fn decide(&self) -> Decision {
        const ONES: u16 = 1 << 1;
        let [day_first, month_first] = self.sure;
        if day_first + month_first > 0 {
            let is_day_first = day_first >= month_first;
            return Decision::Order(if is_day_first { DateOrder::DayFirst } else { DateOrder::MonthFirst });
        }
        if self.first_open.is_none() {
            return Decision::NotNeeded;
        }
        if self.open_example.is_none() {
            // 01/01/2026 is the same day in both orders.
            return Decision::Order(DateOrder::DayFirst);
        }
        match self.open.map(|numbers| numbers == ONES) {
            [true, false] if self.several && !self.timed => Decision::Order(DateOrder::DayFirst),
            [false, true] if self.several && !self.timed => Decision::Order(DateOrder::MonthFirst),
            _ => Decision::Ambiguous,
        }
    }

    /// The first date that determines the order, or that would be a different day in the other order.
    pub fn example(&self) -> Option<&str> {
        let of_order = match self.decide() {
            Decision::Order(DateOrder::DayFirst) => self.sure_example[0].as_deref(),
            Decision::Order(DateOrder::MonthFirst) => self.sure_example[1].as_deref(),
            Decision::NotNeeded | Decision::Ambiguous => None,
        };
        of_order.or(self.open_example.as_deref())
    }
}
