//! Ambiguities in the stamps of a panel's time column: the order of dates whose year comes last, and stamps finer than
//! a microsecond.
//!
//! A date such as `03/04/2026` is ambiguous by itself. If the first value of a column is such a date, the column is
//! read once to find the order of its dates, and again in that order. If it begins with anything else, it is read once,
//! and such a date is a wrong cell.

use tabcast_calendar::{DateOrder, DateOrders, Decision, parse_timestamp};

use crate::frequency::COARSER;
use crate::{ContentError, Kind, Warning, shorten};

/// What is known about the dates while their order is unknown.
#[derive(Debug, Default)]
pub(crate) struct Dates {
    orders: DateOrders,
    count: u64,
    /// The row of the first one, 0-based.
    first: Option<u64>,
    /// Number of empty cells before it.
    empty: u64,
    /// Whether the column has dates that are typed cells rather than texts.
    is_typed: bool,
    finer: Option<Finer>,
}

/// Stamps finer than a microsecond, which are truncated to it.
#[derive(Debug)]
struct Finer {
    count: u64,
    /// The row of the first one, 0-based.
    row: u64,
    cell: String,
}

impl Dates {
    /// Examines a cell that is no stamp; rows must come in ascending order.
    pub(crate) fn note(&mut self, row: u64, cell: &[u8]) {
        if self.orders.note(cell) {
            self.count += 1;
            self.first.get_or_insert(row);
        } else if self.first.is_none() && cell.trim_ascii().is_empty() {
            self.empty += 1;
        }
    }

    /// Notes a typed date cell. A spreadsheet that mistook some days for months has such cells beside texts, so no
    /// order of the texts would be right for all.
    pub(crate) fn note_typed(&mut self) {
        self.is_typed = true;
    }

    /// Notes a stamp finer than a microsecond.
    #[cold]
    pub(crate) fn note_finer(&mut self, row: u64, cell: &[u8]) {
        if let Some(finer) = &mut self.finer {
            finer.count += 1;
        } else {
            let cell = shorten(&String::from_utf8_lossy(cell)).into_owned();
            self.finer = Some(Finer { count: 1, row, cell });
        }
    }

    /// Adds the findings of rows that follow all rows so far; `before` is the number of rows before them.
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

    /// Takes over the too fine stamps from a read that knew the order.
    pub(crate) fn take_finer(&mut self, other: Dates) {
        self.finer = other.finer;
    }

    /// The order, if the first cell with a value is such a date.
    pub(crate) fn decide(&self) -> Decision {
        let begins = self.first == Some(self.empty) && !self.is_typed;
        if begins { self.orders.decide() } else { Decision::NotNeeded }
    }

    /// How the dates of a panel were read, or that they were ambiguous.
    pub(crate) fn finish(self, column: &str) -> DateReading {
        let (warning, ambiguous) = match self.decide() {
            Decision::NotNeeded => (None, None),
            Decision::Order(order) => (self.warning(order), None),
            Decision::Ambiguous => (None, Some(self.ambiguous(column))),
        };
        DateReading { warning, ambiguous, finer: self.finer }
    }

    /// The error for ambiguous dates.
    pub(crate) fn ambiguous(&self, column: &str) -> ContentError {
        ambiguous_dates(&self.orders, column).count(self.count)
    }

    /// A warning that the dates were read in this order, unless they mean the same days in the other one.
    fn warning(&self, order: DateOrder) -> Option<Warning> {
        let example = shorten(self.orders.example()?);
        Some(Warning {
            code: match order {
                DateOrder::DayFirst => "dates_day_first".into(),
                DateOrder::MonthFirst => "dates_month_first".into(),
            },
            message: format!("Dates such as {example} were read with the {} first.", order.first()),
            count: self.count,
        })
    }
}

/// How the dates of a time column were read.
#[derive(Debug, Default)]
pub(crate) struct DateReading {
    /// Set if they were read in the order that the column shows.
    pub(crate) warning: Option<Warning>,
    /// Set if the order is ambiguous, so that each such date is a wrong cell.
    ambiguous: Option<ContentError>,
    finer: Option<Finer>,
}

impl DateReading {
    /// The error to report for wrong cells and equal stamps. `error` is what would be reported regardless of date
    /// orders and truncated stamps.
    pub(crate) fn explain(&self, error: ContentError) -> ContentError {
        match (error.code, &self.ambiguous, &self.finer) {
            ("unparseable_timestamp", Some(ambiguous), _) => ambiguous.clone(),
            ("duplicate_rows", _, Some(finer)) => finer.explain(error),
            _ => error,
        }
    }
}

impl Finer {
    /// Equal stamps may differ in the digits that were dropped.
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

/// The error for a column of ambiguous dates.
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

/// The day of a date in this order, as `YYYY-MM-DD`.
fn day(date: &str, order: DateOrder) -> String {
    let mut text = Vec::new();
    if let Some(stamp) = order.parse(date.as_bytes()) {
        // Local time as written, whatever the offset.
        let local = stamp.micros + i64::from(stamp.offset_seconds.unwrap_or(0)) * 1_000_000;
        tabcast_calendar::write_pandas(local, &mut text);
    }
    text.truncate(10);
    String::from_utf8_lossy(&text).into_owned()
}

/// Whether a text is a time, even if its order depends on its column.
pub(crate) fn is_time(text: &[u8]) -> bool {
    parse_timestamp(text).is_some() || DateOrder::is_needed(text)
}
