//! Passes rows on as they are read, without building a frame.

use super::texts::Texts;
use crate::covariates::Cell;

/// Consecutive rows of a file, as columns. Its bounds do not depend on threads.
pub(crate) struct Stretch<'a> {
    /// Names of this file's columns.
    pub(crate) names: &'a [String],
    /// The texts of text cells, one entry per column.
    pub(crate) texts: &'a [Texts],
    /// One entry per column; cells that a column lacks at its end are missing.
    pub(crate) columns: &'a [Vec<Cell>],
    /// Number of the stretch in the table; lower ones come before.
    pub(crate) index: u64,
    pub(crate) rows: usize,
}

impl Stretch<'_> {
    /// The cell of a column.
    #[inline]
    pub(crate) fn cell(&self, column: usize, row: usize) -> Cell {
        self.columns[column].get(row).copied().unwrap_or(Cell::missing())
    }
}

/// Takes the rows of a table, from several threads and in any order.
pub(crate) trait TakeRows: Sync {
    /// Whether the cells of a column are wanted; otherwise they are all missing.
    fn wants(&self, name: &str) -> bool;

    fn take(&self, stretch: &Stretch);

    /// Whether no further row is wanted.
    fn has_enough(&self) -> bool {
        false
    }
}
