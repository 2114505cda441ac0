//! Workbooks of Excel 97 to 2003 (BIFF8 in a compound file), as small as they can be.

use std::io::{Cursor, Write};

use cfb::{CompoundFile, Version};

use super::workbook::Cell;

const STYLE_OF_DATES: u16 = 1;

pub(crate) fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    [&kind.to_le_bytes()[..], &length.to_le_bytes(), data].concat()
}

/// A compound file with one stream.
pub(crate) fn compound(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut file = CompoundFile::create_with_version(Version::V3, Cursor::new(Vec::new())).unwrap();
    file.create_stream(name).unwrap().write_all(bytes).unwrap();
    file.flush().unwrap();
    file.into_inner().into_inner()
}

pub(crate) fn xls(sheets: &[(&str, Vec<Vec<Cell>>)]) -> Vec<u8> {
    let sheets: Vec<_> = sheets.iter().map(|(name, rows)| (*name, rows_of(rows))).collect();
    compound("/Workbook", &stream(&sheets, &[]))
}

/// The stream of a workbook: globals, with `more` records among them, and sheets of which the records are given.
pub(crate) fn stream(sheets: &[(&str, Vec<u8>)], more: &[u8]) -> Vec<u8> {
    let mut globals = begin(0x0005);
    globals.extend(record(0x0042, &1200_u16.to_le_bytes()));
    for format in [0_u16, 22] {
        let mut style = [0; 20];
        style[2..4].copy_from_slice(&format.to_le_bytes());
        globals.extend(record(0x00E0, &style));
    }
    globals.extend(more);
    let names: usize = sheets.iter().map(|(name, _)| 12 + name.len()).sum();
    let mut place = globals.len() + names + 4;
    let mut bodies = Vec::new();
    for (name, cells) in sheets {
        let body = [begin(0x0010), cells.clone(), record(0x000A, &[])].concat();
        let length = u8::try_from(name.len()).unwrap();
        let head = [&u32::try_from(place).unwrap().to_le_bytes()[..], &[0, 0, length, 0], name.as_bytes()];
        globals.extend(record(0x0085, &head.concat()));
        place += body.len();
        bodies.extend(body);
    }
    globals.extend(record(0x000A, &[]));
    [globals, bodies].concat()
}

/// The records of a sheet's cells.
pub(crate) fn rows_of(rows: &[Vec<Cell>]) -> Vec<u8> {
    let mut out = Vec::new();
    for (row, cells) in (0_u16..).zip(rows) {
        for (column, cell) in (0_u16..).zip(cells) {
            out.extend(cell_record(row, column, cell));
        }
    }
    out
}

pub(crate) fn cell_record(row: u16, column: u16, cell: &Cell) -> Vec<u8> {
    let placed = |kind: u16, style: u16, value: &[u8]| {
        record(kind, &[&row.to_le_bytes()[..], &column.to_le_bytes(), &style.to_le_bytes(), value].concat())
    };
    match cell {
        Cell::Empty => Vec::new(),
        Cell::Text(text) | Cell::Inline(text) => placed(0x0204, 0, &unicode(text)),
        Cell::Number(value) => placed(0x0203, 0, &value.to_le_bytes()),
        Cell::Date(value) => placed(0x0203, STYLE_OF_DATES, &value.to_le_bytes()),
        Cell::Boolean(value) => placed(0x0205, 0, &[u8::from(*value), 0]),
        Cell::Error(text) => placed(0x0205, 0, &[if *text == "#N/A" { 0x2A } else { 0x07 }, 1]),
        Cell::Formula(value) => {
            // A text as the result, which is missing here, is marked by the last two bytes.
            let value = value.map_or([0, 0, 0, 0, 0, 0, 0xFF, 0xFF], f64::to_le_bytes);
            placed(0x0006, 0, &[&value[..], &[0; 6], &[3, 0, 0x1E, 1, 0]].concat())
        }
    }
}

fn unicode(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut out = u16::try_from(units.len()).unwrap().to_le_bytes().to_vec();
    out.push(1);
    out.extend(units.into_iter().flat_map(u16::to_le_bytes));
    out
}

fn begin(what: u16) -> Vec<u8> {
    let mut data = [0; 16];
    data[..2].copy_from_slice(&0x0600_u16.to_le_bytes());
    data[2..4].copy_from_slice(&what.to_le_bytes());
    record(0x0809, &data)
}
