//! A cursor for parsing a text from its beginning.

use crate::{HOUR, MINUTE, Micros, SECOND};

/// The remaining text.
pub(crate) struct Cursor<'a>(pub(crate) &'a [u8]);

impl Cursor<'_> {
    /// The next byte, if it is one of these.
    #[inline]
    pub(crate) fn one_of(&mut self, accepted: &[u8]) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        accepted.contains(&first).then(|| {
            self.0 = rest;
            first
        })
    }

    /// Up to `most` digits; `None` if there are fewer than `least`.
    #[inline]
    pub(crate) fn digits(&mut self, least: usize, most: usize) -> Option<i64> {
        let count = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        if count < least {
            return None;
        }
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        Some(digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
    }

    /// `hh`, `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fraction`.
    #[inline]
    pub(crate) fn time(&mut self) -> Option<Micros> {
        let hour = self.digits(2, 2)?;
        let minute = if self.one_of(b":").is_some() { self.digits(2, 2)? } else { 0 };
        self.seconds(hour, minute)
    }

    /// `:ss` or `:ss.fraction`, if present, after an hour and a minute.
    #[inline]
    fn seconds(&mut self, hour: i64, minute: i64) -> Option<Micros> {
        let second = if self.one_of(b":").is_some() { self.digits(2, 2)? } else { 0 };
        let mut micros = 0;
        if self.one_of(b".,").is_some() {
            let before = self.0.len();
            micros = self.digits(1, 6)?;
            micros *= 10_i64.pow(6 - (before - self.0.len()) as u32);
            while self.digits(1, 18).is_some() {}
        }
        (hour <= 23 && minute <= 59 && second <= 59)
            .then_some(hour * HOUR + minute * MINUTE + second * SECOND + micros)
    }

    /// What may follow a date in everyday notation: nothing, or `9:30`, `09:30:05.5`, `3:15 PM`, with or without an
    /// offset. Returns the time since the start of the day, and the offset.
    pub(crate) fn clock(&mut self) -> Option<(Micros, Option<i32>)> {
        if self.0.is_empty() {
            return Some((0, None));
        }
        if self.one_of(b",").is_some() {
            self.one_of(b" ")?;
        } else {
            self.one_of(b"Tt ")?;
        }
        let hour = self.digits(1, 2)?;
        self.one_of(b":")?;
        let minute = self.digits(2, 2)?;
        let time = self.seconds(hour, minute)?;
        if let [b' ', noon, b'm' | b'M'] | [noon, b'm' | b'M'] = self.0 {
            let afternoon = match noon {
                b'a' | b'A' => 0,
                b'p' | b'P' => 12 * HOUR,
                _ => return None,
            };
            let morning = if hour == 12 { time - 12 * HOUR } else { time };
            self.0 = &[];
            return (1..=12).contains(&hour).then_some((morning + afternoon, None));
        }
        let offset = if self.0.is_empty() { None } else { Some(self.offset()?) };
        self.0.is_empty().then_some((time, offset))
    }

    /// `Z`, ` UTC`, `±hh`, `±hhmm` or `±hh:mm`, the last three optionally after a blank: seconds east of UTC.
    #[inline]
    pub(crate) fn offset(&mut self) -> Option<i32> {
        if matches!(self.0, b"Z" | b"z" | b" UTC") {
            self.0 = &[];
            return Some(0);
        }
        self.one_of(b" ");
        let sign = if self.one_of(b"+-")? == b'-' { -1 } else { 1 };
        let hours = self.digits(2, 2)?;
        let minutes = if self.one_of(b":").is_some() || !self.0.is_empty() { self.digits(2, 2)? } else { 0 };
        (hours <= 23 && minutes <= 59).then_some(sign * (hours * 3600 + minutes * 60) as i32)
    }
}
