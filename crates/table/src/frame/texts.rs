//! Classifies cells while the type of their column is unknown.

use tabcast_calendar::parse_timestamp;

use crate::covariates::Cell;
use crate::interner::Interner;
use crate::number::{Number, parse_decimal, parse_number};
use crate::value::Value;
use crate::zones::Zones;

/// Whole numbers up to this limit are exact as doubles.
const EXACT: u128 = 1 << 53;

/// What to keep of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Numbers as numbers, whatever else there is.
    Values,
    /// Numbers as numbers; if a text comes later, the original form of some numbers may be lost.
    Numbers,
    /// Numbers that are not in their shortest form as texts.
    Exact,
    /// Numbers as numbers, everything else as texts, including words for a missing value.
    Cells,
    /// Every cell that is not empty as its text, byte for byte.
    Names,
    /// Stamps as times, everything else as texts.
    Times,
    Nothing,
}

/// The texts of one column that one thread has read, and what it found in the column.
#[derive(Debug)]
pub(crate) struct Texts {
    interner: Interner,
    keep: Keep,
    /// Printed numbers, kept for its allocation.
    printed: String,
    pub(super) seen: Seen,
    /// UTC offsets of the stamps.
    pub(super) zones: Zones,
}

/// Kinds of cells in a column, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Seen(u8);

impl Seen {
    /// A cell that is neither a number nor a word for a missing value.
    pub(super) const TEXT: Seen = Seen(1);
    /// A number, possibly infinite.
    pub(super) const NUMBER: Seen = Seen(2);
    /// A word that is missing among numbers and a level among texts.
    pub(super) const WORD: Seen = Seen(4);
    /// A number whose original form was not kept.
    pub(super) const REWRITTEN: Seen = Seen(8);
    /// A time that is a typed cell.
    pub(super) const TIME: Seen = Seen(16);

    fn add(&mut self, other: Seen) {
        self.0 |= other.0;
    }

    pub(super) fn has(self, other: Seen) -> bool {
        self.0 & other.0 != 0
    }
}

/// The class of a cell in a text format.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Class {
    Missing,
    /// Missing among numbers, a level among texts.
    Word,
    Infinite,
    Number {
        value: f64,
        /// Whether it prints as it is written.
        is_shortest: bool,
    },
    Text,
}

impl Texts {
    pub(super) fn new(keep: Keep) -> Texts {
        Texts {
            interner: Interner::new(),
            keep,
            printed: String::new(),
            seen: Seen::default(),
            zones: Zones::default(),
        }
    }

    /// Drops the texts and restarts their numbering.
    pub(super) fn clear(&mut self) {
        if self.interner.len() > 0 {
            self.interner = Interner::new();
        }
        self.seen = Seen::default();
    }

    /// Whether the cells of the column are kept.
    pub(super) fn is_wanted(&self) -> bool {
        self.keep != Keep::Nothing
    }

    /// Number of distinct texts.
    pub(crate) fn len(&self) -> usize {
        self.interner.len()
    }

    pub(crate) fn get(&self, number: u32) -> &[u8] {
        self.interner.get(number)
    }

    /// The cell for a text, in a text format or a typed one.
    pub(super) fn text(&mut self, text: &[u8]) -> Cell {
        match self.keep {
            Keep::Nothing => return Cell::missing(),
            Keep::Names if text.is_empty() => return Cell::missing(),
            Keep::Names => return Cell::text(self.interner.intern(text)),
            Keep::Times => return self.time(text.trim_ascii()),
            Keep::Cells => return self.cell(text.trim_ascii()),
            Keep::Values | Keep::Numbers | Keep::Exact => {}
        }
        let text = text.trim_ascii();
        match classify(text) {
            Class::Missing => return Cell::missing(),
            Class::Number { value, is_shortest } => {
                self.seen.add(Seen::NUMBER);
                if is_shortest || self.keep == Keep::Values {
                    return Cell::number(value);
                }
                if self.keep == Keep::Numbers && !self.seen.has(Seen::TEXT) {
                    self.seen.add(Seen::REWRITTEN);
                    return Cell::number(value);
                }
            }
            Class::Word => self.seen.add(Seen::WORD),
            Class::Infinite => self.seen.add(Seen::NUMBER),
            Class::Text => self.seen.add(Seen::TEXT),
        }
        Cell::text(self.interner.intern(text))
    }

    fn time(&mut self, text: &[u8]) -> Cell {
        match parse_timestamp(text) {
            Some(stamp) => {
                if let Some(offset) = stamp.offset_seconds {
                    self.zones.count(offset, 1);
                }
                Cell::time(stamp.micros)
            }
            None if text.is_empty() => Cell::missing(),
            None => Cell::text(self.interner.intern(text)),
        }
    }

    fn cell(&mut self, text: &[u8]) -> Cell {
        match parse_number(text) {
            Number::Value(value) => Cell::number(value),
            _ if text.is_empty() => Cell::missing(),
            _ => Cell::text(self.interner.intern(text)),
        }
    }

    /// The cell for a value of a typed format: it means what its text would mean.
    pub(super) fn value(&mut self, value: Value) -> Cell {
        match value {
            _ if self.keep == Keep::Nothing => Cell::missing(),
            Value::Empty | Value::Time(None) => Cell::missing(),
            Value::Text(text) => self.text(text.as_bytes()),
            Value::Time(Some(micros)) if self.keep == Keep::Times => {
                self.seen.add(Seen::TIME);
                Cell::time(micros)
            }
            Value::Number(value) if value.is_finite() && !self.is_printed() => {
                self.seen.add(Seen::NUMBER);
                Cell::number(value)
            }
            Value::Integer(value) if value.unsigned_abs() <= EXACT && !self.is_printed() => {
                self.seen.add(Seen::NUMBER);
                Cell::number(value as f64)
            }
            value => {
                let mut printed = std::mem::take(&mut self.printed);
                let cell = self.text(value.text(&mut printed).as_bytes());
                self.printed = printed;
                cell
            }
        }
    }
}

impl Texts {
    /// Whether a number counts as the text that it prints as.
    fn is_printed(&self) -> bool {
        matches!(self.keep, Keep::Names | Keep::Times)
    }
}

/// The class of a cell without blanks around it.
pub(crate) fn classify(cell: &[u8]) -> Class {
    if let Some((value, length)) = parse_decimal(cell)
        && length == cell.len()
    {
        return if is_code(cell) {
            Class::Text
        } else {
            Class::Number { value, is_shortest: is_shortest_decimal(cell) }
        };
    }
    let is_whole = || cell.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
    match parse_number(cell) {
        Number::Null if matches!(cell, b"-" | b"none" | b"None" | b"NONE") => Class::Word,
        Number::Null => Class::Missing,
        Number::Text if cell == b"?" => Class::Word,
        Number::Text => Class::Text,
        Number::Value(_) | Number::NonFinite if is_code(cell) => Class::Text,
        Number::NonFinite if is_whole() => Class::Text,
        Number::NonFinite => Class::Infinite,
        Number::Value(value) => {
            let is_shortest = value.to_string().as_bytes() == cell;
            // Digits that a double does not hold are the number of something.
            if is_shortest || !is_whole() { Class::Number { value, is_shortest } } else { Class::Text }
        }
    }
}

/// Whether digits form a code rather than a number: `007`, `+49`.
fn is_code(cell: &[u8]) -> bool {
    let digits = cell.strip_prefix(b"-").unwrap_or(cell);
    match digits {
        [b'+', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        [b'0', second, ..] => second.is_ascii_digit(),
        _ => false,
    }
}

/// Whether up to 15 digits with at most one point, which form no code, are the shortest text of their number.
fn is_shortest_decimal(cell: &[u8]) -> bool {
    let digits = cell.strip_prefix(b"-").unwrap_or(cell);
    let is_negative_zero = digits.len() < cell.len() && digits == b"0";
    match memchr::memchr(b'.', digits) {
        None => !is_negative_zero,
        Some(point) => point > 0 && point + 1 < digits.len() && !digits.ends_with(b"0"),
    }
}
