//! Decides the type of each column from all rows.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::part::Part;
use super::texts::{Keep, Seen, Texts};
use super::{FrameColumn, TextColumn};
use crate::ReadError;
use crate::covariates::Cell;
use crate::interner::Interner;

/// One column as the threads read it.
pub(super) struct Raw {
    /// One entry per part.
    pub(super) texts: Vec<Texts>,
    /// In the order of the file.
    pub(super) stretches: Vec<Stretch>,
}

/// Cells read by one thread.
pub(super) struct Stretch {
    index: u64,
    pub(super) part: usize,
    pub(super) rows: usize,
    /// At most `rows` cells; cells absent at the end are missing.
    pub(super) cells: Vec<Cell>,
}

/// Collects the parts of each column, and drops the rest.
pub(super) fn transpose(parts: Vec<Part>, columns: usize) -> Vec<Raw> {
    let mut raw: Vec<Raw> = (0..columns).map(|_| Raw { texts: Vec::new(), stretches: Vec::new() }).collect();
    for (number, part) in parts.into_iter().enumerate() {
        let mut texts = part.texts.into_iter();
        for column in &mut raw {
            // An earlier file of objects may lack columns of a later one.
            column.texts.push(texts.next().unwrap_or_else(|| Texts::new(Keep::Nothing)));
        }
        for mut batch in part.batches {
            for (place, column) in raw.iter_mut().enumerate() {
                column.stretches.push(Stretch {
                    index: batch.index,
                    part: number,
                    rows: batch.records as usize,
                    cells: batch.columns.get_mut(place).map(std::mem::take).unwrap_or_default(),
                });
            }
        }
    }
    for column in &mut raw {
        column.stretches.sort_unstable_by_key(|stretch| stretch.index);
    }
    raw
}

impl Raw {
    fn has(&self, seen: Seen) -> bool {
        self.texts.iter().any(|texts| texts.seen.has(seen))
    }

    /// Numbers with words for a missing value are numeric; a column of such words alone is a text column.
    fn is_text(&self) -> bool {
        self.has(Seen::TEXT) || (self.has(Seen::WORD) && !self.has(Seen::NUMBER))
    }

    pub(super) fn is_inexact(&self) -> bool {
        self.is_text() && self.has(Seen::REWRITTEN)
    }

    fn numbers(self, rows: usize) -> FrameColumn {
        let mut numbers = Vec::with_capacity(rows);
        for stretch in self.stretches {
            let end = numbers.len() + stretch.rows;
            numbers.extend(stretch.cells.into_iter().map(Cell::as_number));
            numbers.resize(end, f64::NAN);
        }
        FrameColumn::Numbers(numbers)
    }

    pub(super) fn into_levels(self, rows: usize) -> TextColumn {
        let mut codes = Vec::with_capacity(rows);
        let mut interner = Interner::new();
        let mut printed = String::new();
        // The index of each part's text in the whole column, once it has one.
        let mut known: Vec<Vec<Option<u32>>> =
            self.texts.iter().map(|texts| vec![None; texts.len()]).collect();
        for stretch in self.stretches {
            let end = codes.len() + stretch.rows;
            let (texts, known) = (&self.texts[stretch.part], &mut known[stretch.part]);
            for cell in stretch.cells {
                codes.push(match cell.as_text() {
                    Some(text) => {
                        *known[text as usize].get_or_insert_with(|| interner.intern(texts.get(text)))
                    }
                    None if cell.is_missing() => TextColumn::MISSING,
                    None => {
                        printed.clear();
                        // Writing to a string cannot fail.
                        let _ = write!(printed, "{}", cell.as_number());
                        interner.intern(printed.as_bytes())
                    }
                });
            }
            codes.resize(end, TextColumn::MISSING);
        }
        let text = |number| String::from_utf8_lossy(interner.get(number)).into();
        TextColumn { codes, texts: (0..interner.len() as u32).map(text).collect() }
    }
}

/// Decides and builds all columns, freeing the cells of each as it goes.
pub(super) fn resolve(
    columns: Vec<Raw>,
    rows: usize,
    cancel: &AtomicBool,
) -> Result<Vec<FrameColumn>, ReadError> {
    columns
        .into_par_iter()
        .map(|column| {
            if cancel.load(Ordering::Relaxed) {
                return Err(ReadError::Cancelled);
            }
            Ok(if column.is_text() {
                FrameColumn::Texts(column.into_levels(rows))
            } else {
                column.numbers(rows)
            })
        })
        .collect()
}

impl FrameColumn {
    /// Whether any cell is not missing.
    pub(super) fn has_value(&self) -> bool {
        match self {
            FrameColumn::Numbers(numbers) => numbers.iter().any(|number| !number.is_nan()),
            FrameColumn::Texts(column) => !column.texts.is_empty(),
        }
    }
}
