//! Dates with the day or the month first.
//!
//! Single dates such as `03/04/2026` are ambiguous, so the whole column decides. If it cannot, because no day is beyond
//! the 12th, dates with slashes have the month first, all others the day.

use tabcast_calendar::{DateOrder, write_pandas};
use tabcast_table::{Frame, FrameColumn};

use super::{ColumnDecision, Role};

/// Minimum share of dates among the texts.
const MOST: f64 = 0.95;

/// The order in which nearly all of these texts are dates.
pub(super) fn order_of<'a>(texts: &(impl Iterator<Item = &'a str> + Clone)) -> Option<DateOrder> {
    let is_most = |order: DateOrder| {
        let (mut count, mut others) = (0_usize, 0_usize);
        for text in texts.clone() {
            count += 1;
            others += usize::from(order.parse(text.as_bytes()).is_none());
            // A few texts are enough to reject a column of other texts.
            if others > 20 && others * 2 > count {
                return false;
            }
        }
        count > 1 && (count - others) as f64 >= MOST * count as f64
    };
    match DateOrder::ALL.map(is_most) {
        [false, false] => None,
        [false, true] => Some(DateOrder::MonthFirst),
        [true, true] if texts.clone().any(|text| text.contains('/')) => Some(DateOrder::MonthFirst),
        [true, _] => Some(DateOrder::DayFirst),
    }
}

/// The date in ISO 8601, with its time of day if it has one.
fn iso(order: DateOrder, text: &str) -> Option<String> {
    let stamp = order.parse(text.as_bytes())?;
    let mut iso = Vec::new();
    write_pandas(stamp.micros, &mut iso);
    let iso = String::from_utf8_lossy(&iso).into_owned();
    let end = if text.contains(':') { ":00" } else { " 00:00:00" };
    Some(iso.strip_suffix(end).map_or(iso.clone(), str::to_owned))
}

/// Rewrites date columns with the day or the month first to ISO 8601, so that everything later reads a single format.
/// Other cells of these columns stay unchanged.
pub fn iso_dates(frame: &mut Frame, decisions: &[ColumnDecision]) {
    for (column, decision) in frame.columns.iter_mut().zip(decisions) {
        if let (FrameColumn::Texts(column), Role::Date) = (column, decision.role)
            && let Some(order) = order_of(&column.texts.iter().map(|text| &**text))
        {
            for text in &mut column.texts {
                if let Some(iso) = iso(order, text) {
                    *text = iso.into();
                }
            }
        }
    }
}
