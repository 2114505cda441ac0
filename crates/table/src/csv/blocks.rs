//! Cuts a file into blocks of whole records.

use std::io::{self, Read};

use memchr::{memchr, memchr2, memrchr};

use crate::csv::refusals::record_too_long;
use crate::{ContentError, Limits};

/// A block fits into the cache of one core, with the columns parsed from it.
const BLOCK: usize = 512 * 1024;
/// The longest record, whatever the limits would allow.
const MAX_RECORD: usize = 64 * 1024 * 1024;

/// Cuts a file into blocks that end at the end of a record.
///
/// Plain reads rather than a memory map: memory stays flat, and a file that is truncated meanwhile causes an error
/// instead of a signal. Line ends within quotes do not end records. Blocks without a quote, nearly all, are cut at
/// their last line end; the others are followed from quote to quote.
pub(crate) struct Blocks {
    source: Box<dyn Read + Send>,
    delimiter: u8,
    /// Bytes that were read after the last record end.
    carry: Vec<u8>,
    next_index: u64,
    finished: bool,
    max_record: usize,
}

/// Why a file has no header followed by a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoHeader {
    /// Nothing but blanks.
    Blank,
    /// Only a header.
    NoRows,
    /// A quote in the header encloses all that follows.
    UnclosedQuote,
    /// No line feeds, but carriage returns.
    CarriageReturns,
}

/// The number of the block, and whether its last record is truncated because it is too long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub(crate) index: u64,
    torn: bool,
}

impl Block {
    /// The error for a block whose last record is truncated, with the row of that record, given the number of records
    /// in the block.
    pub(crate) fn too_long(self, records: u64) -> Option<(ContentError, Option<u64>)> {
        self.torn.then(|| (record_too_long(), records.checked_sub(1)))
    }
}

impl Blocks {
    pub(crate) fn new(source: Box<dyn Read + Send>, limits: &Limits) -> Blocks {
        let widest =
            limits.max_cell_chars.saturating_add(1).saturating_mul(4).saturating_mul(limits.max_columns);
        Blocks {
            source,
            delimiter: b',',
            carry: Vec::new(),
            next_index: 0,
            finished: false,
            max_record: widest.clamp(BLOCK, MAX_RECORD),
        }
    }

    pub(crate) fn set_delimiter(&mut self, delimiter: u8) {
        self.delimiter = delimiter;
    }

    /// The first record that is not blank, without a byte order mark and its line end.
    pub(crate) fn header_line(&mut self) -> io::Result<Result<Vec<u8>, NoHeader>> {
        let mut bytes = Vec::new();
        loop {
            let complete = self.fill(&mut bytes, BLOCK)?;
            let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let blanks =
                bytes[mark..].iter().take_while(|byte| byte.is_ascii_whitespace() && **byte != b'\t').count();
            let start = mark + blanks;
            match header_end(&bytes[start..]) {
                Some(length) => {
                    self.carry = bytes.split_off(start + length + 1);
                    self.finished = complete && self.carry.is_empty();
                    bytes.truncate(start + length);
                    let line = bytes.split_off(start);
                    return Ok(Ok(line));
                }
                None if complete || bytes.len() > self.max_record => match no_header(&bytes[start..]) {
                    // Too long for a header: the part of it has too many columns or too long a cell.
                    NoHeader::NoRows if !complete => return Ok(Ok(bytes.split_off(start))),
                    reason => return Ok(Err(reason)),
                },
                None => {}
            }
        }
    }

    /// Replaces `bytes` with the next block; `None` at the end of the file.
    pub(crate) fn next(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<Block>> {
        bytes.clear();
        if self.finished {
            return Ok(None);
        }
        bytes.append(&mut self.carry);
        let mut wanted = BLOCK;
        let mut torn = false;
        loop {
            let complete = self.fill(bytes, wanted)?;
            if complete {
                self.finished = true;
                if bytes.is_empty() {
                    return Ok(None);
                }
            } else if let Some(end) = last_record_end(bytes, self.delimiter) {
                self.carry.extend_from_slice(&bytes[end..]);
                bytes.truncate(end);
            } else if bytes.len() < self.max_record {
                wanted = bytes.len();
                continue;
            } else {
                self.finished = true;
                torn = true;
                drop_partial_char(bytes);
            }
            self.next_index += 1;
            return Ok(Some(Block { index: self.next_index - 1, torn }));
        }
    }

    /// Appends up to `wanted` bytes; `true` at the end of the file.
    fn fill(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> io::Result<bool> {
        bytes.reserve(wanted);
        Ok(self.source.by_ref().take(wanted as u64).read_to_end(bytes)? < wanted)
    }
}

/// Index of the header's line end. The delimiter is not known yet, so a quote after any possible delimiter opens a
/// cell.
fn header_end(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr2(b'"', b'\n', &bytes[from..])?;
        if bytes[at] == b'\n' {
            return Some(at);
        }
        let opens = at == 0 || DELIMITERS.contains(&bytes[at - 1]);
        from = if opens { closing_quote(bytes, at + 1)? + 1 } else { at + 1 };
    }
}

/// Why these bytes contain no complete header.
fn no_header(bytes: &[u8]) -> NoHeader {
    if bytes.is_empty() {
        NoHeader::Blank
    } else if memchr(b'\n', bytes).is_some() {
        NoHeader::UnclosedQuote
    } else if memchr(b'\r', bytes.trim_ascii_end()).is_some() {
        NoHeader::CarriageReturns
    } else {
        NoHeader::NoRows
    }
}

/// Removes a truncated character from the end, so that valid UTF-8 stays valid.
fn drop_partial_char(bytes: &mut Vec<u8>) {
    for _ in 0..3 {
        if bytes.last().is_some_and(|byte| !byte.is_ascii()) {
            bytes.pop();
        }
    }
}

/// The end of the last complete record; the bytes start at the beginning of a record.
fn last_record_end(bytes: &[u8], delimiter: u8) -> Option<usize> {
    let Some(mut quote) = memchr(b'"', bytes) else {
        return memrchr(b'\n', bytes).map(|at| at + 1);
    };
    let mut end = memrchr(b'\n', &bytes[..quote]).map(|at| at + 1);
    // Only a quote at the start of a cell opens it; a doubled quote inside does not close it.
    loop {
        let opens = quote == 0 || bytes[quote - 1] == delimiter || bytes[quote - 1] == b'\n';
        let outside = if opens { closing_quote(bytes, quote + 1)? + 1 } else { quote + 1 };
        let next = memchr(b'"', &bytes[outside.min(bytes.len())..]).map(|at| outside + at);
        let stretch = &bytes[outside.min(bytes.len())..next.unwrap_or(bytes.len())];
        if let Some(at) = memrchr(b'\n', stretch) {
            end = Some(outside + at + 1);
        }
        match next {
            Some(next) => quote = next,
            None => return end,
        }
    }
}

/// Index of the quote that closes the cell whose content starts at `from`.
pub(crate) fn closing_quote(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let at = from + memchr(b'"', bytes.get(from..)?)?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        from = at + 2;
    }
}

pub(crate) const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
