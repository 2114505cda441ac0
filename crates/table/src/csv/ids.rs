//! The cells that identify the series, compared in place with those of the row before.

use std::borrow::Cow;

use crate::composite::Path;
use crate::csv::cells::{Cells, End};
use crate::interner::Interner;

/// A cell of a hierarchy column.
#[derive(Debug, Clone, Default)]
pub(crate) struct Level<'a> {
    cell: Cow<'a, [u8]>,
    /// Whether it was written without quotes, so that equal bytes mean equal cells.
    is_plain: bool,
}

impl AsRef<[u8]> for Level<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.cell
    }
}

/// Reads a cell and returns the number of its id, or none for an empty cell. `last_is_plain` tells whether the previous
/// id was written without quotes.
#[inline]
pub(crate) fn read_id(
    cells: &mut Cells,
    interner: &mut Interner,
    last_is_plain: &mut bool,
) -> Option<(Option<u32>, End)> {
    // Most rows repeat the item of the row before, so compare in place without looking for the end of the cell.
    if *last_is_plain
        && let Some((last, number)) = interner.last()
        && cells.bytes[cells.at..].starts_with(last)
        && let Some((end, next)) = cells.end_at(cells.at + last.len())
    {
        cells.at = next;
        return Some((Some(number), end));
    }
    *last_is_plain = cells.bytes.get(cells.at) != Some(&b'"');
    let (cell, end) = cells.next()?;
    if cell.is_empty() {
        *last_is_plain = false;
        return Some((None, end));
    }
    Some((Some(interner.intern(&cell)), end))
}

/// Reads a hierarchy cell into its level.
#[inline]
pub(crate) fn read_level<'a>(cells: &mut Cells<'a>, path: &mut Path<Level<'a>>, level: usize) -> Option<End> {
    let last = &path.values[level];
    if last.is_plain
        && cells.bytes[cells.at..].starts_with(&last.cell)
        && let Some((end, next)) = cells.end_at(cells.at + last.cell.len())
    {
        cells.at = next;
        return Some(end);
    }
    let is_plain = cells.bytes.get(cells.at) != Some(&b'"');
    let (cell, end) = cells.next()?;
    if last.cell != cell {
        path.series = None;
    }
    path.values[level] = Level { cell, is_plain };
    Some(end)
}
