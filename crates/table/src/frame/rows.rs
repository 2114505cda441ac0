//! Rows whose cells come one at a time and have types, as JSON and spreadsheets have them.

use std::sync::atomic::Ordering;

use super::names::Names;
use super::part::{Batch, Part, Plan};
use super::texts::Texts;
use crate::covariates::Cell;
use crate::csv::{cell_too_long, nul_bytes};
use crate::rows::Value;
use crate::{ContentError, ReadError, ReadOptions};

/// Rows between two looks at the cancel flag.
const CANCEL_ROWS: u64 = 1_024;

/// Collects rows, cell by cell, in the order of the file.
pub(super) struct Rows<'a> {
    pub(super) options: &'a ReadOptions<'a>,
    plan: &'a Plan<'a>,
    /// Of the columns so far.
    names: Names,
    part: Part,
    batch: Batch,
    /// Rows of this file and of those before it.
    records: u64,
}

impl<'a> Rows<'a> {
    /// `before` rows lie in the files before this one.
    pub(super) fn new(options: &'a ReadOptions<'a>, plan: &'a Plan<'a>, before: u64) -> Rows<'a> {
        Rows {
            options,
            plan,
            names: Names::default(),
            part: Part::default(),
            batch: Batch::default(),
            records: before,
        }
    }

    /// Adds a column; cells of earlier rows are missing.
    ///
    /// # Errors
    /// `column_name_too_long`.
    pub(super) fn add_column(&mut self, name: &str) -> Result<(), Box<ContentError>> {
        self.names.push(name.to_owned())?;
        self.part.texts.push(Texts::new(self.plan.keep(name)));
        self.batch.columns.push(Vec::new());
        Ok(())
    }

    /// Adds the columns of a header.
    ///
    /// # Errors
    /// `column_name_too_long`.
    pub(super) fn add_columns(&mut self, names: &Names) -> Result<(), Box<ContentError>> {
        names.iter().try_for_each(|name| self.add_column(name))
    }

    /// Puts a cell into the current row; a later cell of the same column replaces it.
    ///
    /// # Errors
    /// For a cell that no column may have.
    pub(super) fn set(&mut self, column: usize, value: Value) -> Result<(), Box<ContentError>> {
        if let Value::Text(text) = value {
            let longest = self.options.limits.max_cell_chars;
            if text.len() > longest && text.chars().count() > longest {
                return Err(cell_too_long(longest).into());
            }
            if memchr::memchr(0, text.as_bytes()).is_some() {
                return Err(nul_bytes().into());
            }
        }
        let cell = self.part.texts[column].value(value);
        let cells = &mut self.batch.columns[column];
        cells.truncate(self.batch.records as usize);
        if cell != Cell::missing() {
            cells.resize(self.batch.records as usize, Cell::missing());
            cells.push(cell);
        }
        Ok(())
    }

    /// Ends the current row; `false` when no further row need be read.
    pub(super) fn end_row(&mut self) -> Result<bool, ReadError> {
        self.batch.records += 1;
        self.records += 1;
        if self.records.is_multiple_of(CANCEL_ROWS) && self.options.cancel.load(Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        let columns = self.part.texts.len();
        let goes_on = self.batch.records < self.plan.batch_rows(columns) || self.end_batch();
        Ok(goes_on && self.records <= self.plan.most_rows(&self.options.limits, columns))
    }

    /// Ends the read with what is wrong with the current row.
    pub(super) fn fail(&mut self, error: ContentError) {
        self.batch.fatal = Some((error, Some(self.batch.records)));
    }

    pub(super) fn finish(mut self) -> Vec<Part> {
        self.end_batch();
        vec![self.part]
    }

    /// `false` when no further row is wanted.
    fn end_batch(&mut self) -> bool {
        let next = Batch::with_capacity(self.batch.index + 1, 0, self.part.texts.len());
        let batch = std::mem::replace(&mut self.batch, next);
        self.plan.finish(&self.names, &mut self.part, batch)
    }
}
