//! Frequencies in pandas notation.

use std::fmt;

use crate::{Edge, Frequency, Unit};

const WEEKDAYS: [&str; 7] = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
/// Enough for a century of seconds, and no product of multiple and unit can overflow.
pub(crate) const MAX_MULTIPLE: u32 = 100_000;

/// A text that is not a frequency, with the reason as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrequencyError(pub String);

impl fmt::Display for FrequencyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for FrequencyError {}

impl Frequency {
    /// Parses a pandas alias, old or new style: `h`/`H`, `min`/`T`, `s`/`S`, `D`, `B`, `W[-MON]`, `ME`/`M`, `MS`,
    /// `QE`/`Q[-DEC]`, `QS[-JAN]`, `YE`/`Y`/`A[-DEC]`, `YS`/`AS[-JAN]`, each with a multiple before it (`15min`).
    ///
    /// # Errors
    /// If the text is not such an alias, or its unit is finer than a second.
    pub fn parse(text: &str) -> Result<Frequency, FrequencyError> {
        let wrong = |reason: &str| Err(FrequencyError(format!("'{text}' is not a frequency: {reason}")));
        let trimmed = text.trim();
        let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
        let multiple = if digits == 0 { 1 } else { trimmed[..digits].parse::<u32>().unwrap_or(u32::MAX) };
        if multiple == 0 || multiple > MAX_MULTIPLE {
            return wrong("the multiple must be between 1 and 100000");
        }
        let (name, anchor) = match trimmed[digits..].split_once('-') {
            Some((name, anchor)) => (name, Some(anchor.to_ascii_uppercase())),
            None => (&trimmed[digits..], None),
        };
        let Some(kind) = kind(name) else {
            return wrong(match name {
                "ms" | "L" | "l" | "us" | "U" | "u" | "N" | "ns" => {
                    "steps finer than a second are not supported"
                }
                "m" => "use 'min' for minutes and 'MS' or 'ME' for months",
                _ => "use h, min, s, D, B, W, MS, ME, QS, QE, YS or YE, with a multiple in front if need be",
            });
        };
        let names: &[&str] = match kind {
            Kind::Plain(unit) => {
                return match anchor {
                    None => Ok(Frequency::new(unit, multiple)),
                    Some(_) => wrong("only weeks, quarters and years have an anchor"),
                };
            }
            Kind::Week => &WEEKDAYS,
            Kind::Quarter(_) | Kind::Year(_) => &MONTHS,
        };
        let anchor = match anchor {
            None => None,
            Some(anchor) => match names.iter().position(|name| *name == anchor) {
                Some(index) => Some(index as u32),
                None => {
                    return wrong(
                        "the anchor must be a weekday (MON) for weeks, a month (JAN) for quarters and years",
                    );
                }
            },
        };
        let month = |edge| anchor.unwrap_or(if edge == Edge::Start { 0 } else { 11 }) + 1;
        let unit = match kind {
            Kind::Plain(unit) => unit,
            Kind::Week => Unit::Week(anchor.unwrap_or(6) as u8),
            Kind::Quarter(edge) => Unit::Quarter(edge, month(edge)),
            Kind::Year(edge) => Unit::Year(edge, month(edge)),
        };
        Ok(Frequency::new(unit, multiple))
    }

    /// The canonical new-style alias. The usual anchor is omitted (`QS`, `YE`), except for weeks.
    pub fn alias(&self) -> String {
        let name = match self.unit() {
            Unit::Second => "s".to_owned(),
            Unit::Minute => "min".to_owned(),
            Unit::Hour => "h".to_owned(),
            Unit::Day => "D".to_owned(),
            Unit::BusinessDay => "B".to_owned(),
            Unit::Week(day) => format!("W-{}", WEEKDAYS[usize::from(day)]),
            Unit::Month(edge) => format!("M{}", letter(edge)),
            Unit::Quarter(edge, month) => format!("Q{}", anchored(edge, month)),
            Unit::Year(edge, month) => format!("Y{}", anchored(edge, month)),
        };
        if self.multiple() == 1 { name } else { format!("{}{name}", self.multiple()) }
    }
}

impl From<Frequency> for String {
    fn from(frequency: Frequency) -> String {
        frequency.alias()
    }
}

impl TryFrom<String> for Frequency {
    type Error = FrequencyError;

    fn try_from(alias: String) -> Result<Frequency, FrequencyError> {
        Frequency::parse(&alias)
    }
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.alias())
    }
}

enum Kind {
    Plain(Unit),
    Week,
    Quarter(Edge),
    Year(Edge),
}

fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "s" | "S" => Kind::Plain(Unit::Second),
        "min" | "T" | "t" | "MIN" => Kind::Plain(Unit::Minute),
        "h" | "H" => Kind::Plain(Unit::Hour),
        "D" | "d" => Kind::Plain(Unit::Day),
        "B" | "b" => Kind::Plain(Unit::BusinessDay),
        "W" | "w" => Kind::Week,
        "M" | "ME" => Kind::Plain(Unit::Month(Edge::End)),
        "MS" => Kind::Plain(Unit::Month(Edge::Start)),
        "Q" | "QE" => Kind::Quarter(Edge::End),
        "QS" => Kind::Quarter(Edge::Start),
        "A" | "Y" | "YE" => Kind::Year(Edge::End),
        "AS" | "YS" => Kind::Year(Edge::Start),
        _ => return None,
    })
}

fn letter(edge: Edge) -> &'static str {
    match edge {
        Edge::Start => "S",
        Edge::End => "E",
    }
}

fn anchored(edge: Edge, month: u32) -> String {
    match (edge, month) {
        (Edge::Start, 1) => "S".to_owned(),
        (Edge::End, 12) => "E".to_owned(),
        _ => format!("{}-{}", letter(edge), MONTHS[month as usize - 1]),
    }
}
