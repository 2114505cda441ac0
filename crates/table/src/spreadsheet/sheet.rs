//! Reads a sheet as rows: its first row with a cell is the header.

use crate::csv::cell_too_long;
use crate::refusals::{empty_file, too_many_columns};
use crate::spreadsheet::corrupt;
use crate::value::{TakeCells, Value};
use crate::{ContentError, Limits, ReadError};

/// Maximum numbers of rows and columns in a sheet of either kind.
const MAX_ROWS: u32 = 1_048_576;
const MAX_COLUMNS: u32 = 16_384;

/// Receives the rows of a sheet.
pub(crate) trait TakeSheet: TakeCells {
    /// Receives the names by column; an unnamed column has an empty name.
    fn header(&mut self, names: Vec<String>) -> Result<(), ReadError>;

    /// Whether a cell in this column makes a row.
    fn counts(&self, _column: usize) -> bool {
        true
    }
}

/// Groups the cells of a sheet into rows. Rows without a cell are left out; spreadsheets use them for spacing.
pub(super) struct Sheet<'a, T> {
    limits: &'a Limits,
    rows: &'a mut T,
    /// `None` once the header is complete.
    header: Option<Vec<String>>,
    /// Row of the last cell.
    row: Option<u32>,
    /// Whether a data row has begun and not ended.
    in_row: bool,
    has_rows: bool,
    ended: bool,
}

impl<'a, T: TakeSheet> Sheet<'a, T> {
    pub(super) fn new(limits: &'a Limits, rows: &'a mut T) -> Sheet<'a, T> {
        let header = Some(Vec::new());
        Sheet { limits, rows, header, row: None, in_row: false, has_rows: false, ended: false }
    }

    /// Takes the next cell; `false` if no further cell is needed.
    pub(super) fn cell(&mut self, (row, column): (u32, u32), value: Value) -> Result<bool, ReadError> {
        let place = column as usize;
        if value == Value::Empty || self.is_beside(place) {
            return Ok(true);
        }
        if row >= MAX_ROWS || column >= MAX_COLUMNS {
            return Err(corrupt("a cell lies beyond the last row or column of a sheet").into());
        }
        if self.row.is_some_and(|current| row < current) {
            return Err(corrupt("its rows are not in their order").into());
        }
        if self.row != Some(row) {
            if self.row.is_some() {
                self.end_row()?;
            }
            // This could not be decided before the header was complete.
            if self.is_beside(place) {
                return Ok(!self.ended);
            }
            if !self.ended && self.header.is_none() {
                self.in_row = self.rows.begin_row()?;
                self.has_rows |= self.in_row;
                self.ended = !self.in_row;
            }
            if self.ended {
                return Ok(false);
            }
            self.row = Some(row);
        }
        if let Some(header) = &mut self.header {
            put_name(header, place, value, self.limits)?;
        } else if let Err(error) = self.rows.set(place, value) {
            self.rows.fail(*error);
            self.ended = true;
        }
        Ok(!self.ended)
    }

    /// Returns whether the sheet has a row below its header, as far as it was read.
    pub(super) fn finish(mut self) -> Result<bool, ReadError> {
        if self.row.is_none() {
            return Err(empty_file().into());
        }
        if !self.ended {
            self.end_row()?;
        }
        Ok(self.has_rows)
    }

    fn is_beside(&self, column: usize) -> bool {
        self.header.is_none() && !self.rows.counts(column)
    }

    /// Ends the header, or the current data row.
    fn end_row(&mut self) -> Result<(), ReadError> {
        if let Some(header) = self.header.take() {
            self.rows.header(header)?;
        } else if std::mem::take(&mut self.in_row) {
            self.ended = !self.rows.end_row()?;
        }
        Ok(())
    }
}

/// Puts the name of a column into a header.
fn put_name(
    header: &mut Vec<String>,
    column: usize,
    value: Value,
    limits: &Limits,
) -> Result<(), Box<ContentError>> {
    if column >= limits.max_columns {
        return Err(too_many_columns(column + 1, limits.max_columns).into());
    }
    let name = value.print();
    if name.chars().count() > limits.max_cell_chars {
        return Err(cell_too_long(limits.max_cell_chars).column(format!("number {}", column + 1)).into());
    }
    if header.len() <= column {
        header.resize(column + 1, String::new());
    }
    name.trim().clone_into(&mut header[column]);
    Ok(())
}
