//! Cells of covariates while the file is read, when a column's kind is not known yet.

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

    pub(crate) fn text(number: u32) -> Cell {
        Cell(TEXT << 32 | u64::from(number))
    }

    pub(crate) fn is_missing(self) -> bool {
        self == Cell::missing()
    }

    pub(crate) fn as_text(self) -> Option<u32> {
        (self.0 >> 32 == TEXT).then_some(self.0 as u32)
    }

    /// The number, or NaN for a missing value.
    pub(crate) fn as_number(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// The texts of one covariate that one thread has met.
#[derive(Debug)]
pub(crate) struct Texts {
    interner: Interner,
    /// Cells that are infinite, and therefore missing.
    pub(crate) infinite: u64,
}

impl Texts {
    pub(crate) fn new() -> Texts {
        Texts { interner: Interner::new(), infinite: 0 }
    }

    /// Whether there are more than can be categories; no further ones are kept then.
    pub(crate) fn too_many(&self) -> bool {
        self.interner.len() > MAX_CATEGORIES
    }

    /// The texts by their numbers.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.interner.len() as u32).map(|number| self.interner.get(number))
    }

    /// The cell for what was read, with its text if it is no number.
    pub(crate) fn cell(&mut self, number: Number, text: &[u8]) -> Cell {
        match number {
            Number::Value(value) => Cell::number(value),
            Number::Null => Cell::missing(),
            Number::NonFinite => {
                self.infinite += 1;
                Cell::missing()
            }
            Number::Text => self.text(text.trim_ascii()),
        }
    }

    fn text(&mut self, text: &[u8]) -> Cell {
        if text.eq_ignore_ascii_case(b"true") {
            Cell::number(1.0)
        } else if text.eq_ignore_ascii_case(b"false") {
            Cell::number(0.0)
        } else if self.too_many() {
            Cell::missing()
        } else {
            Cell::text(self.interner.intern(text))
        }
    }
}
