//! All columns of delimited text.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::names::Names;
use super::part::{Batch, Content, Part, Plan};
use crate::csv::{
    Blocks, Cells, End, Header, broken_record, not_text, open_at_header, record_too_long, split_names,
};
use crate::faults::Fault;
use crate::input::Text;
use crate::{ReadError, ReadOptions};

/// Reads all rows, with as many threads as the current pool has; `before` rows lie in the files before this one.
pub(super) fn read(
    text: Text,
    options: &ReadOptions,
    plan: &Plan,
    before: u64,
) -> Result<Content, ReadError> {
    let (line, mut blocks) = open_at_header(text, options)?;
    let (delimiter, header) = split_names(&line, &[], &options.limits)?;
    let names = Names::of_header(header)?;
    blocks.set_delimiter(delimiter);
    let header = Header { delimiter, columns: names.len(), names: names.to_vec(), steps: Vec::new() };
    let shared = Shared {
        blocks: Mutex::new(blocks),
        stop: AtomicBool::new(false),
        records: AtomicU64::new(before),
        header,
        names,
        options,
        plan,
    };
    let parts = rayon::broadcast(|_| shared.work()).into_iter().collect::<Result<_, _>>()?;
    Ok(Content { names: shared.names, parts, unreadable: Vec::new() })
}

struct Shared<'a> {
    blocks: Mutex<Blocks>,
    /// Set when no further block need be read; blocks are handed out in order, so all earlier ones are still finished.
    stop: AtomicBool,
    records: AtomicU64,
    header: Header,
    names: Names,
    options: &'a ReadOptions<'a>,
    plan: &'a Plan<'a>,
}

impl Shared<'_> {
    fn work(&self) -> Result<Part, ReadError> {
        let mut part = Part::new(&self.names, self.plan);
        let mut bytes = Vec::new();
        loop {
            if self.options.cancel.load(Ordering::Relaxed) {
                return Err(ReadError::Cancelled);
            }
            let block = {
                // A thread that panicked while it held the lock takes the whole read with it; the others only finish.
                let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
                if self.stop.load(Ordering::Relaxed) {
                    return Ok(part);
                }
                blocks.next(&mut bytes).inspect_err(|_| self.stop.store(true, Ordering::Relaxed))?
            };
            let Some(block) = block else { return Ok(part) };
            let rows = memchr::memchr_iter(b'\n', &bytes).count() + 1;
            let mut batch = Batch::with_capacity(block.index, 0, self.names.len());
            for (column, texts) in batch.columns.iter_mut().zip(&part.texts) {
                column.reserve(if texts.is_wanted() { rows } else { 0 });
            }
            self.read_records(&bytes, &mut part, &mut batch);
            if block.torn && batch.fatal.is_none() {
                batch.fatal = Some((record_too_long(), batch.records.checked_sub(1)));
            }
            let records = self.records.fetch_add(batch.records, Ordering::Relaxed) + batch.records;
            let most = self.plan.most_rows(&self.options.limits, self.names.len());
            let ends = batch.fatal.is_some() || records > most;
            if !self.plan.finish(&self.names, &mut part, batch) || ends {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Parses a block of whole records.
    fn read_records(&self, bytes: &[u8], part: &mut Part, batch: &mut Batch) {
        batch.fatal = not_text(bytes);
        if batch.fatal.is_some() {
            return;
        }
        let longest = self.options.limits.max_cell_chars;
        let mut cells = Cells::new(bytes, self.header.delimiter);
        loop {
            while matches!(bytes.get(cells.at), Some(b'\n' | b'\r')) {
                cells.at += 1;
            }
            let start = cells.at;
            if start == bytes.len() {
                return;
            }
            let closed = read_record(&mut cells, part, batch).is_some();
            if !closed || cells.at - start > longest {
                let record = if closed { &bytes[start..cells.at] } else { &bytes[start..] };
                if let Some(error) = broken_record(record, &self.header, longest, closed) {
                    batch.fatal = Some((error, Some(batch.records)));
                    return;
                }
            }
            batch.records += 1;
        }
    }
}

/// Reads one record; `None` when a quote is never closed, or closed before the end of its cell.
fn read_record(cells: &mut Cells, part: &mut Part, batch: &mut Batch) -> Option<()> {
    let mut end = End::Cell;
    let mut count = 0;
    for (texts, column) in part.texts.iter_mut().zip(&mut batch.columns) {
        let cell;
        (cell, end) = cells.next()?;
        if texts.is_wanted() {
            column.push(texts.text(&cell));
        }
        count += 1;
        if end == End::Line {
            break;
        }
    }
    let is_short = count < part.texts.len();
    while end == End::Cell {
        (_, end) = cells.next()?;
        count += 1;
    }
    if is_short || count > part.texts.len() {
        batch.faults.note(Fault::RaggedRow, batch.records, count.to_string().as_bytes());
    }
    Some(())
}
