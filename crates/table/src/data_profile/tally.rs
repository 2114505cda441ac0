//! Counts one column over all rows.

use super::distinct::{Distinct, Place, Shown};
use super::keys::{Meaning, Said};
use crate::ColumnType;
use crate::covariates::Cell;
use crate::frame::Texts;

/// Counts of a column's cells. They do not depend on the order of the rows or on how threads share them.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) cells: u64,
    missing: u64,
    /// Missing among numbers, values among texts.
    words: u64,
    pub(super) numbers: u64,
    /// Number of whole numbers among the numbers.
    pub(super) whole: u64,
    booleans: u64,
    pub(super) timestamps: u64,
    texts: u64,
    least: f64,
    greatest: f64,
    pub(super) distinct: Distinct,
    /// Whether two consecutive rows of a series have different values.
    pub(super) varies: bool,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            cells: 0,
            missing: 0,
            words: 0,
            numbers: 0,
            whole: 0,
            booleans: 0,
            timestamps: 0,
            texts: 0,
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
            distinct: Distinct::default(),
            varies: false,
        }
    }
}

impl Tally {
    /// Counts the first `rows` cells of a column of stretch `index`; cells that `cells` lacks are missing.
    pub(super) fn observe(&mut self, cells: &[Cell], rows: usize, texts: &Texts, said: &[Said], index: u64) {
        let cells = &cells[..cells.len().min(rows)];
        self.cells += rows as u64;
        self.missing += (rows - cells.len()) as u64;
        let mut counts = vec![(0_u64, 0_u32); said.len()];
        // A run of equal values is looked up once.
        let mut run: Option<(u64, u64, Place)> = None;
        for (row, cell) in cells.iter().enumerate() {
            if let Some(text) = cell.as_text() {
                let (count, first) = &mut counts[text as usize];
                if *count == 0 {
                    *first = row as u32;
                }
                *count += 1;
            } else if cell.is_missing() {
                self.missing += 1;
            } else {
                let number = cell.as_number();
                self.numbers += 1;
                self.whole += u64::from(number.fract() == 0.0);
                self.least = self.least.min(number);
                self.greatest = self.greatest.max(number);
                if self.distinct.is_many() {
                    continue;
                }
                match &mut run {
                    Some((key, count, _)) if *key == cell.bits() => *count += 1,
                    _ => {
                        let next = (cell.bits(), 1, (index, row as u32));
                        if let Some((key, count, first)) = run.replace(next) {
                            self.distinct.add(key, count, first, || Shown::Number);
                        }
                    }
                }
            }
        }
        if let Some((key, count, first)) = run {
            self.distinct.add(key, count, first, || Shown::Number);
        }
        for (number, ((count, first), said)) in counts.into_iter().zip(said).enumerate() {
            if count == 0 {
                continue;
            }
            match said.meaning {
                Meaning::Word => self.words += count,
                Meaning::Infinite => self.numbers += count,
                Meaning::Boolean(_) => self.booleans += count,
                Meaning::Timestamp(_) => self.timestamps += count,
                Meaning::Text => self.texts += count,
            }
            let shown = || Shown::of(texts.get(number as u32));
            self.distinct.add(said.key, count, (index, first), shown);
        }
    }

    /// Counts rows before the column first appeared as missing.
    pub(super) fn skip(&mut self, rows: u64) {
        self.cells += rows;
        self.missing += rows;
    }

    pub(super) fn append(&mut self, other: Tally) {
        self.cells += other.cells;
        self.missing += other.missing;
        self.words += other.words;
        self.numbers += other.numbers;
        self.whole += other.whole;
        self.booleans += other.booleans;
        self.timestamps += other.timestamps;
        self.texts += other.texts;
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
        self.distinct.append(other.distinct);
        self.varies |= other.varies;
    }

    pub(super) fn kind(&self) -> ColumnType {
        match [self.numbers, self.booleans, self.timestamps, self.texts].map(|count| count > 0) {
            [false, false, false, false] => ColumnType::Empty,
            // Among numbers, the readers read yes and no as 1 and 0.
            [true, _, false, false] => ColumnType::Number,
            [false, true, false, false] => ColumnType::Boolean,
            [false, false, true, false] => ColumnType::Timestamp,
            _ => ColumnType::Text,
        }
    }

    /// Number of cells without a value, by the rules of the column's type.
    pub(super) fn nulls(&self) -> u64 {
        if self.kind() == ColumnType::Text { self.missing } else { self.missing + self.words }
    }

    /// The smallest and the largest number; `None` if no cell is a number.
    pub(super) fn range(&self) -> Option<(f64, f64)> {
        (self.least <= self.greatest).then_some((self.least, self.greatest))
    }
}
