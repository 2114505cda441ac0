//! Delimited text.

mod blocks;
mod cells;
mod header;
mod ids;
mod profile;
mod records;
mod refusals;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use blocks::NoHeader;

use crate::batch::{Batch, Part};
use crate::content::Content;
use crate::input::Text;
use crate::refusals::{empty_file, no_rows};
use crate::{ReadError, ReadOptions, sniff};

pub(crate) use blocks::DELIMITERS;
pub(crate) use blocks::{Blocks, closing_quote};
pub(crate) use cells::{Cells, End};
pub(crate) use header::{Header, split_names};
pub(crate) use profile::profile;
use records::read_records;
pub(crate) use records::{broken_record, not_text};
pub(crate) use refusals::{
    carriage_returns, cell_too_long, nul_bytes, record_too_long, text_after_quote, unclosed_quote,
};

/// Reads the first line: whether this is delimited text that has the columns. Gives the names of all columns.
pub(crate) fn check_header(text: Text, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    open(text, options).map(|(header, _)| header.names)
}

/// Reads all rows, with as many threads as the current pool has; `before` rows lie in the files before this one.
///
/// Threads take turns at cutting the next block off the file, and parse it outside the lock.
pub(crate) fn read(text: Text, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    let (header, blocks) = open(text, options)?;
    let shared = Shared {
        blocks: Mutex::new(blocks),
        stop: AtomicBool::new(false),
        records: AtomicU64::new(before),
        header,
        options,
    };
    let parts = rayon::broadcast(|_| shared.work()).into_iter().collect::<Result<_, _>>()?;
    Ok(Content { columns: shared.header.names, parts })
}

/// The header, and the blocks of rows behind it.
fn open(text: Text, options: &ReadOptions) -> Result<(Header, Blocks), ReadError> {
    let (line, mut blocks) = open_at_header(text, options)?;
    let header = Header::parse(&line, options)?;
    blocks.set_delimiter(header.delimiter);
    Ok((header, blocks))
}

/// The line of the header, and the blocks behind it.
pub(crate) fn open_at_header(text: Text, options: &ReadOptions) -> Result<(Vec<u8>, Blocks), ReadError> {
    if let Some(error) = sniff::foreign_to_csv(&text.start) {
        return Err(error.into());
    }
    let mut blocks = Blocks::new(text.reader, &options.limits);
    let line = blocks.header_line()?.map_err(|reason| match reason {
        NoHeader::Blank => empty_file(),
        NoHeader::NoRows => no_rows(),
        NoHeader::UnclosedQuote => unclosed_quote(),
        NoHeader::CarriageReturns => carriage_returns(),
    })?;
    Ok((line, blocks))
}

struct Shared<'a> {
    blocks: Mutex<Blocks>,
    /// Set when no further block need be read; blocks are handed out in order, so all earlier ones are still finished.
    stop: AtomicBool,
    records: AtomicU64,
    header: Header,
    options: &'a ReadOptions<'a>,
}

impl Shared<'_> {
    fn work(&self) -> Result<Part, ReadError> {
        let mut part = Part::new(&self.options.columns);
        let mut bytes = Vec::new();
        loop {
            if self.options.cancel.load(Ordering::Relaxed) {
                return Err(ReadError::Cancelled);
            }
            let mut blocks = self.lock();
            if self.stop.load(Ordering::Relaxed) {
                return Ok(part);
            }
            let block = blocks.next(&mut bytes).inspect_err(|_| self.stop.store(true, Ordering::Relaxed))?;
            let limits = &self.options.limits;
            // Which rows come before the one to stop after is known only when they are read one block after the other.
            let turn = limits.stop_after.is_some().then_some(blocks);
            let Some(block) = block else { return Ok(part) };
            let left =
                limits.stop_after.map(|rows| rows.saturating_sub(self.records.load(Ordering::Relaxed)));
            let rows = memchr::memchr_iter(b'\n', &bytes).count() + 1;
            let mut batch = Batch::with_capacity(block.index, rows, part.texts.len());
            read_records(&bytes, &self.header, self.options, &mut part, &mut batch, left);
            batch.refuse_repeats(&part.interner, &self.options.columns);
            if block.torn && !part.truncated && batch.fatal.is_none() {
                batch.fatal = Some((record_too_long(), batch.records.checked_sub(1)));
            }
            let records = self.records.fetch_add(batch.records, Ordering::Relaxed) + batch.records;
            if batch.fatal.is_some()
                || part.truncated
                || records > limits.max_rows
                || part.has_too_many(limits)
            {
                self.stop.store(true, Ordering::Relaxed);
            }
            drop(turn);
            part.batches.push(batch);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Blocks> {
        // A thread that panicked while it held the lock takes the whole read with it; the others only finish.
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
