//! Delimited text.

mod blocks;
mod cells;
mod header;
mod ids;
mod profile;
mod records;
mod refusals;
mod scan;

use std::sync::atomic::{AtomicU64, Ordering};

use blocks::NoHeader;

use crate::batch::{Batch, Part};
use crate::content::Content;
use crate::input::Text;
use crate::refusals::{empty_file, no_rows};
use crate::{ReadError, ReadOptions, sniff};

use blocks::Blocks;
pub(crate) use blocks::{DELIMITERS, closing_quote};
pub(crate) use cells::{Cells, End};
pub(crate) use header::{Header, split_names};
pub(crate) use profile::profile;
use records::read_batch;
pub(crate) use refusals::{
    carriage_returns, cell_too_long, nul_bytes, record_too_long, text_after_quote, unclosed_quote,
};
pub(crate) use scan::{read_records, scan};

/// Reads the first line and checks that this is delimited text with the wanted columns. Returns the names of all
/// columns.
pub(crate) fn check_header(text: Text, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    open(text, options).map(|(header, _)| header.names)
}

/// Reads all rows; the files before this one have `before` rows.
pub(crate) fn read(text: Text, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    let (header, blocks) = open(text, options)?;
    let records = AtomicU64::new(before);
    let limits = &options.limits;
    let new = || Part::new(&options.columns);
    let parts = scan(blocks, options, new, |part, block, bytes| {
        let left = limits.stop_after.map(|rows| rows.saturating_sub(records.load(Ordering::Relaxed)));
        let rows = memchr::memchr_iter(b'\n', bytes).count() + 1;
        let mut batch = Batch::with_capacity(block.index, rows, part.texts.len());
        read_batch(bytes, &header, options, part, &mut batch, left);
        batch.refuse_repeats(&part.interner, &options.columns);
        if !part.truncated {
            batch.fatal = batch.fatal.take().or_else(|| block.too_long(batch.records));
        }
        let records = records.fetch_add(batch.records, Ordering::Relaxed) + batch.records;
        let ends = batch.fatal.is_some() || part.truncated;
        part.keep(batch, options)?;
        Ok(!ends && records <= limits.max_rows && !part.has_too_many(limits))
    })?;
    Ok(Content { columns: header.names, parts })
}

/// The header, and the blocks of rows after it.
fn open(text: Text, options: &ReadOptions) -> Result<(Header, Blocks), ReadError> {
    let (line, mut blocks) = open_at_header(text, options)?;
    let header = Header::parse(&line, options)?;
    blocks.set_delimiter(header.delimiter);
    Ok((header, blocks))
}

/// The header line, and the blocks after it.
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
