//! Cells of covariates while the file is read and the type of a column is still unknown.

use tabcast_calendar::{MIN_MICROS, Micros};

use super::MAX_CATEGORIES;
use crate::interner::Interner;
use crate::number::Number;

/// Upper half of a text cell: a NaN that no number is stored as.
const TEXT: u64 = 0xfff8_0001;

/// A number, the number of a text, or nothing, in the size of a plain number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Cell(u64);

impl Cell {
    pub(crate) fn missing() -> Cell {
        Cell(f64::NAN.to_bits())
    }

    /// Adding zero turns -0 into 0.
    #[inline]
    pub(crate) fn number(value: f64) -> Cell {
        if value.is_nan() { Cell::missing() } else { Cell((value + 0.0).to_bits()) }
    }

    /// The 64 bits of the cell. Equal bits mean equal cells, provided that texts are only compared within one column
    /// and thread.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    pub(crate) fn text(number: u32) -> Cell {
        Cell(TEXT << 32 | u64::from(number))
    }

    /// A time, counted from the earliest one so that it is no NaN.
    #[inline]
    pub(crate) fn time(micros: Micros) -> Cell {
        Cell((micros - MIN_MICROS) as u64)
    }

    /// The time of a cell in a column of times; the cell must be neither a text nor missing.
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

/// The texts of one covariate that one thread has read. Words for a missing value and infinite numbers are included,
/// because they are categories if the column turns out to be categorical.
#[derive(Debug)]
pub(crate) struct Texts {
    interner: Interner,
    /// Whether one of the texts is neither a word for a missing value nor an infinite number.
    pub(crate) has_category: bool,
    /// Number of infinite cells, which are missing if the column is numeric.
    pub(crate) infinite: u64,
}

impl Texts {
    pub(crate) fn new() -> Texts {
        Texts { interner: Interner::new(), has_category: false, infinite: 0 }
    }

    /// Whether there are more texts than categories are allowed; further ones are then dropped.
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

    /// The cell for a parsed value, with its text in case it is no number.
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
