//! The text of a JSON file, with limits.

use std::io::{BufRead, BufReader, Read};

use super::bounds::Bounded;
use crate::csv::record_too_long;
use crate::input::Text;
use crate::refusals::empty_file;
use crate::{ReadError, ReadOptions, sniff};

/// Number of bytes read at a time.
const BUFFER: usize = 256 * 1024;
/// Longest line of JSONL, whatever the limits would allow.
const MAX_LINE: u64 = 64 * 1024 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text from its first byte that is not blank, without a byte order mark.
pub(super) fn open(mut text: Text, options: &ReadOptions) -> Result<impl BufRead, ReadError> {
    if let Some(error) = sniff::foreign_to_json(&text.start) {
        return Err(error.into());
    }
    if text.start.starts_with(BYTE_ORDER_MARK) {
        text.reader.read_exact(&mut [0; BYTE_ORDER_MARK.len()])?;
    }
    let bounded = Bounded::new(text.reader, options.limits.max_cell_chars);
    let mut reader = BufReader::with_capacity(BUFFER, bounded);
    if skip_blanks(&mut reader)? {
        return Err(empty_file().into());
    }
    Ok(reader)
}

/// Reads the next line that is not blank; `false` at the end.
pub(super) fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, ReadError> {
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

/// Skips to the first byte that is not blank; `true` if there is none.
fn skip_blanks(reader: &mut impl BufRead) -> Result<bool, ReadError> {
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
