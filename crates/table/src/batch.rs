//! Batches of rows, as readers deliver them.

use tabcast_calendar::{DateOrder, Micros};

use crate::column::Column;
use crate::composite::Composer;
use crate::covariates::{Cell, Texts};
use crate::dates::Dates;
use crate::faults::{Fault, Faults};
use crate::identities::Identities;
use crate::interner::Interner;
use crate::zones::Zones;
use crate::{Columns, ContentError, Limits, ReadError, ReadOptions, Scratch, shorten};

/// Maximum number of rows in a batch that may repeat the row before; up to this limit all duplicates of the file are
/// counted.
const MANY_REPEATS: usize = 4096;

/// Consecutive rows of one item.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ItemRun {
    /// Number of the id in the interner of the thread that read the batch; later the number of the series.
    pub(crate) item: u32,
    pub(crate) rows: u32,
}

/// A stretch of the file, as columns.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Number of the batch in the file; batches are sorted by it.
    pub(crate) index: u64,
    /// Number of data rows read, including faulty ones.
    pub(crate) records: u64,
    pub(crate) runs: Vec<ItemRun>,
    pub(crate) timestamps: Column<Micros>,
    pub(crate) targets: Column<f64>,
    /// One column per covariate.
    pub(crate) covariates: Vec<Vec<Cell>>,
    /// Number of rows with the item and the timestamp of the row before.
    pub(crate) repeats: usize,
    pub(crate) faults: Faults,
    pub(crate) zones: Zones,
    /// The dates of the time column, while their order is unknown.
    pub(crate) dates: Dates,
    /// Whether stamps and targets lie in a file.
    pub(crate) in_file: bool,
    /// The error that ended the read here, with the 0-based row in the batch if known.
    pub(crate) fatal: Option<(ContentError, Option<u64>)>,
}

impl Batch {
    pub(crate) fn with_capacity(index: u64, rows: usize, covariates: usize) -> Batch {
        Batch {
            index,
            timestamps: Vec::with_capacity(rows).into(),
            targets: Vec::with_capacity(rows).into(),
            covariates: (0..covariates).map(|_| Vec::with_capacity(rows)).collect(),
            ..Batch::default()
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, item: u32, timestamp: Micros, target: f64) {
        match self.runs.last_mut() {
            Some(run) if run.item == item => {
                run.rows += 1;
                self.repeats += usize::from(self.timestamps.last() == Some(&timestamp));
            }
            _ => self.runs.push(ItemRun { item, rows: 1 }),
        }
        self.timestamps.push(timestamp);
        self.targets.push(target);
    }

    /// Its pages of a file need not stay in memory.
    pub(crate) fn release(&self) {
        if self.in_file {
            self.timestamps.release();
            self.targets.release();
        }
    }

    /// Notes a cell of the time column that is no timestamp, whether or not the read knows the order of the dates.
    #[cold]
    pub(crate) fn note_unreadable_time(&mut self, order: Option<DateOrder>, row: u64, cell: &[u8]) {
        self.faults.note(Fault::UnparseableTimestamp, row, cell);
        if order.is_none() {
            self.dates.note(row, cell);
        }
    }

    /// Ends the read if so many rows repeat the row before that the file must be wrong, whatever follows. A hundred
    /// million equal rows need neither be kept nor counted.
    pub(crate) fn refuse_repeats(&mut self, interner: &Interner, columns: &Columns) {
        if self.repeats <= MANY_REPEATS || self.fatal.is_some() {
            return;
        }
        let mut rows = 0;
        let first = self.timestamps.windows(2).position(|pair| pair[0] == pair[1]).unwrap_or(0);
        let run = self.runs.iter().find(|run| {
            rows += run.rows as usize;
            rows > first
        });
        let id = run.map_or_else(Default::default, |run| String::from_utf8_lossy(interner.get(run.item)));
        let message = format!(
            "More than {MANY_REPEATS} rows repeat the item and timestamp of the row before; the first item concerned \
                is '{}'",
            shorten(&id)
        );
        let error = ContentError::new("duplicate_rows", crate::Kind::Content, message)
            .column(&columns.timestamp)
            .item(&id)
            .suggestion("Keep one row for each item and timestamp.");
        self.fatal = Some((error, None));
    }
}

/// Everything that one thread has read.
#[derive(Debug)]
pub(crate) struct Part {
    /// The ids of its series.
    pub(crate) interner: Interner,
    /// Composes the ids, if the columns have a hierarchy.
    pub(crate) composer: Option<Composer>,
    /// The item ids that stand beside those of a hierarchy.
    pub(crate) identities: Identities,
    /// One entry per covariate.
    pub(crate) texts: Vec<Texts>,
    pub(crate) batches: Vec<Batch>,
    /// Number of rows of the last batches, which are in memory.
    in_memory: usize,
    /// Whether the file continues after the row that [`Limits::stop_after`] names.
    pub(crate) truncated: bool,
}

impl Part {
    pub(crate) fn new(columns: &Columns) -> Part {
        Part {
            interner: Interner::new(),
            composer: columns.hierarchy.as_ref().map(Composer::new),
            identities: Identities::new(),
            texts: columns.covariates.iter().map(|_| Texts::new()).collect(),
            batches: Vec::new(),
            in_memory: 0,
            truncated: false,
        }
    }

    /// Keeps a batch: in memory, or in a file if there are many of them and the options name a folder for it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn keep(&mut self, batch: Batch, options: &ReadOptions) -> Result<(), ReadError> {
        self.in_memory += batch.timestamps.len();
        self.batches.push(batch);
        if let Some(Scratch { folder, after_rows }) = &options.scratch
            && self.in_memory >= *after_rows
        {
            let first = self.batches.iter().rposition(|batch| batch.in_file).map_or(0, |last| last + 1);
            let batches = &mut self.batches[first..];
            Column::move_to_file(batches.iter_mut().map(|batch| &mut batch.timestamps), folder)?;
            Column::move_to_file(batches.iter_mut().map(|batch| &mut batch.targets), folder)?;
            for batch in batches {
                batch.in_file = true;
            }
            self.in_memory = 0;
        }
        Ok(())
    }

    /// Whether there are more ids than series are allowed, so the read can end.
    pub(crate) fn has_too_many(&self, limits: &Limits) -> bool {
        self.interner.len().max(self.identities.len()) > limits.max_series
    }
}

/// Totals of the whole file, before it is grouped.
#[derive(Debug)]
pub(crate) struct Totals {
    pub(crate) records: u64,
    pub(crate) zones: Zones,
    pub(crate) faults: Faults,
    /// The error that ended the read; nothing after it is counted.
    pub(crate) fatal: Option<ContentError>,
}

/// All batches in the order of the table.
pub(crate) fn in_order(parts: &mut [Part]) -> Vec<&mut Batch> {
    let mut batches: Vec<&mut Batch> = parts.iter_mut().flat_map(|part| &mut part.batches).collect();
    batches.sort_unstable_by_key(|batch| batch.index);
    batches
}

/// Adds up all batches in the order of the file, so that the first of several errors is the same whichever thread read
/// it. Batches after the one that ended the read are dropped.
pub(crate) fn total(parts: &mut [Part], limits: &Limits) -> Totals {
    let batches = in_order(parts);
    let mut totals = Totals { records: 0, zones: Zones::default(), faults: Faults::default(), fatal: None };
    let mut last = 0;
    for batch in batches {
        if totals.fatal.is_some() {
            break;
        }
        let before = totals.records;
        totals.records += batch.records;
        totals.fatal = if totals.records > limits.max_rows {
            Some(too_many_rows(limits.max_rows))
        } else {
            batch.fatal.take().map(|(error, row)| match row {
                Some(row) => error.row(before + row + 1),
                None => error,
            })
        };
        totals.zones.merge(&batch.zones);
        totals.faults.append(&mut batch.faults, before);
        last = batch.index;
    }
    if totals.fatal.is_some() {
        for part in parts {
            part.batches.retain(|batch| batch.index <= last);
        }
    }
    totals
}

pub(crate) fn too_many_rows(max_rows: u64) -> ContentError {
    ContentError::new(
        "too_many_rows",
        crate::Kind::TooLarge,
        format!("The file has more than {max_rows} rows"),
    )
    .suggestion("Send fewer or shorter series, or split the file into several jobs.")
}
