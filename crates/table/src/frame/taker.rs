//! Rows that are taken as they are read, so that no frame is made of them.

use super::texts::Texts;
use crate::covariates::Cell;

/// Rows of a file, as columns. It has the same rows whichever thread read them.
pub(crate) struct Stretch<'a> {
    /// Of the columns of this file.
    pub(crate) names: &'a [String],
    /// What cells that are texts say, a column each.
    pub(crate) texts: &'a [Texts],
    /// A column each; cells that one lacks at its end are missing.
    pub(crate) columns: &'a [Vec<Cell>],
    /// Place in the table: stretches of lower ones lie before this one.
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
    /// Whether the cells of a column are wanted; all of them are missing otherwise.
    fn wants(&self, name: &str) -> bool;

    fn take(&self, stretch: &Stretch);

    /// Whether no further row is wanted.
    fn has_enough(&self) -> bool {
        false
    }
}
