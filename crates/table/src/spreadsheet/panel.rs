//! Reads the cells of a panel from a sheet.

use crate::content::Content;
use crate::input::Input;
use crate::refusals::no_rows;
use crate::roles::{Role, locate};
use crate::rows::Rows;
use crate::spreadsheet::scan;
use crate::spreadsheet::sheet::TakeSheet;
use crate::value::{TakeCells, Value};
use crate::{ContentError, ReadError, ReadOptions};

/// Reads a sheet; the files before this one have `before` rows.
pub(crate) fn read(input: Input, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    let mut sheet = SheetRows::new(options, before, false);
    if !scan(input, options, &mut sheet)? {
        return Err(no_rows().into());
    }
    Ok(Content { columns: sheet.header, parts: sheet.rows.finish()? })
}

/// Reads its first row.
pub(crate) fn check(input: Input, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    let mut sheet = SheetRows::new(options, 0, true);
    scan(input, options, &mut sheet)?;
    Ok(sheet.header)
}

struct SheetRows<'a> {
    options: &'a ReadOptions<'a>,
    rows: Rows<'a>,
    header: Vec<String>,
    /// Role of each column.
    roles: Vec<Option<Role>>,
    header_only: bool,
}

impl<'a> SheetRows<'a> {
    fn new(options: &'a ReadOptions<'a>, before: u64, header_only: bool) -> SheetRows<'a> {
        let rows = Rows::new(options, before);
        SheetRows { options, rows, header: Vec::new(), roles: Vec::new(), header_only }
    }
}

impl TakeCells for SheetRows<'_> {
    fn begin_row(&mut self) -> Result<bool, ReadError> {
        Ok(!self.header_only && self.rows.begin_row())
    }

    fn set(&mut self, column: usize, value: Value) -> Result<(), Box<ContentError>> {
        let role = self.roles.get(column).copied().flatten();
        role.map_or(Ok(()), |role| self.rows.set(role, value))
    }

    fn end_row(&mut self) -> Result<bool, ReadError> {
        self.rows.end_row()
    }

    fn fail(&mut self, error: ContentError) {
        self.rows.fail(error);
    }
}

impl TakeSheet for SheetRows<'_> {
    fn header(&mut self, names: Vec<String>) -> Result<(), ReadError> {
        self.roles.resize(names.len(), None);
        for (place, role) in locate(&names, &self.options.columns)? {
            self.roles[place] = Some(role);
        }
        self.header = names;
        Ok(())
    }
}
