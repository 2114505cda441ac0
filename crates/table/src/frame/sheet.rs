//! All columns of a sheet: its first row with a cell is the header.

use super::names::Names;
use super::part::{Content, Plan};
use super::rows::Rows;
use crate::refusals::{empty_file, no_rows};
use crate::rows::Value;
use crate::spreadsheet::{TakeCells, check_place, put_name};
use crate::{ReadError, ReadOptions};

/// Takes the cells of a sheet in, row by row. Rows without a cell are left out, and so are cells beside the header.
pub(super) struct Sheet<'a> {
    rows: Rows<'a>,
    /// Names by column; a column without one is empty.
    header: Vec<String>,
    /// Once the header is complete.
    names: Option<Names>,
    row: Option<u32>,
    has_rows: bool,
    ended: bool,
}

impl<'a> Sheet<'a> {
    /// `before` rows lie in the files before this one.
    pub(super) fn new(options: &'a ReadOptions<'a>, plan: &'a Plan<'a>, before: u64) -> Sheet<'a> {
        let rows = Rows::new(options, plan, before);
        Sheet { rows, header: Vec::new(), names: None, row: None, has_rows: false, ended: false }
    }

    pub(super) fn finish(mut self) -> Result<Content, ReadError> {
        if self.row.is_none() {
            return Err(if self.names.is_some() { no_rows() } else { empty_file() }.into());
        }
        if !self.ended {
            self.end_row()?;
        }
        if !self.has_rows {
            return Err(no_rows().into());
        }
        Ok(Content {
            names: self.names.unwrap_or_default(),
            parts: self.rows.finish(),
            unreadable: Vec::new(),
        })
    }

    /// Whether a column has no name; nobody knows before the header is complete.
    fn is_beside(&self, column: usize) -> bool {
        self.names.as_ref().is_some_and(|names| column >= names.len())
    }

    /// Ends the current row, which has a cell; `false` when no further row need be read.
    fn end_row(&mut self) -> Result<bool, ReadError> {
        if self.names.is_some() {
            self.ended = !self.rows.end_row()?;
            return Ok(!self.ended);
        }
        let names = Names::of_header(std::mem::take(&mut self.header))?;
        self.rows.add_columns(&names)?;
        self.names = Some(names);
        Ok(true)
    }
}

impl TakeCells for Sheet<'_> {
    fn cell(&mut self, place: (u32, u32), value: Value) -> Result<bool, ReadError> {
        let (row, column) = (place.0, place.1 as usize);
        if value == Value::Empty || self.is_beside(column) {
            return Ok(true);
        }
        check_place(place, self.row)?;
        if self.row.is_some_and(|current| row > current) && !self.end_row()? {
            return Ok(false);
        }
        self.row = Some(row);
        if self.names.is_none() {
            put_name(&mut self.header, column, value, &self.rows.options.limits)?;
            return Ok(true);
        }
        // The first row below the names may be the one that ended them; with this cell it has not begun.
        if self.is_beside(column) {
            if !self.has_rows {
                self.row = None;
            }
            return Ok(true);
        }
        self.has_rows = true;
        if let Err(error) = self.rows.set(column, value) {
            self.rows.fail(*error);
            self.ended = true;
        }
        Ok(!self.ended)
    }
}
