//! Rows as the readers of a frame hand them over.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use super::names::Names;
use super::taker::{Stretch, TakeRows};
use super::texts::{Keep, Texts};
use crate::covariates::Cell;
use crate::faults::Faults;
use crate::{Columns, ContentError, Kind, Limits};

/// Cells of a table, whatever the limits of rows and columns would allow: two gigabytes.
const MAX_CELLS: u64 = 250_000_000;
/// Rows of one batch, where blocks of the file do not decide.
const BATCH_ROWS: u64 = 65_536;
/// Cells of one batch whose rows are taken: so much is in memory at a time.
const TAKEN_CELLS: u64 = 1 << 20;

/// Which columns a read is for, and who takes its rows.
#[derive(Default)]
pub(super) struct Plan<'a> {
    /// Those whose texts must be exact; `None`: all columns, for the first time.
    pub(super) exact: Option<HashSet<String>>,
    /// How those that are wanted are read; `None`: all columns, as numbers or texts.
    pub(super) kinds: Option<HashMap<&'a str, Keep>>,
    /// Takes the rows as they are read; `None`: they are kept.
    pub(super) taker: Option<&'a dyn TakeRows>,
    /// Batches of the files before the one that is read.
    pub(super) first_index: AtomicU64,
}

impl<'a> Plan<'a> {
    /// Of a read whose rows are kept nowhere else than with `taker`.
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

    /// Rows that a table of so many columns may have.
    pub(super) fn most_rows(&self, limits: &Limits, columns: usize) -> u64 {
        let columns = self.kinds.as_ref().map_or(columns, HashMap::len);
        let most_cells = if self.taker.is_some() { u64::MAX } else { MAX_CELLS };
        limits.max_rows.min(most_cells / columns.max(1) as u64)
    }

    /// The error for a table with more rows than that.
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

    /// Rows of one batch, of those formats that do not say themselves.
    pub(super) fn batch_rows(&self, columns: usize) -> u64 {
        let most_cells = if self.taker.is_some() { TAKEN_CELLS } else { u64::MAX };
        BATCH_ROWS.min(most_cells / columns.max(1) as u64).max(1)
    }

    /// Keeps a batch that was read, or what is left of it when its rows were taken; `false` when no further row is
    /// wanted.
    pub(super) fn finish(&self, names: &Names, part: &mut Part, mut batch: Batch) -> bool {
        let goes_on = self.take(names, part, &mut batch, 0);
        part.batches.push(batch);
        goes_on
    }

    /// Hands the rows of a batch, or of its stretch `within`, to the one who takes them; `false` when no further row
    /// is wanted.
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

/// Adds up all batches in the order of the file, so that the first of several errors is the same whichever thread
/// read it.
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
