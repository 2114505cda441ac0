//! What the stamps of the time column of a panel leave open: the order of dates whose year comes last, and what is
//! finer than a microsecond.
//!
//! `03/04/2026` cannot be told apart alone. So a column whose first value is such a date is read once to see what its
//! dates say, and once more in the order that they have; a column that begins with anything else is read once, and
//! such a date is a wrong cell there.

use tabcast_calendar::{DateOrder, DateOrders, Decision, parse_timestamp};

use crate::frequency::COARSER;
use crate::{ContentError, Kind, Warning, shorten};

/// What was met of them while their order was not known.
#[derive(Debug, Default)]
pub(crate) struct Dates {
    orders: DateOrders,
    count: u64,
    /// The row of the first one, from 0.
    first: Option<u64>,
    /// Cells without a value before it.
    empty: u64,
    /// Whether the column has dates that are no texts.
    is_typed: bool,
    finer: Option<Finer>,
}

/// Stamps that are finer than a microsecond, which is all that is kept of them.
#[derive(Debug)]
struct Finer {
    count: u64,
    /// The row of the first one, from 0.
    row: u64,
    cell: String,
}

impl Dates {
    /// Looks at a cell that is no stamp; rows must come in ascending order.
    pub(crate) fn note(&mut self, row: u64, cell: &[u8]) {
        if self.orders.note(cell) {
            self.count += 1;
            self.first.get_or_insert(row);
        } else if self.first.is_none() && cell.trim_ascii().is_empty() {
            self.empty += 1;
        }
    }

    /// Tells of a cell that is a date by its type. A spreadsheet that took some days for months has such cells beside
    /// texts, so no order of the texts would be the right one for all.
    pub(crate) fn note_typed(&mut self) {
        self.is_typed = true;
    }

    /// Tells of a stamp that is finer than a microsecond.
    #[cold]
    pub(crate) fn note_finer(&mut self, row: u64, cell: &[u8]) {
        if let Some(finer) = &mut self.finer {
            finer.count += 1;
        } else {
            let cell = shorten(&String::from_utf8_lossy(cell)).into_owned();
            self.finer = Some(Finer { count: 1, row, cell });
        }
    }

    /// Adds what was met in rows that come after all rows so far; `before` is how many rows lie before theirs.
    pub(crate) fn append(&mut self, later: Dates, before: u64) {
        if self.first.is_none() {
            self.empty += later.empty;
            self.first = later.first.map(|row| row + before);
        }
        self.count += later.count;
        self.is_typed |= later.is_typed;
        self.finer = match (self.finer.take(), later.finer) {
            (Some(first), Some(more)) => Some(Finer { count: first.count + more.count, ..first }),
            (None, Some(more)) => Some(Finer { row: more.row + before, ..more }),
            (first, None) => first,
        };
        self.orders.append(later.orders);
    }

    /// Takes over what a read that knew the order has met of stamps that are finer than a microsecond.
    pub(crate) fn take_finer(&mut self, other: Dates) {
        self.finer = other.finer;
    }

    /// The order, where the first cell with a value is such a date.
    pub(crate) fn decide(&self) -> Decision {
        let begins = self.first == Some(self.empty) && !self.is_typed;
        if begins { self.orders.decide() } else { Decision::NotNeeded }
    }

    /// How the dates of a panel were read, or that they could not be.
    pub(crate) fn finish(self, column: &str) -> DateReading {
        let (warning, ambiguous) = match self.decide() {
            Decision::NotNeeded => (None, None),
            Decision::Order(order) => (self.warning(order), None),
            Decision::Ambiguous => (None, Some(self.ambiguous(column))),
        };
        DateReading { warning, ambiguous, finer: self.finer }
    }

    /// The error for dates that could be read both ways.
    pub(crate) fn ambiguous(&self, column: &str) -> ContentError {
        ambiguous_dates(&self.orders, column).count(self.count)
    }

    /// The warning that the dates were read in this order, unless they are the same days in the other one.
    fn warning(&self, order: DateOrder) -> Option<Warning> {
        let example = shorten(self.orders.example()?);
        Some(Warning {
            code: match order {
                DateOrder::DayFirst => "dates_day_first",
                DateOrder::MonthFirst => "dates_month_first",
            },
            message: format!("Dates such as {example} were read with the {} first.", order.first()),
            count: self.count,
        })
    }
}

/// How the dates of a time column were read.
#[derive(Debug, Default)]
pub(crate) struct DateReading {
    /// That they were read in the order that the column tells.
    pub(crate) warning: Option<Warning>,
    /// That it tells none, so that each of them is a wrong cell.
    ambiguous: Option<ContentError>,
    finer: Option<Finer>,
}

impl DateReading {
    /// What to tell about wrong cells and equal stamps, `error` being what is told of them without regard to any
    /// order, nor to what was not kept of the stamps.
    pub(crate) fn explain(&self, error: ContentError) -> ContentError {
        match (error.code, &self.ambiguous, &self.finer) {
            ("unparseable_timestamp", Some(ambiguous), _) => ambiguous.clone(),
            ("duplicate_rows", _, Some(finer)) => finer.explain(error),
            _ => error,
        }
    }
}

impl Finer {
    /// Equal stamps may well be different ones, of which too little is kept.
    fn explain(&self, error: ContentError) -> ContentError {
        let (first, rest) = error.message.split_at(error.message.chars().next().map_or(0, char::len_utf8));
        let message = format!(
            "{} {} finer than a microsecond, and nothing finer is kept; the first is '{}' in data row {}. To the \
                microsecond, {}{rest}",
            self.count,
            if self.count == 1 { "timestamp is" } else { "timestamps are" },
            self.cell,
            self.row + 1,
            first.to_lowercase()
        );
        let suggestion = Some(COARSER.to_owned());
        ContentError { code: "timestamps_too_fine", message, suggestion, ..error }.row(self.row + 1)
    }
}

/// The error for a column of dates that could be read both ways.
pub(crate) fn ambiguous_dates(orders: &DateOrders, column: &str) -> ContentError {
    let example = orders.example().unwrap_or_default();
    let [day_first, month_first] = DateOrder::ALL.map(|order| day(example, order));
    let message = format!(
        "The dates of column '{}' can be read with the day or with the month first: '{}' is {day_first} or \
            {month_first}, and no date of the column tells which",
        shorten(column),
        shorten(example)
    );
    ContentError::new("ambiguous_dates", Kind::Content, message)
        .column(column)
        .suggestion(format!("Write dates with the year first, as in {day_first}."))
}

/// The day that a date is in this order, as `YYYY-MM-DD`.
fn day(date: &str, order: DateOrder) -> String {
    let mut text = Vec::new();
    if let Some(stamp) = order.parse(date.as_bytes()) {
        // As it is written, whatever its offset.
        let local = stamp.micros + i64::from(stamp.offset_seconds.unwrap_or(0)) * 1_000_000;
        tabcast_calendar::write_pandas(local, &mut text);
    }
    text.truncate(10);
    String::from_utf8_lossy(&text).into_owned()
}

/// Whether a text says when, be it in an order that only its column tells.
pub(crate) fn is_time(text: &[u8]) -> bool {
    parse_timestamp(text).is_some() || DateOrder::is_needed(text)
}
