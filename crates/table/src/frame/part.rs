//! Rows as the readers of a frame hand them over.

use std::collections::HashSet;

use super::names::Names;
use super::texts::{Keep, Texts};
use crate::covariates::Cell;
use crate::faults::Faults;
use crate::{Columns, ContentError, Kind, Limits};

/// Cells of a table, whatever the limits of rows and columns would allow: two gigabytes.
const MAX_CELLS: u64 = 250_000_000;

/// Which columns a read is for.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Those whose texts must be exact; `None`: all columns, for the first time.
    pub(super) exact: Option<HashSet<String>>,
}

impl Plan {
    pub(super) fn keep(&self, name: &str) -> Keep {
        match &self.exact {
            None => Keep::Numbers,
            Some(exact) if exact.contains(name) => Keep::Exact,
            Some(_) => Keep::Nothing,
        }
    }
}

/// What a reader makes of one file.
pub(super) struct Content {
    pub(super) names: Names,
    pub(super) parts: Vec<Part>,
    /// Names of columns that cannot be read, each with the reason.
    pub(super) unreadable: Vec<(String, ContentError)>,
}

/// What one thread has read.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// One a column.
    pub(super) texts: Vec<Texts>,
    pub(super) batches: Vec<Batch>,
}

/// A stretch of the file, as columns.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Place in the file: batches are put in this order.
    pub(super) index: u64,
    pub(super) records: u64,
    /// Cells that a column lacks at its end are missing.
    pub(super) columns: Vec<Vec<Cell>>,
    pub(super) faults: Faults,
    /// What ended the read here, with the 0-based row within the batch where known.
    pub(super) fatal: Option<(ContentError, Option<u64>)>,
}

impl Part {
    pub(super) fn new(names: &Names, plan: &Plan) -> Part {
        Part { texts: names.iter().map(|name| Texts::new(plan.keep(name))).collect(), batches: Vec::new() }
    }
}

impl Batch {
    pub(super) fn with_capacity(index: u64, rows: usize, columns: usize) -> Batch {
        Batch { index, columns: (0..columns).map(|_| Vec::with_capacity(rows)).collect(), ..Batch::default() }
    }
}

/// Rows that a table of so many columns may have.
pub(super) fn most_rows(limits: &Limits, columns: usize) -> u64 {
    limits.max_rows.min(MAX_CELLS / columns.max(1) as u64)
}

/// The error for a table with more rows than [`most_rows`].
pub(super) fn too_many_rows(limits: &Limits, columns: usize) -> ContentError {
    let most = most_rows(limits, columns);
    let message = if most < limits.max_rows {
        format!("The file has more than {most} rows of {columns} columns, which is {MAX_CELLS} cells")
    } else {
        format!("The file has more than {most} rows")
    };
    ContentError::new("too_many_rows", Kind::TooLarge, message)
        .suggestion("Send fewer rows, or leave out columns that are not needed.")
}

/// Adds up all batches in the order of the file, so that the first of several errors is the same whichever thread read it.
pub(super) fn total(parts: &mut [Part], limits: &Limits, columns: usize) -> Result<u64, Box<ContentError>> {
    let mut batches: Vec<&mut Batch> = parts.iter_mut().flat_map(|part| &mut part.batches).collect();
    batches.sort_unstable_by_key(|batch| batch.index);
    let mut faults = Faults::default();
    let mut records = 0;
    for batch in batches {
        let before = records;
        records += batch.records;
        if records > most_rows(limits, columns) {
            return Err(too_many_rows(limits, columns).into());
        }
        faults.append(&mut batch.faults, before);
        if let Some((error, row)) = batch.fatal.take() {
            return Err(row.map_or_else(|| error.clone(), |row| error.clone().row(before + row + 1)).into());
        }
    }
    match faults.into_error(&Columns::default()) {
        Some(error) => Err(error.into()),
        None => Ok(records),
    }
}
