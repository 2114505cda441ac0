//! Splits text into records of cells.

use std::borrow::Cow;

use crate::ContentError;
use crate::csv::{Cells, DELIMITERS, End, carriage_returns, text_after_quote, unclosed_quote};
use crate::refusals::{empty_file, too_many_columns};

/// Number of records by which a delimiter is judged.
const JUDGED: usize = 100;

/// The records of a text; the first is the header.
#[derive(Debug, Default)]
pub(crate) struct Records<'a> {
    pub(crate) header: Vec<Cow<'a, str>>,
    pub(crate) rows: Vec<Vec<Cow<'a, str>>>,
    /// Whether any cell is quoted.
    pub(crate) quoted: bool,
    /// Whether the text ends with an incomplete record.
    pub(crate) rest: bool,
}

/// Reads all complete records; of a truncated text, the last record only counts with its line end.
pub(crate) fn read_records(
    text: &str,
    cut: bool,
    delimiter: u8,
    max_columns: usize,
) -> Result<Records<'_>, Box<ContentError>> {
    let mut cursor = Cells::new(text.as_bytes(), delimiter);
    let Some(header) = next_record(&mut cursor, cut, max_columns) else {
        return Err(Box::new(empty_file()));
    };
    let header = match header {
        Record::Whole(cells) => Ok(cells),
        Record::TooWide(columns) => Err(too_many_columns(columns, max_columns)),
        Record::Broken => Err(text_after_quote()),
        Record::Cut if cut => Err(header_too_long()),
        Record::Cut => Err(unclosed_quote()),
    }?;
    if !text.contains('\n') && text.trim_ascii_end().contains('\r') {
        return Err(Box::new(carriage_returns()));
    }
    let mut records = Records { quoted: header.quoted, header: header.texts, ..Records::default() };
    records.header.iter_mut().for_each(|name| *name = Cow::Owned(name.trim().to_owned()));
    while let Some(record) = next_record(&mut cursor, cut, max_columns) {
        let Record::Whole(cells) = record else {
            records.rest = true;
            break;
        };
        records.quoted |= cells.quoted;
        records.rows.push(cells.texts);
    }
    Ok(records)
}

/// The delimiter with which most records have as many cells as the header, and more than one; among equals, the first.
pub(crate) fn find_delimiter(text: &str, cut: bool, max_columns: usize) -> u8 {
    let judged =
        DELIMITERS.into_iter().map(|delimiter| (delimiter, judge(text, cut, delimiter, max_columns)));
    judged.rev().max_by_key(|(_, verdict)| *verdict).map_or(b',', |(delimiter, _)| delimiter)
}

/// The greatest verdict wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Verdict {
    several_columns: bool,
    /// No quotes occur within cells, as they do with a wrong delimiter.
    clean: bool,
    /// Percentage of records with as many cells as the header.
    agreeing: usize,
    columns: usize,
}

fn judge(text: &str, cut: bool, delimiter: u8, max_columns: usize) -> Verdict {
    let mut cursor = Cells::new(text.as_bytes(), delimiter);
    let verdict = |several_columns, columns| Verdict { several_columns, clean: true, agreeing: 0, columns };
    let header = match next_record(&mut cursor, cut, max_columns) {
        Some(Record::Whole(header)) => header,
        Some(Record::TooWide(columns)) => return verdict(true, columns),
        _ => return verdict(false, 0),
    };
    let columns = header.texts.len();
    let (mut agreeing, mut seen, mut clean) = (1, 1, !header.stray);
    while seen < JUDGED
        && let Some(record) = next_record(&mut cursor, cut, max_columns)
    {
        match &record {
            Record::Whole(cells) => {
                agreeing += usize::from(cells.texts.len() == columns);
                clean &= !cells.stray;
            }
            Record::Cut if cut => break,
            Record::TooWide(_) | Record::Cut | Record::Broken => {}
        }
        seen += 1;
        if matches!(record, Record::Cut | Record::Broken) {
            break;
        }
    }
    Verdict { several_columns: columns > 1, clean, agreeing: agreeing * 100 / seen, columns }
}

struct RecordCells<'a> {
    texts: Vec<Cow<'a, str>>,
    /// Whether any cell is quoted.
    quoted: bool,
    /// Whether any unquoted cell contains a quote.
    stray: bool,
}

enum Record<'a> {
    Whole(RecordCells<'a>),
    /// The record has this many cells.
    TooWide(usize),
    /// Text follows the closing quote of a cell.
    Broken,
    /// The text ends inside the record.
    Cut,
}

/// `None` at the end of the text.
fn next_record<'a>(cursor: &mut Cells<'a>, cut: bool, max_columns: usize) -> Option<Record<'a>> {
    let bytes = cursor.bytes;
    let blank = |byte: &u8| matches!(byte, b'\n' | b'\r');
    cursor.at += bytes[cursor.at..].iter().take_while(|byte| blank(byte)).count();
    if bytes[cursor.at..].iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let mut record = RecordCells { texts: Vec::new(), quoted: false, stray: false };
    let mut columns = 0;
    loop {
        let quoted = bytes.get(cursor.at) == Some(&b'"');
        let start = cursor.at;
        let Some((cell, end)) = cursor.next() else {
            let closed =
                crate::csv::closing_quote(bytes, start + 1).is_some_and(|quote| quote + 1 < bytes.len());
            return Some(if closed { Record::Broken } else { Record::Cut });
        };
        columns += 1;
        record.quoted |= quoted;
        record.stray |= !quoted && cell.contains(&b'"');
        if columns <= max_columns {
            // Cells end at ASCII characters, so they are valid text if the whole is.
            record.texts.push(match cell {
                Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
                Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
            });
        }
        if end == End::Line {
            break;
        }
    }
    // A record at the end of the text may continue in the part of the file that is not here.
    if cut && bytes.get(cursor.at.wrapping_sub(1)) != Some(&b'\n') {
        return Some(Record::Cut);
    }
    Some(if columns > max_columns { Record::TooWide(columns) } else { Record::Whole(record) })
}

fn header_too_long() -> ContentError {
    ContentError::new(
        "cell_too_long",
        crate::Kind::Content,
        "The header is longer than the part of the file that a preview reads",
    )
    .suggestion("Shorten the names of the columns, or check that every quoted cell is closed.")
}
