//! Reads all columns of delimited text.

use std::sync::atomic::{AtomicU64, Ordering};

use super::names::Names;
use super::part::{Batch, Content, Part, Plan};
use crate::csv::{Cells, End, Header, open_at_header, read_records, scan, split_names};
use crate::faults::Fault;
use crate::input::Text;
use crate::{ReadError, ReadOptions};

/// Reads all rows, with as many threads as the current pool has; the files before this one have `before` rows.
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
    let records = AtomicU64::new(before);
    let limits = &options.limits;
    let parts = scan(
        blocks,
        options,
        || Part::new(&names, plan),
        |part, block, bytes| {
            let rows = memchr::memchr_iter(b'\n', bytes).count() + 1;
            let mut batch = Batch::with_capacity(block.index, 0, names.len());
            for (column, texts) in batch.columns.iter_mut().zip(&part.texts) {
                column.reserve(if texts.is_wanted() { rows } else { 0 });
            }
            let found = read_records(bytes, &header, limits.max_cell_chars, None, |cells, row| {
                batch.records = row;
                read_record(cells, part, &mut batch)
            });
            batch.records = found.count;
            batch.fatal = found.fatal.or_else(|| block.too_long(found.count));
            let records = records.fetch_add(found.count, Ordering::Relaxed) + found.count;
            let goes_on = batch.fatal.is_none() && records <= plan.most_rows(limits, names.len());
            Ok(plan.finish(&names, part, batch) && goes_on)
        },
    )?;
    Ok(Content { names, parts, unreadable: Vec::new() })
}

/// Reads one record; `None` if a quote is never closed, or closed before the end of its cell.
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
