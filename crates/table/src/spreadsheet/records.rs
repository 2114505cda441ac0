//! Reduces the records of an old workbook to those that a table needs.
//!
//! `calamine` allocates for the rows and columns that a sheet declares, and for the whole rectangle around its cells.
//! So it gets a stream without such declarations, and only if the rectangles are small enough.

use crate::spreadsheet::{corrupt, encrypted, limit};
use crate::{ContentError, ReadError};

/// Maximum number of cells in the rectangles around the cells of all sheets.
const MAX_CELLS: u64 = 4_000_000;
/// Maximum size of the new stream in bytes; sheets may share their records.
const MAX_BYTES: usize = 128 * 1024 * 1024;
/// Maximum number of sheets in a workbook.
const MAX_SHEETS: usize = 255;

const BEGIN: u16 = 0x0809;
const END: u16 = 0x000A;
const ENCRYPTION: u16 = 0x002F;
const SHEET: u16 = 0x0085;
const TEXTS: u16 = 0x00FC;
const CONTINUED: u16 = 0x003C;
const FORMULA: u16 = 0x0006;
const FORMULA_TEXT: u16 = 0x0207;
const NUMBERS: u16 = 0x00BD;
/// Code page, epoch, number formats.
const GLOBALS: [u16; 4] = [0x0042, 0x0022, 0x041E, 0x00E0];
/// Number, texts of three kinds, boolean or error, packed number.
const CELLS: [u16; 6] = [0x0203, 0x0204, 0x00D6, 0x00FD, 0x0205, 0x027E];
/// Bytes of a formula record for its cell, format, value and flags. The formula itself follows.
const FORMULA_VALUE: usize = 20;

/// The records with cells, formats and texts, with the new positions of the sheets.
pub(crate) fn reduced(stream: &[u8]) -> Result<Vec<u8>, ReadError> {
    let mut out = Vec::new();
    let mut sheets = Vec::new();
    let mut is_text = false;
    for record in Records(stream) {
        let (kind, data) = record?;
        is_text = kind == TEXTS || (is_text && kind == CONTINUED);
        match kind {
            ENCRYPTION if data.iter().take(2).any(|byte| *byte != 0) => return Err(encrypted().into()),
            SHEET => {
                let Some(place) = data.first_chunk().map(|place| u32::from_le_bytes(*place)) else {
                    return Err(corrupt("a sheet has no place").into());
                };
                // Filled in when the sheet is written.
                sheets.push((place as usize, out.len() + 4));
                push(&mut out, kind, data);
            }
            _ if is_text || kind == BEGIN || GLOBALS.contains(&kind) => push(&mut out, kind, data),
            _ => {}
        }
        if kind == END {
            break;
        }
    }
    push(&mut out, END, &[]);
    if sheets.len() > MAX_SHEETS {
        return Err(limit(format!("The workbook has more than {MAX_SHEETS} sheets")).into());
    }
    let mut cells = 0;
    for (place, field) in sheets {
        let written = u32::try_from(out.len()).map_err(|_| too_many_cells())?;
        out[field..field + 4].copy_from_slice(&written.to_le_bytes());
        let records = stream.get(place..).ok_or_else(|| corrupt("a sheet lies beyond its end"))?;
        cells += push_sheet(records, &mut out)?;
        if cells > MAX_CELLS || out.len() > MAX_BYTES {
            return Err(too_many_cells().into());
        }
    }
    Ok(out)
}

/// Copies the cells of a sheet, and returns the number of cells in the rectangle around them.
fn push_sheet(records: &[u8], out: &mut Vec<u8>) -> Result<u64, ReadError> {
    let mut area = Area::default();
    let mut depth = 0;
    for record in Records(records) {
        let (kind, data) = record?;
        match kind {
            BEGIN => {
                depth += 1;
                if depth == 1 {
                    push(out, kind, data);
                }
            }
            END => {
                depth -= 1;
                if depth <= 0 {
                    break;
                }
            }
            // Charts in a sheet have cells of their own.
            _ if depth != 1 => {}
            FORMULA => {
                let value = data.get(..FORMULA_VALUE).ok_or_else(|| corrupt("a formula is cut off"))?;
                area.add(data)?;
                push(out, kind, &[value, &[0, 0]].concat());
            }
            NUMBERS => {
                area.add(data)?;
                // The last column is at the end of the record.
                if let (Some(row), Some(column)) = (data.get(..2), data.last_chunk::<2>()) {
                    area.add(&[row, column].concat())?;
                }
                push(out, kind, data);
            }
            FORMULA_TEXT => push(out, kind, data),
            _ if CELLS.contains(&kind) => {
                area.add(data)?;
                push(out, kind, data);
            }
            _ => {}
        }
        if out.len() > MAX_BYTES {
            return Err(too_many_cells().into());
        }
    }
    push(out, END, &[]);
    Ok(area.cells())
}

fn push(out: &mut Vec<u8>, kind: u16, data: &[u8]) {
    out.extend_from_slice(&kind.to_le_bytes());
    // A record is no longer than its length field declares.
    out.extend_from_slice(&(data.len() as u16).to_le_bytes());
    out.extend_from_slice(data);
}

fn too_many_cells() -> ContentError {
    limit(format!("The sheets of the .xls file reach over more than {MAX_CELLS} cells"))
}

/// The rectangle around cells.
#[derive(Default)]
struct Area {
    /// First and last row, first and last column.
    corners: Option<[u16; 4]>,
}

impl Area {
    /// Extends the area by the cell at the start of a record.
    fn add(&mut self, data: &[u8]) -> Result<(), Box<ContentError>> {
        let [row, _, column, _] = *data.first_chunk::<4>().ok_or_else(|| corrupt("a cell is cut off"))?;
        let (row, column) = (u16::from_le_bytes([row, data[1]]), u16::from_le_bytes([column, data[3]]));
        let [top, bottom, left, right] = self.corners.unwrap_or([row, row, column, column]);
        self.corners = Some([top.min(row), bottom.max(row), left.min(column), right.max(column)]);
        Ok(())
    }

    fn cells(&self) -> u64 {
        self.corners.map_or(0, |[top, bottom, left, right]| {
            (u64::from(bottom - top) + 1) * (u64::from(right - left) + 1)
        })
    }
}

/// Types and contents of records; ends after the last complete one.
struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = Result<(u16, &'a [u8]), ContentError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (head, rest) = self.0.split_first_chunk::<4>()?;
        let length = usize::from(u16::from_le_bytes([head[2], head[3]]));
        let Some((data, rest)) = rest.split_at_checked(length) else {
            self.0 = &[];
            return Some(Err(corrupt("a record is cut off")));
        };
        self.0 = rest;
        Some(Ok((u16::from_le_bytes([head[0], head[1]]), data)))
    }
}
