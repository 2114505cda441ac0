//! All columns of a sheet, by their first rows.

use std::sync::atomic::Ordering;

use crate::column_profile::{ColumnProfile, Profile};
use crate::refusals::empty_file;
use crate::rows::Value;
use crate::spreadsheet::TakeCells;
use crate::spreadsheet::sheet::put_name;
use crate::{ReadError, ReadOptions};

/// Looks at the cells of the first rows; cells in no order are for the reader to report.
pub(super) struct ProfiledCells<'a> {
    options: &'a ReadOptions<'a>,
    /// Names by column, until the first row behind them.
    header: Vec<String>,
    columns: Vec<ColumnProfile>,
    row: Option<u32>,
    /// Rows that have a cell.
    rows: u64,
    most: u64,
}

impl<'a> ProfiledCells<'a> {
    pub(super) fn new(options: &'a ReadOptions<'a>, most: u64) -> ProfiledCells<'a> {
        ProfiledCells { options, header: Vec::new(), columns: Vec::new(), row: None, rows: 0, most }
    }

    pub(super) fn finish(mut self) -> Result<Profile, ReadError> {
        if self.row.is_none() {
            return Err(empty_file().into());
        }
        self.end_header();
        for column in &mut self.columns {
            column.fill_up(self.rows);
        }
        Ok(Profile { columns: self.columns, rows: self.rows })
    }

    fn end_header(&mut self) {
        self.columns.extend(std::mem::take(&mut self.header).into_iter().map(ColumnProfile::new));
    }
}

impl TakeCells for ProfiledCells<'_> {
    fn cell(&mut self, (row, column): (u32, u32), value: Value) -> Result<bool, ReadError> {
        if value == Value::Empty {
            return Ok(true);
        }
        if self.row.is_some_and(|current| row != current) {
            if self.options.cancel.load(Ordering::Relaxed) {
                return Err(ReadError::Cancelled);
            }
            self.end_header();
            if self.rows == self.most {
                return Ok(false);
            }
            self.rows += 1;
        }
        self.row = Some(row);
        if self.columns.is_empty() {
            put_name(&mut self.header, column as usize, value, &self.options.limits)?;
        } else if let Some(column) = self.columns.get_mut(column as usize) {
            column.observe_value(value);
        }
        Ok(true)
    }
}
