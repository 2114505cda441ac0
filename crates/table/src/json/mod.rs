//! JSON: an array of row objects, or an object a line.
//!
//! Parsed as it is read, on one thread; what is kept is the cells of the columns that are asked for.

mod bounds;
pub(crate) mod cell;
mod profile;
mod table;

use std::io::{BufRead, BufReader, Read};

use bounds::Bounded;
use serde::Deserializer as _;
use serde::de::DeserializeSeed;
use serde_json::Deserializer;

use crate::content::Content;
use crate::csv::record_too_long;
use crate::input::Text;
use crate::refusals::empty_file;
use crate::{ReadError, ReadOptions, sniff};

pub(crate) use profile::{profile_array, profile_lines};
pub(crate) use table::explain;
use table::{Array, Table};

/// Bytes that are read at a time.
const BUFFER: usize = 256 * 1024;
/// Longest line of JSONL, whatever the limits would allow.
const MAX_LINE: u64 = 64 * 1024 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads an array of objects; `before` rows lie in the files before this one.
pub(crate) fn read_array(text: Text, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    array(text, Table::new(options, before, false), options)
}

/// Reads the first objects of an array. JSON has no header, so there are no names to compare.
pub(crate) fn check_array(text: Text, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    array(text, Table::new(options, 0, true), options).and_then(first_error)
}

/// Reads an object a line; `before` rows lie in the files before this one.
pub(crate) fn read_lines(text: Text, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    lines(text, Table::new(options, before, false), options)
}

/// Reads the first lines.
pub(crate) fn check_lines(text: Text, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    lines(text, Table::new(options, 0, true), options).and_then(first_error)
}

fn array(text: Text, mut table: Table, options: &ReadOptions) -> Result<Content, ReadError> {
    let mut reader = open(text, options)?;
    if skip_blanks(&mut reader)? {
        return Err(empty_file().into());
    }
    let mut deserializer = Deserializer::from_reader(reader);
    let parsed = deserializer.deserialize_seq(Array(&mut table)).and_then(|()| deserializer.end());
    let is_whole = table.parsed(parsed)?;
    Ok(Content { columns: Vec::new(), parts: table.finish(is_whole)? })
}

fn lines(text: Text, mut table: Table, options: &ReadOptions) -> Result<Content, ReadError> {
    let mut reader = open(text, options)?;
    if skip_blanks(&mut reader)? {
        return Err(empty_file().into());
    }
    let mut line = Vec::new();
    let mut is_whole = true;
    while is_whole && next_line(&mut reader, &mut line)? {
        let mut deserializer = Deserializer::from_slice(&line);
        let parsed = (&mut table).deserialize(&mut deserializer).and_then(|()| deserializer.end());
        is_whole = table.parsed(parsed)?;
    }
    Ok(Content { columns: Vec::new(), parts: table.finish(is_whole)? })
}

/// Reads the next line that is not blank; `false` at the end.
pub(crate) fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, ReadError> {
    loop {
        line.clear();
        if reader.by_ref().take(MAX_LINE).read_until(b'\n', line)? == 0 {
            return Ok(false);
        }
        if line.len() as u64 == MAX_LINE {
            return Err(record_too_long().into());
        }
        if !line.trim_ascii().is_empty() {
            return Ok(true);
        }
    }
}

/// The text without its byte order mark, in bounds.
pub(crate) fn open(mut text: Text, options: &ReadOptions) -> Result<impl BufRead, ReadError> {
    if let Some(error) = sniff::foreign_to_json(&text.start) {
        return Err(error.into());
    }
    if text.start.starts_with(BYTE_ORDER_MARK) {
        text.reader.read_exact(&mut [0; BYTE_ORDER_MARK.len()])?;
    }
    Ok(BufReader::with_capacity(BUFFER, Bounded::new(text.reader, options.limits.max_cell_chars)))
}

/// Goes to the first byte that is not blank; `true` when there is none.
pub(crate) fn skip_blanks(reader: &mut impl BufRead) -> Result<bool, ReadError> {
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        let blanks = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let is_all = blanks == bytes.len();
        reader.consume(blanks);
        if !is_all {
            return Ok(false);
        }
    }
}

/// What ended the read of the first objects, unless they were enough.
fn first_error(content: Content) -> Result<Vec<String>, ReadError> {
    let fatal = content.parts.into_iter().flat_map(|part| part.batches).find_map(|batch| batch.fatal);
    match fatal {
        Some((error, Some(row))) => Err(error.row(row + 1).into()),
        Some((error, None)) => Err(error.into()),
        None => Ok(content.columns),
    }
}
