//! Office Open XML workbooks, cell by cell.

use std::fs::File;
use std::io::BufReader;

use calamine::{Reader, SheetType, Xlsx, XlsxError};

use crate::input::Input;
use crate::sniff::{foreign_to_xlsx, is_compound};
use crate::spreadsheet::sheet::{Sheet, TakeSheet};
use crate::spreadsheet::{cells, choose, compound, corrupt, package};
use crate::{ReadError, ReadOptions};

/// Passes the cells of the requested sheet to `sheet`.
pub(super) fn read(
    input: Input,
    options: &ReadOptions,
    sheet: &mut Sheet<impl TakeSheet>,
) -> Result<(), ReadError> {
    if let Some(error) = foreign_to_xlsx(&input.start) {
        return Err(error.into());
    }
    if is_compound(&input.start) {
        return Err(compound::not_xlsx(input).into());
    }
    package::check(&input, options)?;
    let mut workbook: Xlsx<BufReader<File>> = Xlsx::new(BufReader::new(input.file)).map_err(decoding)?;
    let names: Vec<String> = (workbook.sheets_metadata().iter())
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
        .map(|sheet| sheet.name.clone())
        .collect();
    let name = choose(&names, options.sheet.as_deref())?;
    let mut cells = workbook.worksheet_cells_reader(name).map_err(decoding)?;
    let mut text = String::new();
    while let Some(cell) = cells.next_cell().map_err(decoding)? {
        if !sheet.cell(cell.get_position(), cells::streamed(cell.get_value(), &mut text))? {
            break;
        }
    }
    Ok(())
}

fn decoding(error: XlsxError) -> ReadError {
    match error {
        XlsxError::Io(error) if error.raw_os_error().is_some() => error.into(),
        error => corrupt(&error.to_string()).into(),
    }
}
