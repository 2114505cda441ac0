//! A column with its rows sorted by value.

use std::borrow::Cow;

use crate::Values;

/// Marks a missing category in [`Column::codes`].
pub(super) const NO_LEVEL: u32 = u32::MAX;

/// Cells of the compared rows, and which rows have a value.
#[derive(Debug)]
pub(super) struct Column<'a> {
    pub(super) cells: Cells<'a>,
    /// Rows with a value, sorted by it; equal values keep the order of the rows.
    pub(super) order: Vec<u32>,
}

#[derive(Debug)]
pub(super) enum Cells<'a> {
    /// Values that are not finite are missing.
    Numbers(Cow<'a, [f64]>),
    /// Numbered from 0 without gaps, so that counts need only as much memory as there are levels.
    Codes { codes: Vec<u32>, levels: usize },
}

impl<'a> Column<'a> {
    pub(super) fn new(values: Cow<'a, Values>) -> Self {
        match values {
            Cow::Borrowed(Values::Numbers(numbers)) => Self::numbers(Cow::Borrowed(numbers)),
            Cow::Owned(Values::Numbers(numbers)) => Self::numbers(Cow::Owned(numbers)),
            Cow::Borrowed(Values::Levels { codes, .. }) => Self::codes(codes),
            Cow::Owned(Values::Levels { codes, .. }) => Self::codes(&codes),
        }
    }

    pub(super) fn numbers(values: Cow<'a, [f64]>) -> Self {
        let keyed = values.iter().enumerate().filter(|(_, value)| value.is_finite());
        let order = ordered(keyed.map(|(row, &value)| (sort_key(value), row as u32)).collect());
        Self { cells: Cells::Numbers(values), order }
    }

    fn codes(codes: &[u32]) -> Self {
        let keyed = codes.iter().enumerate().filter(|&(_, &code)| code != u32::MAX);
        let order = ordered(keyed.map(|(row, &code)| (u64::from(code), row as u32)).collect());
        let mut dense = vec![NO_LEVEL; codes.len()];
        let mut levels = 0;
        for group in order.chunk_by(|&a, &b| codes[a as usize] == codes[b as usize]) {
            for &row in group {
                dense[row as usize] = levels;
            }
            levels += 1;
        }
        Self { cells: Cells::Codes { codes: dense, levels: levels as usize }, order }
    }

    /// Number of rows with a value.
    pub(super) fn present(&self) -> usize {
        self.order.len()
    }

    /// Whether there are two different values.
    pub(super) fn varies(&self) -> bool {
        let (Some(&first), Some(&last)) = (self.order.first(), self.order.last()) else { return false };
        match &self.cells {
            Cells::Numbers(values) => values[first as usize] != values[last as usize],
            Cells::Codes { levels, .. } => *levels > 1,
        }
    }

    pub(super) fn has(&self, row: u32) -> bool {
        match &self.cells {
            Cells::Numbers(values) => values[row as usize].is_finite(),
            Cells::Codes { codes, .. } => codes[row as usize] != NO_LEVEL,
        }
    }
}

fn ordered(mut keyed: Vec<(u64, u32)>) -> Vec<u32> {
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, row)| row).collect()
}

/// A key in the order of the values; both zeros have the same key.
fn sort_key(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | (1 << 63) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_ordered_and_missing_ones_left_out() {
        let values = [2.0, f64::NAN, -1.0, 0.0, f64::INFINITY, -0.0, -3.5];
        let column = Column::numbers(Cow::Borrowed(&values));
        assert_eq!(column.order, [6, 2, 3, 5, 0]);
        assert!(column.varies() && column.has(0) && !column.has(1) && !column.has(4));
        assert!(!Column::numbers(Cow::Borrowed(&[0.0, -0.0, f64::NAN])).varies());
        assert!(!Column::numbers(Cow::Borrowed(&[f64::NAN])).varies());
    }

    #[test]
    fn codes_lose_their_gaps() {
        let column = Column::codes(&[70, u32::MAX, 3, 70]);
        assert_eq!(column.order, [2, 0, 3]);
        assert!(matches!(&column.cells, Cells::Codes { codes, levels: 2 } if *codes == [1, NO_LEVEL, 0, 1]));
    }
}
