//! Spreadsheets. `calamine` reads the cells; what it would take at its word is checked before it sees the file.

mod cells;
mod compound;
mod package;
mod parts;
mod profile;
mod records;
mod sheet;
mod xls;
mod xlsx;

use std::panic::{AssertUnwindSafe, catch_unwind};

use profile::ProfiledCells;
use sheet::Sheet;

use crate::column_profile::Profile;
use crate::content::Content;
use crate::input::Input;
use crate::rows::Value;
use crate::{ContentError, Kind, ReadError, ReadOptions, shorten};

pub(crate) use sheet::{check_place, put_name};

/// Rows and columns that a sheet of either kind can have.
const MAX_ROWS: u32 = 1_048_576;
const MAX_COLUMNS: u32 = 16_384;
/// Sheets that a message lists.
const LISTED: usize = 20;

/// Reads a sheet of an Office Open XML workbook; `before` rows lie in the files before this one.
pub(crate) fn read_xlsx(input: Input, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    sheet(options, before, false, |sheet| xlsx::read(input, options, sheet))
}

/// Reads its first row.
pub(crate) fn check_xlsx(input: Input, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    Ok(sheet(options, 0, true, |sheet| xlsx::read(input, options, sheet))?.columns)
}

/// Reads a sheet of an old workbook; `before` rows lie in the files before this one.
pub(crate) fn read_xls(input: Input, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    sheet(options, before, false, |sheet| xls::read(input, options, sheet))
}

/// Reads its first row.
pub(crate) fn check_xls(input: Input, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    Ok(sheet(options, 0, true, |sheet| xls::read(input, options, sheet))?.columns)
}

/// Looks at the first `rows` rows of a sheet of an Office Open XML workbook.
pub(crate) fn profile_xlsx(input: Input, options: &ReadOptions, rows: u64) -> Result<Profile, ReadError> {
    guarded(|| {
        let mut cells = ProfiledCells::new(options, rows);
        xlsx::read(input, options, &mut cells)?;
        cells.finish()
    })
}

/// Looks at the first `rows` rows of a sheet of an old workbook.
pub(crate) fn profile_xls(input: Input, options: &ReadOptions, rows: u64) -> Result<Profile, ReadError> {
    guarded(|| {
        let mut cells = ProfiledCells::new(options, rows);
        xls::read(input, options, &mut cells)?;
        cells.finish()
    })
}

/// Hands the cells of a sheet of an Office Open XML workbook over.
pub(crate) fn visit_xlsx(
    input: Input,
    options: &ReadOptions,
    cells: &mut impl TakeCells,
) -> Result<(), ReadError> {
    guarded(|| xlsx::read(input, options, cells))
}

/// Hands the cells of a sheet of an old workbook over.
pub(crate) fn visit_xls(
    input: Input,
    options: &ReadOptions,
    cells: &mut impl TakeCells,
) -> Result<(), ReadError> {
    guarded(|| xls::read(input, options, cells))
}

/// Takes the cells of a sheet in, row by row.
pub(crate) trait TakeCells {
    /// Takes a cell in; `false` when no further cell need be read.
    fn cell(&mut self, place: (u32, u32), value: Value) -> Result<bool, ReadError>;
}

fn sheet(
    options: &ReadOptions,
    before: u64,
    header_only: bool,
    read: impl FnOnce(&mut Sheet) -> Result<(), ReadError>,
) -> Result<Content, ReadError> {
    guarded(|| {
        let mut sheet = Sheet::new(options, before, header_only);
        read(&mut sheet)?;
        sheet.finish()
    })
}

/// Runs code that decodes what strangers wrote: the crates panic on some broken files, and a broken file is no fault of ours.
fn guarded<T>(work: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(corrupt("it cannot be decoded").into()))
}

fn corrupt(reason: &str) -> ContentError {
    ContentError::new("corrupt_file", Kind::Unsupported, format!("The spreadsheet is damaged: {reason}"))
        .suggestion("Save the workbook again, or export the sheet as CSV.")
}

fn encrypted() -> ContentError {
    ContentError::new("encrypted_file", Kind::Unsupported, "The workbook is protected by a password")
        .suggestion("Remove the password and save the workbook again, or export the sheet as CSV.")
}

fn limit(message: impl Into<String>) -> ContentError {
    ContentError::new("decompression_limit", Kind::TooLarge, message)
        .suggestion("Export the sheet as CSV, or send fewer rows.")
}

/// The sheet that was asked for, or the first.
fn choose<'a>(names: &'a [String], wanted: Option<&str>) -> Result<&'a str, Box<ContentError>> {
    let found = match wanted {
        Some(wanted) => names.iter().find(|name| *name == wanted),
        None => names.first(),
    };
    found.map(String::as_str).ok_or_else(|| {
        let Some(wanted) = wanted else { return corrupt("it has no sheet with cells").into() };
        let mut listed = names
            .iter()
            .take(LISTED)
            .map(|name| format!("'{}'", shorten(name)))
            .collect::<Vec<_>>()
            .join(", ");
        if names.len() > LISTED {
            listed = format!("{listed} and {} more", names.len() - LISTED);
        }
        let message = format!("There is no sheet '{}'; the workbook has {listed}", shorten(wanted));
        ContentError::new("missing_sheet", Kind::Content, message)
            .suggestion("Set sheet_name to one of them, or leave it out for the first sheet.")
            .into()
    })
}
