//! Old workbooks (BIFF).

use calamine::{Reader, SheetType, Xls, XlsError};

use crate::input::Input;
use crate::sniff::foreign_to_xls;
use crate::spreadsheet::sheet::{Sheet, TakeSheet};
use crate::spreadsheet::{cells, choose, compound, corrupt, encrypted, records};
use crate::{ReadError, ReadOptions};

/// Passes the cells of the requested sheet to `sheet`.
pub(super) fn read(
    input: Input,
    options: &ReadOptions,
    sheet: &mut Sheet<impl TakeSheet>,
) -> Result<(), ReadError> {
    if let Some(error) = foreign_to_xls(&input.start) {
        return Err(error.into());
    }
    let reduced = records::reduced(&compound::read(input)?)?;
    let mut workbook = Xls::new(compound::rebuilt(&reduced)?).map_err(|error| match error {
        XlsError::Password => encrypted(),
        error => corrupt(&error.to_string()),
    })?;
    drop(reduced);
    let names: Vec<String> = (workbook.sheets_metadata().iter())
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
        .map(|sheet| sheet.name.clone())
        .collect();
    let name = choose(&names, options.sheet.as_deref())?;
    let range = workbook.worksheet_range(name).map_err(|error| corrupt(&error.to_string()))?;
    drop(workbook);
    let (first_row, first_column) = range.start().unwrap_or_default();
    let mut text = String::new();
    'rows: for (row, cells) in (first_row..).zip(range.rows()) {
        for (column, cell) in (first_column..).zip(cells) {
            if !sheet.cell((row, column), cells::held(cell, &mut text))? {
                break 'rows;
            }
        }
    }
    Ok(())
}
