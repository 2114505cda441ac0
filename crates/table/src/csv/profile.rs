//! Profiles all columns from their first rows.

use std::sync::atomic::Ordering;

use crate::column_profile::{ColumnProfile, Profile};
use crate::csv::cells::{Cells, End};
use crate::csv::header::split_names;
use crate::csv::open_at_header;
use crate::input::Text;
use crate::roles::wanted;
use crate::{ReadError, ReadOptions};

/// Examines the first `rows` rows; stops at an unreadable record, which the reader will report.
pub(crate) fn profile(text: Text, options: &ReadOptions, rows: u64) -> Result<Profile, ReadError> {
    let (line, mut blocks) = open_at_header(text, options)?;
    let (delimiter, names) = split_names(&line, &wanted(&options.columns), &options.limits)?;
    blocks.set_delimiter(delimiter);
    let mut columns: Vec<ColumnProfile> = names.into_iter().map(ColumnProfile::new).collect();
    let mut left = rows;
    let mut bytes = Vec::new();
    while left > 0 && blocks.next(&mut bytes)?.is_some() {
        if options.cancel.load(Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        let mut cells = Cells::new(&bytes, delimiter);
        while left > 0 && cells.skip_blank_lines() {
            if observe_record(&mut cells, &mut columns).is_none() {
                return Ok(Profile { columns, rows: rows - left });
            }
            left -= 1;
        }
    }
    Ok(Profile { columns, rows: rows - left })
}

/// `None` if a quote is never closed, or closed before the end of its cell.
fn observe_record(cells: &mut Cells, columns: &mut [ColumnProfile]) -> Option<()> {
    let mut columns = columns.iter_mut();
    loop {
        let (cell, end) = cells.next()?;
        if let Some(column) = columns.next() {
            column.observe_text(&cell);
        }
        if end == End::Line {
            return Some(());
        }
    }
}
