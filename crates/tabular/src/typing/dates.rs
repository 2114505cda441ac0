//! Dates whose day or month comes first.
//!
//! `31/12/2026` and `12/31/2026` cannot be told apart one by one, so the whole column decides. Where it does not, because no day is
//! beyond the 12th, dates with strokes have the month first, and all others the day.

use tabcast_calendar::parse_timestamp;
use tabcast_table::{Frame, FrameColumn};

use super::{ColumnDecision, Role, reading};

/// Share of the texts that have to be dates.
const MOST: f64 = 0.95;

/// Which part of a date comes first; the year comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Day,
    Month,
}

impl Order {
    /// The order in which nearly all of these texts are dates.
    pub(super) fn of<'a>(texts: &(impl Iterator<Item = &'a str> + Clone)) -> Option<Order> {
        let is_most = |order: Order| {
            let (mut count, mut others) = (0_usize, 0_usize);
            for text in texts.clone() {
                count += 1;
                others += usize::from(order.iso(text).is_none());
                // A column of other texts is decided by a few of them.
                if others > 20 && others * 2 > count {
                    return false;
                }
            }
            count > 1 && (count - others) as f64 >= MOST * count as f64
        };
        match [Order::Day, Order::Month].map(is_most) {
            [false, false] => None,
            [false, true] => Some(Order::Month),
            [true, true] if texts.clone().any(|text| text.contains('/')) => Some(Order::Month),
            [true, _] => Some(Order::Day),
        }
    }

    /// What comes first, in words.
    pub(super) fn name(self) -> &'static str {
        match self {
            Order::Day => "day",
            Order::Month => "month",
        }
    }

    /// The same date as ISO 8601 has it, with its time of day.
    pub(super) fn iso(self, text: &str) -> Option<String> {
        let (date, time) = text.split_once(' ').unwrap_or((text, ""));
        let separator = date.chars().find(|letter| !letter.is_ascii_digit())?;
        let mut parts = matches!(separator, '/' | '.' | '-').then(|| date.split(separator))?;
        let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
        let is_short =
            |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        if parts.next().is_some() || !is_short(first) || !is_short(second) || year.len() != 4 {
            return None;
        }
        let (day, month) = if self == Order::Day { (first, second) } else { (second, first) };
        let time = time_of_day(time)?;
        let iso = format!("{year}-{month:0>2}-{day:0>2}{time}");
        parse_timestamp(iso.as_bytes()).map(|_| iso)
    }
}

/// A time of day as ISO 8601 has it, with a blank before; nothing for none.
fn time_of_day(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(String::new());
    }
    let lower = text.to_ascii_lowercase();
    let (clock, noon) = match (lower.strip_suffix("am"), lower.strip_suffix("pm")) {
        (Some(clock), _) => (clock.trim(), Some(0)),
        (_, Some(clock)) => (clock.trim(), Some(12)),
        _ => (lower.trim(), None),
    };
    let (hour, rest) = clock.split_once(':')?;
    let hour: u32 = hour.parse().ok()?;
    let hour = match noon {
        Some(noon) if (1..=12).contains(&hour) => hour % 12 + noon,
        Some(_) => return None,
        None => hour,
    };
    Some(format!(" {hour:02}:{rest}"))
}

/// Rewrites the columns that were taken for dates to ISO 8601 where they have the day or the month first, so that whatever comes
/// after reads one form alone. Other cells of these columns stay as they are.
pub fn iso_dates(frame: &mut Frame, decisions: &[ColumnDecision]) {
    for (column, decision) in frame.columns.iter_mut().zip(decisions) {
        if let (FrameColumn::Texts(column), Role::Date) = (column, decision.role)
            && let Some(order) = Order::of(&column.texts.iter().map(|text| &**text))
        {
            for text in &mut column.texts {
                if let Some(iso) = order.iso(text).filter(|_| reading::date(text).is_none()) {
                    *text = iso.into();
                }
            }
        }
    }
}
