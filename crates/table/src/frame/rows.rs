//! Reads all columns of JSON and spreadsheets. Every key of an object becomes a column from its first appearance on.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use super::names::Names;
use super::part::{Batch, Content, Part, Plan};
use super::texts::Texts;
use crate::covariates::Cell;
use crate::json::{TakeObjects, nested_column};
use crate::refusals::{duplicate_column, too_many_columns};
use crate::spreadsheet::TakeSheet;
use crate::value::{TakeCells, Value};
use crate::{ContentError, ReadError, ReadOptions};

/// Number of rows between two checks of the cancel flag.
const CANCEL_ROWS: u64 = 1_024;

/// Collects rows, cell by cell, in the order of the file.
pub(super) struct Rows<'a> {
    options: &'a ReadOptions<'a>,
    plan: &'a Plan<'a>,
    /// Names of the columns so far.
    names: Names,
    /// Columns by the keys of objects.
    keys: HashMap<String, usize>,
    /// Expected position of the next key: objects mostly repeat the keys of the object before, in its order.
    next: usize,
    part: Part,
    batch: Batch,
    /// Number of rows of this file and of those before it.
    records: u64,
}

impl<'a> Rows<'a> {
    /// The files before this one have `before` rows.
    pub(super) fn new(options: &'a ReadOptions<'a>, plan: &'a Plan<'a>, before: u64) -> Rows<'a> {
        Rows {
            options,
            plan,
            names: Names::default(),
            keys: HashMap::new(),
            next: 0,
            part: Part::default(),
            batch: Batch::default(),
            records: before,
        }
    }

    pub(super) fn finish(mut self) -> Content {
        self.end_batch();
        Content { names: self.names, parts: vec![self.part], unreadable: Vec::new() }
    }

    /// Adds a column; its cells in earlier rows are missing.
    fn add_column(&mut self, name: &str) {
        self.part.texts.push(Texts::new(self.plan.keep(name)));
        self.batch.columns.push(Vec::new());
    }

    /// `false` if no further row is wanted.
    fn end_batch(&mut self) -> bool {
        let next = Batch::with_capacity(self.batch.index + 1, 0, self.part.texts.len());
        let batch = std::mem::replace(&mut self.batch, next);
        self.plan.finish(&self.names, &mut self.part, batch)
    }
}

impl TakeCells for Rows<'_> {
    fn begin_row(&mut self) -> Result<bool, ReadError> {
        self.next = 0;
        Ok(true)
    }

    fn set(&mut self, column: usize, value: Value) -> Result<(), Box<ContentError>> {
        value.check(&self.options.limits)?;
        let cell = self.part.texts[column].value(value);
        let cells = &mut self.batch.columns[column];
        cells.truncate(self.batch.records as usize);
        if cell != Cell::missing() {
            cells.resize(self.batch.records as usize, Cell::missing());
            cells.push(cell);
        }
        Ok(())
    }

    fn end_row(&mut self) -> Result<bool, ReadError> {
        self.batch.records += 1;
        self.records += 1;
        if self.records.is_multiple_of(CANCEL_ROWS) && self.options.cancel.load(Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        let columns = self.part.texts.len();
        let goes_on = self.batch.records < self.plan.batch_rows(columns) || self.end_batch();
        Ok(goes_on && self.records <= self.plan.most_rows(&self.options.limits, columns))
    }

    fn fail(&mut self, error: ContentError) {
        self.batch.fatal = Some((error, Some(self.batch.records)));
    }
}

impl TakeObjects for Rows<'_> {
    fn column(&mut self, key: &str) -> Result<Option<usize>, Box<ContentError>> {
        let column = if self.next < self.names.len() && self.names.get(self.next) == key {
            self.next
        } else if let Some(column) = self.keys.get(key) {
            *column
        } else {
            let (column, most) = (self.names.len(), self.options.limits.max_columns);
            if column >= most {
                return Err(too_many_columns(most + 1, most).into());
            }
            let name = self.names.push(key.to_owned())?;
            // A column with an empty key is named by its position, which another key may equal by chance.
            if self.names.position(&name) != Some(column) {
                return Err(duplicate_column(&name).into());
            }
            self.add_column(&name);
            self.keys.insert(key.to_owned(), column);
            column
        };
        self.next = column + 1;
        Ok(Some(column))
    }

    fn nested(&mut self, column: usize) -> Result<(), Box<ContentError>> {
        Err(nested_column(self.names.get(column)))
    }
}

impl TakeSheet for Rows<'_> {
    fn header(&mut self, names: Vec<String>) -> Result<(), ReadError> {
        self.names = Names::of_header(names)?;
        for name in self.names.to_vec() {
            self.add_column(&name);
        }
        Ok(())
    }

    fn counts(&self, column: usize) -> bool {
        column < self.names.len()
    }
}
