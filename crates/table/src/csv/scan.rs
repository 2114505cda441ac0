//! Scans the blocks of a file, and the records of a block.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::csv::blocks::{Block, Blocks, closing_quote};
use crate::csv::cells::{Cells, End};
use crate::csv::header::Header;
use crate::csv::refusals::{cell_too_long, not_utf8, nul_bytes, text_after_quote, unclosed_quote};
use crate::{ContentError, ReadError, ReadOptions, shorten};

/// Passes the blocks of a file to `take`, on as many threads as the current pool has, each with a part of its own.
/// `take` returns whether it needs a further block.
///
/// Threads take turns at cutting the next block off the file, and parse it outside the lock.
pub(crate) fn scan<P: Send>(
    blocks: Blocks,
    options: &ReadOptions,
    part: impl Fn() -> P + Sync,
    take: impl Fn(&mut P, Block, &[u8]) -> Result<bool, ReadError> + Sync,
) -> Result<Vec<P>, ReadError> {
    let blocks = Mutex::new(blocks);
    // Set when no further block is needed; blocks are cut in order, so all earlier ones are still finished.
    let stop = AtomicBool::new(false);
    let work = || {
        let mut part = part();
        let mut bytes = Vec::new();
        loop {
            if options.cancel.load(Ordering::Relaxed) {
                return Err(ReadError::Cancelled);
            }
            // If a thread panicked while it held the lock, the whole read fails; the others only need to end.
            let mut blocks = blocks.lock().unwrap_or_else(PoisonError::into_inner);
            if stop.load(Ordering::Relaxed) {
                return Ok(part);
            }
            let block = blocks.next(&mut bytes).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            // Which rows come before the last one to read is only known if blocks are read one after the other.
            let turn = options.limits.stop_after.is_some().then_some(blocks);
            let Some(block) = block else { return Ok(part) };
            let goes_on = take(&mut part, block, &bytes);
            if !matches!(goes_on, Ok(true)) {
                stop.store(true, Ordering::Relaxed);
            }
            goes_on?;
            drop(turn);
        }
    };
    rayon::broadcast(|_| work()).into_iter().collect()
}

/// The outcome of reading the records of a block.
pub(crate) struct Records {
    pub(crate) count: u64,
    /// The error that ended the read here, with the 0-based row in the block if known.
    pub(crate) fatal: Option<(ContentError, Option<u64>)>,
    /// Whether the block has more records than were wanted.
    pub(crate) truncated: bool,
}

/// Reads the records of a block, at most `most` of them. `read` gets a cursor at a record and the number of that
/// record; it returns `None` if a quote is never closed, or closed before the end of its cell.
#[inline]
pub(crate) fn read_records<'a>(
    bytes: &'a [u8],
    header: &Header,
    longest: usize,
    most: Option<u64>,
    mut read: impl FnMut(&mut Cells<'a>, u64) -> Option<()>,
) -> Records {
    let mut records = Records { count: 0, fatal: not_text(bytes), truncated: false };
    let mut cells = Cells::new(bytes, header.delimiter);
    while records.fatal.is_none() && cells.skip_blank_lines() {
        if Some(records.count) == most {
            records.truncated = true;
            return records;
        }
        let start = cells.at;
        let closed = read(&mut cells, records.count).is_some();
        if !closed || cells.at - start > longest {
            let record = if closed { &bytes[start..cells.at] } else { &bytes[start..] };
            records.fatal =
                broken_record(record, header, longest, closed).map(|error| (error, Some(records.count)));
        }
        records.count += u64::from(records.fatal.is_none());
    }
    records
}

/// Why a block is no text, and the line of the fault.
fn not_text(bytes: &[u8]) -> Option<(ContentError, Option<u64>)> {
    if let Some(at) = memchr::memchr(0, bytes) {
        return Some((nul_bytes(), Some(line_of(bytes, at))));
    }
    let error = std::str::from_utf8(bytes).err()?;
    Some((not_utf8(), Some(line_of(bytes, error.valid_up_to()))))
}

/// The error for a cell that is too long, never closed, or closed before its end, if the record has one.
fn broken_record(record: &[u8], header: &Header, longest: usize, closed: bool) -> Option<ContentError> {
    let too_long =
        |cell: &[u8]| cell.len() > longest && String::from_utf8_lossy(cell).chars().count() > longest;
    let mut cells = Cells::new(record, header.delimiter);
    for column in 0.. {
        let start = cells.at;
        match cells.next() {
            None if closing_quote(record, start + 1).is_some() => {
                let error = text_after_quote();
                return Some(match header.names.get(column) {
                    Some(name) => error.column(shorten(name)),
                    None => error,
                });
            }
            None if too_long(&record[start..]) => return Some(cell_too_long(longest)),
            None => return Some(unclosed_quote()),
            Some((cell, _)) if too_long(&cell) => return Some(cell_too_long(longest)),
            Some((_, End::Line)) if closed || cells.at >= record.len() => return None,
            Some(_) => {}
        }
    }
    None
}

/// The line of a byte, 0-based.
fn line_of(bytes: &[u8], at: usize) -> u64 {
    memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64
}
