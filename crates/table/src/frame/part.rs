//! Parts and batches of rows, as the readers of a frame deliver them.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use super::names::Names;
use super::taker::{Stretch, TakeRows};
use super::texts::{Keep, Texts};
use crate::covariates::Cell;
use crate::faults::Faults;
use crate::{Columns, ContentError, Kind, Limits};

/// Maximum number of cells of a table, whatever the limits on rows and columns allow: two gigabytes.
const MAX_CELLS: u64 = 250_000_000;
/// Number of rows per batch, for formats without blocks.
const BATCH_ROWS: u64 = 65_536;
/// Number of cells per batch whose rows go to a taker: this much is in memory at a time.
const TAKEN_CELLS: u64 = 1 << 20;

/// The purpose of a read: which columns it needs, and who takes its rows.
#[derive(Default)]
pub(super) struct Plan<'a> {
    /// Columns whose texts must be exact; `None` on the first read, which covers all columns.
    pub(super) exact: Option<HashSet<String>>,
    /// How to keep each wanted column; `None`: all columns, as numbers or texts.
    pub(super) kinds: Option<HashMap<&'a str, Keep>>,
    /// Takes the rows as they are read; `None`: the rows are kept.
    pub(super) taker: Option<&'a dyn TakeRows>,
    /// Number of batches of the previous files.
    pub(super) first_index: AtomicU64,
}

impl<'a> Plan<'a> {
    /// A plan for a read whose rows only go to `taker`.
    pub(super) fn for_taker(taker: &'a dyn TakeRows) -> Plan<'a> {
        Plan { taker: Some(taker), ..Plan::default() }
    }

    pub(super) fn keep(&self, name: &str) -> Keep {
        if let Some(kinds) = &self.kinds {
            return kinds.get(name).copied().unwrap_or(Keep::Nothing);
        }
        match (self.taker, &self.exact) {
            (Some(taker), _) if taker.wants(name) => Keep::Values,
            (None, Some(exact)) if exact.contains(name) => Keep::Exact,
            (None, None) => Keep::Numbers,
            _ => Keep::Nothing,
        }
    }

    /// Maximum number of rows of a table with this many columns.
    pub(super) fn most_rows(&self, limits: &Limits, columns: usize) -> u64 {
        let columns = self.kinds.as_ref().map_or(columns, HashMap::len);
        let most_cells = if self.taker.is_some() { u64::MAX } else { MAX_CELLS };
        limits.max_rows.min(most_cells / columns.max(1) as u64)
    }

    /// The error for a table with more rows.
    pub(super) fn too_many_rows(&self, limits: &Limits, columns: usize) -> ContentError {
        let most = self.most_rows(limits, columns);
        let message = if most < limits.max_rows {
            format!("The file has more than {most} rows of {columns} columns, which is {MAX_CELLS} cells")
        } else {
            format!("The file has more than {most} rows")
        };
        ContentError::new("too_many_rows", Kind::TooLarge, message)
            .suggestion("Send fewer rows, or leave out columns that are not needed.")
    }

    /// Number of rows per batch, for formats without blocks.
    pub(super) fn batch_rows(&self, columns: usize) -> u64 {
        let most_cells = if self.taker.is_some() { TAKEN_CELLS } else { u64::MAX };
        BATCH_ROWS.min(most_cells / columns.max(1) as u64).max(1)
    }

    /// Keeps a batch, or what is left of it after its rows were taken; `false` if no further row is wanted.
    pub(super) fn finish(&self, names: &Names, part: &mut Part, mut batch: Batch) -> bool {
        let goes_on = self.take(names, part, &mut batch, 0);
        part.batches.push(batch);
        goes_on
    }

    /// Passes the rows of a batch, or of its stretch `within`, to the taker; `false` if no further row is wanted.
    pub(super) fn take(&self, names: &Names, part: &mut Part, batch: &mut Batch, within: u32) -> bool {
        let Some(taker) = self.taker else { return true };
        let columns = std::mem::take(&mut batch.columns);
        taker.take(&Stretch {
            names: names.as_slice(),
            texts: &part.texts,
            columns: &columns,
            index: (self.first_index.load(Ordering::Relaxed) + batch.index) << 32 | u64::from(within),
            rows: batch.records as usize,
        });
        part.texts.iter_mut().for_each(Texts::clear);
        !taker.has_enough()
    }
}

/// The content of one file.
pub(super) struct Content {
    pub(super) names: Names,
    pub(super) parts: Vec<Part>,
    /// Names of unreadable columns, with reasons.
    pub(super) unreadable: Vec<(String, ContentError)>,
}

/// Everything that one thread has read.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// One per column.
    pub(super) texts: Vec<Texts>,
    pub(super) batches: Vec<Batch>,
}

/// A stretch of the file, as columns.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Number of the batch in the file; batches are sorted by it.
    pub(super) index: u64,
    pub(super) records: u64,
    /// Cells that a column lacks at its end are missing.
    pub(super) columns: Vec<Vec<Cell>>,
    pub(super) faults: Faults,
    /// The error that ended the read here, with the 0-based row in the batch if known.
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

/// Adds up all batches in the order of the file, so that the first of several errors is the same whichever thread read
/// it.
pub(super) fn total(
    parts: &mut [Part],
    plan: &Plan,
    limits: &Limits,
    columns: usize,
) -> Result<u64, Box<ContentError>> {
    let mut batches: Vec<&mut Batch> = parts.iter_mut().flat_map(|part| &mut part.batches).collect();
    batches.sort_unstable_by_key(|batch| batch.index);
    let mut faults = Faults::default();
    let mut records = 0;
    for batch in batches {
        let before = records;
        records += batch.records;
        if records > plan.most_rows(limits, columns) {
            return Err(plan.too_many_rows(limits, columns).into());
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
