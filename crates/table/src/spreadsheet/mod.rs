//! Spreadsheets. `calamine` reads the cells; sizes that it would trust are checked before it sees the file.

mod cells;
mod compound;
mod package;
mod panel;
mod parts;
mod records;
mod sheet;
mod xls;
mod xlsx;

use std::panic::{AssertUnwindSafe, catch_unwind};

use sheet::Sheet;

use crate::input::Input;
use crate::{ContentError, FileFormat, Kind, ReadError, ReadOptions, shorten};

pub(crate) use panel::{check, read};
pub(crate) use sheet::TakeSheet;

/// Maximum number of sheets in a message.
const LISTED: usize = 20;

/// Passes the rows of the requested sheet to `rows`. Returns whether there is a row below the header.
pub(crate) fn scan(
    input: Input,
    options: &ReadOptions,
    rows: &mut impl TakeSheet,
) -> Result<bool, ReadError> {
    // The crates panic on some broken files, and a broken file is not a bug of ours.
    catch_unwind(AssertUnwindSafe(|| {
        let mut sheet = Sheet::new(&options.limits, rows);
        match options.format {
            FileFormat::Xls => xls::read(input, options, &mut sheet)?,
            _ => xlsx::read(input, options, &mut sheet)?,
        }
        sheet.finish()
    }))
    .unwrap_or_else(|_| Err(corrupt("it cannot be decoded").into()))
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

/// The requested sheet, or the first.
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
