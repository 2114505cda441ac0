//! A sheet as a table: its first row with a cell is the header.

use crate::content::Content;
use crate::csv::cell_too_long;
use crate::refusals::{empty_file, no_rows, too_many_columns};
use crate::roles::{Role, locate};
use crate::rows::{Rows, Value};
use crate::spreadsheet::{MAX_COLUMNS, MAX_ROWS, TakeCells, corrupt};
use crate::{ContentError, Limits, ReadError, ReadOptions};

/// Takes the cells of a sheet in, row by row. Rows without a cell are left out, as spreadsheets have them for their looks.
pub(crate) struct Sheet<'a> {
    options: &'a ReadOptions<'a>,
    rows: Rows<'a>,
    /// Only the header is read.
    header_only: bool,
    /// Names by column; a column without one is empty.
    header: Vec<String>,
    /// Roles by column, once the header is complete.
    roles: Option<Vec<Option<Role>>>,
    row: Option<u32>,
    has_rows: bool,
    ended: bool,
}

impl<'a> Sheet<'a> {
    /// `before` rows lie in the files before this one.
    pub(crate) fn new(options: &'a ReadOptions<'a>, before: u64, header_only: bool) -> Sheet<'a> {
        let rows = Rows::new(options, before);
        Sheet {
            options,
            rows,
            header_only,
            header: Vec::new(),
            roles: None,
            row: None,
            has_rows: false,
            ended: false,
        }
    }

    pub(crate) fn finish(mut self) -> Result<Content, ReadError> {
        if self.row.is_none() {
            return Err(empty_file().into());
        }
        if !self.ended {
            self.end_row()?;
        }
        if !self.has_rows && !self.header_only {
            return Err(no_rows().into());
        }
        Ok(Content { columns: self.header, parts: self.rows.finish() })
    }

    /// Ends the current row, which has a cell; `false` when no further row need be read.
    fn end_row(&mut self) -> Result<bool, ReadError> {
        if self.roles.is_some() {
            self.ended = !self.rows.end_row()?;
            return Ok(!self.ended);
        }
        let mut roles = vec![None; self.header.len()];
        for (place, role) in locate(&self.header, &self.options.columns)? {
            roles[place] = Some(role);
        }
        self.roles = Some(roles);
        self.ended = self.header_only;
        Ok(!self.ended)
    }
}

impl TakeCells for Sheet<'_> {
    fn cell(&mut self, (row, column): (u32, u32), value: Value) -> Result<bool, ReadError> {
        if value == Value::Empty {
            return Ok(true);
        }
        check_place((row, column), self.row)?;
        if self.row.is_some_and(|current| row > current) {
            if !self.end_row()? {
                return Ok(false);
            }
            self.ended = !self.rows.begin_row();
            if self.ended {
                return Ok(false);
            }
        }
        self.row = Some(row);
        let Some(roles) = &self.roles else {
            put_name(&mut self.header, column as usize, value, &self.options.limits)?;
            return Ok(true);
        };
        self.has_rows = true;
        if let Some(role) = roles.get(column as usize).copied().flatten()
            && let Err(error) = self.rows.set(role, value)
        {
            self.rows.fail(*error);
            self.ended = true;
        }
        Ok(!self.ended)
    }
}

/// Refuses a cell that lies outside every sheet, or before the row that was `current`.
pub(crate) fn check_place((row, column): (u32, u32), current: Option<u32>) -> Result<(), Box<ContentError>> {
    if row >= MAX_ROWS || column >= MAX_COLUMNS {
        return Err(corrupt("a cell lies beyond the last row or column of a sheet").into());
    }
    if current.is_some_and(|current| row < current) {
        return Err(corrupt("its rows are not in their order").into());
    }
    Ok(())
}

/// Puts the name of a column into a header.
pub(crate) fn put_name(
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
