//! The time span that a text names: an instant, or a whole day, week, month, quarter or year.

use tabcast_calendar::{Frequency, Micros, Periods, parse_timestamp};

const WEEK: Micros = 7 * 86_400_000_000;

/// From the first instant to the one after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: Micros,
    pub(crate) end: Micros,
}

impl Span {
    /// A date without a time of day is the whole day, `2024-03` the month, `2024` the year; weeks, quarters and named
    /// months are whole spans, too.
    pub(crate) fn parse(text: &str) -> Option<Span> {
        let text = text.trim();
        let start = parse_timestamp(text.as_bytes())?.micros;
        let numbers =
            text.split(|mark: char| !mark.is_ascii_digit()).filter(|digits| !digits.is_empty()).count();
        let letters: String = text.chars().filter(char::is_ascii_alphabetic).collect();
        let letters = letters.to_ascii_lowercase();
        let is_whole = text.bytes().all(|byte| byte.is_ascii_digit());
        let is_name = letters.len() > 2 && !letters.ends_with("utc");
        let length = match (text.len(), letters.as_str()) {
            (4, "") if is_whole => "YS",
            (8, "") if is_whole => "D",
            _ if is_whole || text.contains(':') => return Some(Span { start, end: start + 1 }),
            (_, "q") => "QS",
            (_, "w") if numbers == 2 => return Some(Span { start, end: start + WEEK }),
            _ if is_name && numbers == 1 => "MS",
            (_, letters)
                if !is_name && letters != "w" && (letters.starts_with('t') || text.contains(' ')) =>
            {
                return Some(Span { start, end: start + 1 });
            }
            _ if numbers == 2 && !is_name => "MS",
            _ => "D",
        };
        let periods = Periods::new(Frequency::parse(length).ok()?, start);
        Some(Span { start, end: periods.start(periods.index(start) + 1) })
    }
}
