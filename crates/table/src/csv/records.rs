//! The records of a block.

use tabcast_calendar::{DateOrder, Micros, is_finer_than_micros, parse_plain_timestamp, parse_timestamp_in};

use crate::ReadOptions;
use crate::batch::{Batch, Part};
use crate::composite::{Composer, Path};
use crate::covariates::{Cell, Texts};
use crate::csv::cells::{Cells, End};
use crate::csv::header::{Header, Step};
use crate::csv::ids::{Level, read_id, read_level};
use crate::csv::scan::read_records;
use crate::faults::Fault;
use crate::identities::Identities;
use crate::interner::Interner;
use crate::number::{Number, parse_decimal, parse_number};
use crate::roles::Role;

/// Parses a block of whole records into `batch`, at most `most` of them if given.
pub(crate) fn read_batch(
    bytes: &[u8],
    header: &Header,
    options: &ReadOptions,
    part: &mut Part,
    batch: &mut Batch,
    most: Option<u64>,
) {
    let Part { interner, composer, identities, texts, truncated, .. } = part;
    let levels = Path::new(options.columns.levels().len());
    let mut reader = Reader {
        header,
        interner,
        composer: composer.as_mut(),
        levels,
        identities,
        texts,
        batch,
        date_order: options.date_order,
        fault: None,
        last_is_plain: false,
        last_checked_is_plain: false,
    };
    let longest = options.limits.max_cell_chars;
    let records = read_records(bytes, header, longest, most, |cells, row| {
        reader.batch.records = row;
        reader.read_record(cells)
    });
    *truncated |= records.truncated;
    (batch.records, batch.fatal) = (records.count, records.fatal);
}

struct Reader<'a> {
    header: &'a Header,
    interner: &'a mut Interner,
    /// Set if a hierarchy identifies the series.
    composer: Option<&'a mut Composer>,
    levels: Path<Level<'a>>,
    identities: &'a mut Identities,
    texts: &'a mut [Texts],
    batch: &'a mut Batch,
    date_order: Option<DateOrder>,
    /// The first fault of the record.
    fault: Option<Fault>,
    /// Whether the last item id in this block was written without quotes, so that equal bytes mean equal cells.
    last_is_plain: bool,
    /// The same for item ids beside a hierarchy.
    last_checked_is_plain: bool,
}

impl<'a> Reader<'a> {
    /// Reads one record and keeps its row unless it has a fault; `None` if a quote is never closed, or closed before
    /// the end of its cell.
    #[inline]
    fn read_record(&mut self, cells: &mut Cells<'a>) -> Option<()> {
        let (mut item, mut timestamp, mut target) = (0, 0, f64::NAN);
        let mut checked = None;
        let mut end = End::Cell;
        let mut columns = 0;
        self.fault = None;
        for step in &self.header.steps {
            if end == End::Line {
                break;
            }
            columns += 1;
            match *step {
                Step::Read(Role::ItemId) => (item, end) = self.item_id(cells)?,
                Step::Read(Role::Timestamp) => (timestamp, end) = self.timestamp(cells)?,
                Step::Read(Role::Target) => (target, end) = self.target(cells)?,
                Step::Read(Role::Covariate(index)) => end = self.covariate(cells, index)?,
                Step::Read(Role::Level(level)) => end = read_level(cells, &mut self.levels, level)?,
                Step::Read(Role::CheckedId) => {
                    let Reader { identities, last_checked_is_plain, .. } = self;
                    (checked, end) = read_id(cells, &mut identities.items, last_checked_is_plain)?;
                }
                Step::Skip(count) => {
                    (_, end) = cells.next()?;
                    let mut skipped = 1;
                    while skipped < count && end == End::Cell {
                        (_, end) = cells.next()?;
                        skipped += 1;
                    }
                    columns += skipped - 1;
                }
            }
        }
        while end == End::Cell {
            (_, end) = cells.next()?;
            columns += 1;
        }
        if columns != self.header.columns {
            self.batch.faults.note(Fault::RaggedRow, self.batch.records, columns.to_string().as_bytes());
            return Some(());
        }
        if let Some(composer) = &mut self.composer {
            let (faults, row) = (&mut self.batch.faults, self.batch.records);
            let Some(series) = composer.series(&mut self.levels, self.interner, faults, row) else {
                return Some(());
            };
            item = series;
        }
        if self.fault.is_none() {
            self.batch.push(item, timestamp, target);
            self.identities.note(item, checked);
        }
        Some(())
    }

    #[inline]
    fn item_id(&mut self, cells: &mut Cells<'a>) -> Option<(u32, End)> {
        let (number, end) = read_id(cells, self.interner, &mut self.last_is_plain)?;
        if number.is_none() {
            self.note(Fault::MissingItemId, &[]);
        }
        Some((number.unwrap_or(0), end))
    }

    #[inline]
    fn timestamp(&mut self, cells: &mut Cells<'a>) -> Option<(Micros, End)> {
        for length in [10, 19] {
            let at = cells.at + length;
            if let Some((end, next)) = cells.end_at(at)
                && let Some(micros) = cells.bytes.get(cells.at..at).and_then(parse_plain_timestamp)
            {
                cells.at = next;
                return Some((micros, end));
            }
        }
        self.other_timestamp(cells)
    }

    /// Kept apart from the fast path for the forms that nearly every file has.
    #[inline(never)]
    fn other_timestamp(&mut self, cells: &mut Cells<'a>) -> Option<(Micros, End)> {
        let (cell, end) = cells.next()?;
        let Some(stamp) = parse_timestamp_in(&cell, self.date_order) else {
            self.fault.get_or_insert(Fault::UnparseableTimestamp);
            self.batch.note_unreadable_time(self.date_order, self.batch.records, &cell);
            return Some((0, end));
        };
        if let Some(offset) = stamp.offset_seconds {
            self.batch.zones.count(offset, 1);
        }
        if is_finer_than_micros(&cell) {
            self.batch.dates.note_finer(self.batch.records, &cell);
        }
        Some((stamp.micros, end))
    }

    #[inline]
    fn target(&mut self, cells: &mut Cells<'a>) -> Option<(f64, End)> {
        if let Some((value, length)) = parse_decimal(&cells.bytes[cells.at..])
            && let Some((end, next)) = cells.end_at(cells.at + length)
        {
            cells.at = next;
            return Some((value, end));
        }
        let (cell, end) = cells.next()?;
        match parse_number(&cell) {
            Number::Value(value) => return Some((value, end)),
            Number::Null => {}
            Number::NonFinite => self.note(Fault::NonFiniteTarget, &cell),
            Number::Text => self.note(Fault::NonNumericTarget, &cell),
        }
        Some((f64::NAN, end))
    }

    /// Reads a cell of a covariate into its column even if the row is faulty, because a faulty row refuses the whole
    /// file.
    fn covariate(&mut self, cells: &mut Cells<'a>, index: usize) -> Option<End> {
        if let Some((value, length)) = parse_decimal(&cells.bytes[cells.at..])
            && let Some((end, next)) = cells.end_at(cells.at + length)
        {
            cells.at = next;
            self.batch.covariates[index].push(Cell::number(value));
            return Some(end);
        }
        let (cell, end) = cells.next()?;
        self.batch.covariates[index].push(self.texts[index].cell(parse_number(&cell), &cell));
        Some(end)
    }

    fn note(&mut self, fault: Fault, cell: &[u8]) {
        self.fault.get_or_insert(fault);
        self.batch.faults.note(fault, self.batch.records, cell);
    }
}
