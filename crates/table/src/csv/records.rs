//! Records of a block.

use tabcast_calendar::{DateOrder, Micros, is_finer_than_micros, parse_plain_timestamp, parse_timestamp_in};

use crate::batch::{Batch, Part};
use crate::composite::{Composer, Path};
use crate::covariates::{Cell, Texts};
use crate::csv::blocks::closing_quote;
use crate::csv::cells::{Cells, End};
use crate::csv::header::{Header, Step};
use crate::csv::ids::{Level, read_id, read_level};
use crate::csv::refusals::{cell_too_long, not_utf8, nul_bytes, text_after_quote, unclosed_quote};
use crate::faults::Fault;
use crate::identities::Identities;
use crate::interner::Interner;
use crate::number::{Number, parse_decimal, parse_number};
use crate::roles::Role;
use crate::{ContentError, ReadOptions, shorten};

/// Parses a block of whole records into `batch`, `most` of them if it says so.
pub(crate) fn read_records(
    bytes: &[u8],
    header: &Header,
    options: &ReadOptions,
    part: &mut Part,
    batch: &mut Batch,
    most: Option<u64>,
) {
    batch.fatal = not_text(bytes);
    if batch.fatal.is_some() {
        return;
    }
    let cells = Cells::new(bytes, header.delimiter);
    let Part { interner, composer, identities, texts, truncated, .. } = part;
    let levels = Path::new(options.columns.levels().len());
    let mut reader = Reader {
        cells,
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
    loop {
        reader.skip_blank_lines();
        let start = reader.cells.at;
        if start == bytes.len() {
            return;
        }
        if Some(reader.batch.records) == most {
            *truncated = true;
            return;
        }
        let closed = reader.read_record().is_some();
        if !closed || reader.cells.at - start > longest {
            let record = if closed { &bytes[start..reader.cells.at] } else { &bytes[start..] };
            if let Some(error) = broken_record(record, header, longest, closed) {
                reader.batch.fatal = Some((error, Some(reader.batch.records)));
                return;
            }
        }
        reader.batch.records += 1;
    }
}

/// Why a block is no text, and in which of its lines.
pub(crate) fn not_text(bytes: &[u8]) -> Option<(ContentError, Option<u64>)> {
    if let Some(at) = memchr::memchr(0, bytes) {
        return Some((nul_bytes(), Some(line_of(bytes, at))));
    }
    let error = std::str::from_utf8(bytes).err()?;
    Some((not_utf8(), Some(line_of(bytes, error.valid_up_to()))))
}

struct Reader<'a> {
    cells: Cells<'a>,
    header: &'a Header,
    interner: &'a mut Interner,
    /// Where a hierarchy identifies the series.
    composer: Option<&'a mut Composer>,
    levels: Path<Level<'a>>,
    identities: &'a mut Identities,
    texts: &'a mut [Texts],
    batch: &'a mut Batch,
    date_order: Option<DateOrder>,
    /// The first fault of the record.
    fault: Option<Fault>,
    /// Whether the last item id was written without quotes in this block, so that equal bytes are an equal cell.
    last_is_plain: bool,
    /// The same of item ids beside a hierarchy.
    last_checked_is_plain: bool,
}

impl Reader<'_> {
    #[inline]
    fn skip_blank_lines(&mut self) {
        while matches!(self.cells.bytes.get(self.cells.at), Some(b'\n' | b'\r')) {
            self.cells.at += 1;
        }
    }

    /// Reads one record and keeps its row unless something is wrong with it; `None` when a quote is never closed, or closed
    /// before the end of its cell.
    #[inline]
    fn read_record(&mut self) -> Option<()> {
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
                Step::Read(Role::ItemId) => (item, end) = self.item_id()?,
                Step::Read(Role::Timestamp) => (timestamp, end) = self.timestamp()?,
                Step::Read(Role::Target) => (target, end) = self.target()?,
                Step::Read(Role::Covariate(index)) => end = self.covariate(index)?,
                Step::Read(Role::Level(level)) => end = read_level(&mut self.cells, &mut self.levels, level)?,
                Step::Read(Role::CheckedId) => {
                    let Reader { cells, identities, last_checked_is_plain, .. } = self;
                    (checked, end) = read_id(cells, &mut identities.items, last_checked_is_plain)?;
                }
                Step::Skip(count) => {
                    (_, end) = self.cells.next()?;
                    let mut skipped = 1;
                    while skipped < count && end == End::Cell {
                        (_, end) = self.cells.next()?;
                        skipped += 1;
                    }
                    columns += skipped - 1;
                }
            }
        }
        while end == End::Cell {
            (_, end) = self.cells.next()?;
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
    fn item_id(&mut self) -> Option<(u32, End)> {
        let (number, end) = read_id(&mut self.cells, self.interner, &mut self.last_is_plain)?;
        if number.is_none() {
            self.note(Fault::MissingItemId, &[]);
        }
        Some((number.unwrap_or(0), end))
    }

    #[inline]
    fn timestamp(&mut self) -> Option<(Micros, End)> {
        for length in [10, 19] {
            let at = self.cells.at + length;
            if let Some((end, next)) = self.cells.end_at(at)
                && let Some(micros) = self.cells.bytes.get(self.cells.at..at).and_then(parse_plain_timestamp)
            {
                self.cells.at = next;
                return Some((micros, end));
            }
        }
        self.other_timestamp()
    }

    /// Out of the way of the forms that nearly every file has.
    #[inline(never)]
    fn other_timestamp(&mut self) -> Option<(Micros, End)> {
        let (cell, end) = self.cells.next()?;
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
    fn target(&mut self) -> Option<(f64, End)> {
        if let Some((value, length)) = parse_decimal(&self.cells.bytes[self.cells.at..])
            && let Some((end, next)) = self.cells.end_at(self.cells.at + length)
        {
            self.cells.at = next;
            return Some((value, end));
        }
        let (cell, end) = self.cells.next()?;
        match parse_number(&cell) {
            Number::Value(value) => return Some((value, end)),
            Number::Null => {}
            Number::NonFinite => self.note(Fault::NonFiniteTarget, &cell),
            Number::Text => self.note(Fault::NonNumericTarget, &cell),
        }
        Some((f64::NAN, end))
    }

    /// Reads a cell of a covariate into its column, whatever becomes of the row: with a faulty row the file is refused.
    fn covariate(&mut self, index: usize) -> Option<End> {
        if let Some((value, length)) = parse_decimal(&self.cells.bytes[self.cells.at..])
            && let Some((end, next)) = self.cells.end_at(self.cells.at + length)
        {
            self.cells.at = next;
            self.batch.covariates[index].push(Cell::number(value));
            return Some(end);
        }
        let (cell, end) = self.cells.next()?;
        self.batch.covariates[index].push(self.texts[index].cell(parse_number(&cell), &cell));
        Some(end)
    }

    fn note(&mut self, fault: Fault, cell: &[u8]) {
        self.fault.get_or_insert(fault);
        self.batch.faults.note(fault, self.batch.records, cell);
    }
}

/// The error for a cell that is too long, never closed, or closed before its end, if the record has one.
pub(crate) fn broken_record(
    record: &[u8],
    header: &Header,
    longest: usize,
    closed: bool,
) -> Option<ContentError> {
    let too_long =
        |cell: &[u8]| cell.len() > longest && String::from_utf8_lossy(cell).chars().count() > longest;
    let mut cells = Cells::new(record, header.delimiter);
    for column in 0.. {
        let start = cells.at;
        match cells.next() {
            None if closing_quote(record, start + 1).is_some() => {
                let error = text_after_quote();
                return Some(match header.names.get(column) {
                    Some(name) => error.column(shorten(name)),
                    None => error,
                });
            }
            None if too_long(&record[start..]) => return Some(cell_too_long(longest)),
            None => return Some(unclosed_quote()),
            Some((cell, _)) if too_long(&cell) => return Some(cell_too_long(longest)),
            Some((_, End::Line)) if closed || cells.at >= record.len() => return None,
            Some(_) => {}
        }
    }
    None
}

/// The line of a byte, from 0.
fn line_of(bytes: &[u8], at: usize) -> u64 {
    memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64
}
