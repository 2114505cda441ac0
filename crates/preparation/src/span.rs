//! The time that a text names: an instant, or a whole day, month or year.

use tabcast_calendar::{Frequency, Micros, Periods, parse_timestamp};

/// From the first instant to the one behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: Micros,
    pub(crate) end: Micros,
}

impl Span {
    /// A date without a time of the day is the whole day, `2024-03` the month and `2024` the year.
    pub(crate) fn parse(text: &str) -> Option<Span> {
        let text = text.trim();
        let start = parse_timestamp(text.as_bytes())?.micros;
        let parts = text.split(['-', '/']).count();
        let is_whole = text.bytes().all(|byte| byte.is_ascii_digit());
        let length = match text.len() {
            4 if is_whole => "YS",
            8 if is_whole => "D",
            _ if is_whole || text.contains([':', 'T', 't', ' ']) => {
                return Some(Span { start, end: start + 1 });
            }
            _ if parts == 2 => "MS",
            _ => "D",
        };
        let periods = Periods::new(Frequency::parse(length).ok()?, start);
        Some(Span { start, end: periods.start(periods.index(start) + 1) })
    }

    pub(crate) fn has(self, stamp: Micros) -> bool {
        self.start <= stamp && stamp < self.end
    }
}
