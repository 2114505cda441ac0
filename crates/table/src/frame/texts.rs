//! What cells are, while the kind of their column is not known yet.

use tabcast_calendar::parse_timestamp;

use crate::covariates::Cell;
use crate::interner::Interner;
use crate::number::{Number, parse_decimal, parse_number};
use crate::value::Value;
use crate::zones::Zones;

/// Whole numbers up to here are doubles.
const EXACT: u128 = 1 << 53;

/// What is kept of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Numbers as numbers, whatever else there is.
    Values,
    /// Numbers as numbers; if a text comes later, some of them may have lost how they were written.
    Numbers,
    /// Numbers that are not in their shortest form as texts.
    Exact,
    /// Numbers as numbers, and everything else as a text, words for a missing value among it.
    Cells,
    /// Every cell that is not empty as its text, byte for byte.
    Names,
    /// Stamps as times, and what is none as a text.
    Times,
    Nothing,
}

/// The texts of one column that one thread has met, and what it can say of the column.
#[derive(Debug)]
pub(crate) struct Texts {
    interner: Interner,
    keep: Keep,
    /// Printed numbers, kept for its allocation.
    printed: String,
    pub(super) seen: Seen,
    /// Offsets that stamps were written with.
    pub(super) zones: Zones,
}

/// What is among the cells of a column, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Seen(u8);

impl Seen {
    /// A cell that is neither a number nor a word for a missing value.
    pub(super) const TEXT: Seen = Seen(1);
    /// A number, perhaps an infinite one.
    pub(super) const NUMBER: Seen = Seen(2);
    /// A word that is missing among numbers and a level among texts.
    pub(super) const WORD: Seen = Seen(4);
    /// A number that was kept without the way it was written.
    pub(super) const REWRITTEN: Seen = Seen(8);
    /// A time that is no text.
    pub(super) const TIME: Seen = Seen(16);

    fn add(&mut self, other: Seen) {
        self.0 |= other.0;
    }

    pub(super) fn has(self, other: Seen) -> bool {
        self.0 & other.0 != 0
    }
}

/// A cell of a text format.
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

    /// Forgets the texts: their numbers begin anew.
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

    /// How many distinct texts there are.
    pub(crate) fn len(&self) -> usize {
        self.interner.len()
    }

    pub(crate) fn get(&self, number: u32) -> &[u8] {
        self.interner.get(number)
    }

    /// The cell of a text format, or of a text in one that has types.
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

    /// The cell of a format that has types: it means what its text would mean.
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

/// What a cell without blanks around it is.
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

/// Whether digits are a name rather than a number: `007`, `+49`.
fn is_code(cell: &[u8]) -> bool {
    let digits = cell.strip_prefix(b"-").unwrap_or(cell);
    match digits {
        [b'+', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        [b'0', second, ..] => second.is_ascii_digit(),
        _ => false,
    }
}

/// Whether up to 15 digits with at most one point, which are no code, are the shortest text of their number.
fn is_shortest_decimal(cell: &[u8]) -> bool {
    let digits = cell.strip_prefix(b"-").unwrap_or(cell);
    let is_negative_zero = digits.len() < cell.len() && digits == b"0";
    match memchr::memchr(b'.', digits) {
        None => !is_negative_zero,
        Some(point) => point > 0 && point + 1 < digits.len() && !digits.ends_with(b"0"),
    }
}
