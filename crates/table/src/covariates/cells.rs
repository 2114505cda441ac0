//! Cells of covariates while the file is read, when a column's kind is not known yet.

use tabcast_calendar::{MIN_MICROS, Micros};

use super::MAX_CATEGORIES;
use crate::interner::Interner;
use crate::number::Number;

/// Upper half of a cell that is a text: a NaN that no number is kept as.
const TEXT: u64 = 0xfff8_0001;

/// A number, the number of a text, or nothing; as long as a number alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Cell(u64);

impl Cell {
    pub(crate) fn missing() -> Cell {
        Cell(f64::NAN.to_bits())
    }

    /// Adding zero makes -0 and 0 one value.
    #[inline]
    pub(crate) fn number(value: f64) -> Cell {
        if value.is_nan() { Cell::missing() } else { Cell((value + 0.0).to_bits()) }
    }

    /// Its 64 bits: equal ones are equal cells, as long as no text is compared with one of another column or thread.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    pub(crate) fn text(number: u32) -> Cell {
        Cell(TEXT << 32 | u64::from(number))
    }

    /// A time; counted from the earliest one, so that it is no NaN.
    #[inline]
    pub(crate) fn time(micros: Micros) -> Cell {
        Cell((micros - MIN_MICROS) as u64)
    }

    /// The time of a cell of a column that has times, and neither a text nor a missing value.
    #[inline]
    pub(crate) fn as_time(self) -> Micros {
        self.0 as Micros + MIN_MICROS
    }

    pub(crate) fn is_missing(self) -> bool {
        self == Cell::missing()
    }

    pub(crate) fn as_text(self) -> Option<u32> {
        (self.0 >> 32 == TEXT).then_some(self.0 as u32)
    }

    /// The number, or NaN for a missing value and for a text.
    pub(crate) fn as_number(self) -> f64 {
        let value = f64::from_bits(self.0);
        if value.is_nan() { f64::NAN } else { value }
    }
}

/// The texts of one covariate that one thread has met; words for a missing value and infinite numbers are among them,
/// because they are categories where the column turns out to be one of categories.
#[derive(Debug)]
pub(crate) struct Texts {
    interner: Interner,
    /// Whether one of them is neither a word for a missing value nor an infinite number.
    pub(crate) has_category: bool,
    /// Cells that are infinite, and therefore missing among numbers.
    pub(crate) infinite: u64,
}

impl Texts {
    pub(crate) fn new() -> Texts {
        Texts { interner: Interner::new(), has_category: false, infinite: 0 }
    }

    /// Whether there are more than can be categories; no further ones are kept then.
    pub(crate) fn too_many(&self) -> bool {
        self.interner.len() > MAX_CATEGORIES
    }

    /// The texts by their numbers.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.interner.len() as u32).map(|number| self.interner.get(number))
    }

    pub(crate) fn get(&self, number: u32) -> &[u8] {
        self.interner.get(number)
    }

    /// The cell for what was read, with its text if it is no number.
    pub(crate) fn cell(&mut self, number: Number, text: &[u8]) -> Cell {
        let text = text.trim_ascii();
        match number {
            Number::Value(value) => return Cell::number(value),
            Number::Null => {}
            Number::NonFinite => self.infinite += 1,
            Number::Text if text.eq_ignore_ascii_case(b"true") => return Cell::number(1.0),
            Number::Text if text.eq_ignore_ascii_case(b"false") => return Cell::number(0.0),
            Number::Text => self.has_category = true,
        }
        if self.too_many() || text.is_empty() {
            Cell::missing()
        } else {
            Cell::text(self.interner.intern(text))
        }
    }
}
