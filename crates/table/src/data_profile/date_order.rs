//! Finds the order of the dates in the time column from all its rows.

use std::sync::{Mutex, PoisonError};

use tabcast_calendar::DateOrders;

use super::places::find;
use crate::frame::{Stretch, TakeRows, take_rows};
use crate::{ReadError, ReadOptions};

/// The possible orders of a column's dates, if its first value is a date whose year comes last.
pub(super) fn find_orders(options: &ReadOptions, column: &str) -> Result<DateOrders, ReadError> {
    let taker = Taker { column, seen: Mutex::default() };
    take_rows(options, &taker)?;
    let mut seen = taker.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    seen.sort_unstable_by_key(|seen| seen.index);
    let mut orders = DateOrders::default();
    if seen.first().is_some_and(|seen| seen.begins) {
        for seen in seen {
            orders.append(seen.orders);
        }
    }
    Ok(orders)
}

/// A stretch with a value in the column.
struct Seen {
    index: u64,
    /// Whether the first value is a date whose year comes last.
    begins: bool,
    orders: DateOrders,
}

struct Taker<'a> {
    column: &'a str,
    seen: Mutex<Vec<Seen>>,
}

impl TakeRows for Taker<'_> {
    fn wants(&self, name: &str) -> bool {
        name == self.column
    }

    fn take(&self, stretch: &Stretch) {
        let Some(place) = find(stretch.names, self.column) else { return };
        let Some(first) = stretch.columns[place].iter().find(|cell| !cell.is_missing()) else { return };
        let texts = &stretch.texts[place];
        let begins = first.as_text().is_some_and(|text| DateOrders::default().note(texts.get(text)));
        let mut orders = DateOrders::default();
        for text in 0..texts.len() as u32 {
            orders.note(texts.get(text));
        }
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(Seen {
            index: stretch.index,
            begins,
            orders,
        });
    }
}
