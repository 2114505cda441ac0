//! Apache Parquet. Only requested columns are decoded, and every count is checked before anything is allocated for it.

mod coded;
mod column;
mod compact;
mod covariates;
mod delta;
mod footer;
mod ids;
mod inflation;
mod page_header;
mod pages;
mod profile;
mod roles;
mod scan;
mod source;
mod texts;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use tabcast_calendar::Micros;

use crate::batch::{Batch, Part};
use crate::content::Content;
use crate::faults::Fault;
use crate::input::Input;
use crate::number::Number;
use crate::zones::Zones;
use crate::{ContentError, Kind, ReadError, ReadOptions, sniff};

pub(crate) use column::Column;
pub(crate) use covariates::{Covariates, is_time};
use footer::Footer;
pub(crate) use footer::{check_sizes, find as find_column, names as column_names, read_metadata};
use ids::{Ids, SeriesOfRows};
pub(crate) use profile::profile;
pub(crate) use roles::{ItemIds, Sign, Targets, TimeCell, Timestamps, is_decimal, sign};
pub(crate) use scan::scan;
pub(crate) use source::Source;
pub(crate) use texts::check_text;

/// Number of rows decoded at a time.
pub(crate) const STRETCH: usize = 65_536;

/// Reads the footer and checks that it is valid and has the columns, in supported types. Returns the names of all
/// columns.
pub(crate) fn check_footer(input: Input, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    open(input, options, 0).map(|(_, footer)| footer.names())
}

/// Reads all rows; the files before this one have `before` rows.
pub(crate) fn read(input: Input, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    let (source, footer) = open(input, options, before)?;
    let rows = PanelRows { source, footer, options, before, records: AtomicU64::new(before) };
    let groups = rows.footer.metadata.row_groups();
    let read = |part: &mut Part, index, group: &_| rows.read_group(index, group, part);
    let parts = scan(
        groups,
        || Part::new(&options.columns),
        read,
        |part, index, error| {
            let index = (index as u64) << 32 | u64::from(u32::MAX);
            part.batches.push(Batch { index, fatal: Some((error, None)), ..Batch::default() });
        },
    )?;
    Ok(Content { columns: rows.footer.names(), parts })
}

/// The footer, and the file for the pages that it describes.
fn open(input: Input, options: &ReadOptions, before: u64) -> Result<(Source, Footer), ReadError> {
    if let Some(error) = sniff::foreign_to_parquet(&input.start) {
        return Err(error.into());
    }
    let source = Source::new(input.file, input.bytes);
    let footer = guarded(|| Footer::read(&source, options, before))?;
    let schema = footer.metadata.file_metadata().schema_descr();
    let wrong = (footer.item_id.iter().chain(&footer.levels))
        .find_map(|index| ItemIds::check(&schema.column(*index)))
        .or_else(|| Timestamps::check(&schema.column(footer.timestamp)))
        .or_else(|| Targets::check(&schema.column(footer.target)))
        .or_else(|| footer.covariates.iter().find_map(|index| Covariates::check(&schema.column(*index))));
    wrong.map_or(Ok((source, footer)), |error| Err(error.into()))
}

/// Runs code that decodes untrusted bytes: the crate panics on some broken files, and a broken file is not a bug of
/// ours.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(corrupt("it cannot be decoded").into()))
}

pub(crate) fn corrupt(reason: &str) -> ContentError {
    ContentError::new("corrupt_file", Kind::Unsupported, format!("The Parquet file is damaged: {reason}"))
        .suggestion("Write the file again, and check that it was sent in full.")
}

/// The error for a page that could not be decoded: the file is damaged, unless the page was refused for its size.
pub(crate) fn decoding(error: ParquetError) -> ReadError {
    match error {
        ParquetError::External(source) => match source.downcast::<ContentError>() {
            Ok(error) => ReadError::Content(error),
            Err(source) => corrupt(&source.to_string()).into(),
        },
        error => corrupt(&error.to_string()).into(),
    }
}

struct PanelRows<'a> {
    source: Source,
    footer: Footer,
    options: &'a ReadOptions<'a>,
    /// Number of rows of the files before this one.
    before: u64,
    records: AtomicU64,
}

impl PanelRows<'_> {
    fn read_group(&self, index: usize, group: &RowGroupMetaData, part: &mut Part) -> Result<bool, ReadError> {
        let groups = &self.footer.metadata.row_groups()[..index];
        let in_groups: i64 = groups.iter().map(RowGroupMetaData::num_rows).sum();
        let before = self.before + in_groups.unsigned_abs();
        let mut left = group.num_rows() as usize;
        if let Some(most) = self.options.limits.stop_after {
            left = left.min(most.saturating_sub(before) as usize);
        }
        part.truncated |= left < group.num_rows() as usize;
        if left == 0 {
            return Ok(true);
        }
        let source = &self.source;
        let mut columns = RoleColumns {
            ids: Ids::open(source, group, &self.footer).map_err(decoding)?,
            timestamps: Timestamps::open(source, group, self.footer.timestamp).map_err(decoding)?,
            targets: Targets::open(source, group, self.footer.target).map_err(decoding)?,
            covariates: (self.footer.covariates.iter())
                .map(|index| Covariates::open(source, group, *index))
                .collect::<parquet::errors::Result<_>>()
                .map_err(decoding)?,
        };
        let mut stretch = 0;
        while left > 0 {
            if self.options.cancel.load(Ordering::Relaxed) {
                return Err(ReadError::Cancelled);
            }
            let rows = left.min(STRETCH);
            left -= rows;
            let mut batch = Batch::with_capacity((index as u64) << 32 | stretch, rows, part.texts.len());
            stretch += 1;
            columns.read(rows, part, &mut batch, self.options).map_err(decoding)?;
            batch.records = rows as u64;
            batch.refuse_repeats(&part.interner, &self.options.columns);
            let records = self.records.fetch_add(batch.records, Ordering::Relaxed) + batch.records;
            let limits = &self.options.limits;
            let fatal = batch.fatal.is_some();
            part.keep(batch, self.options)?;
            if fatal || records > limits.max_rows || part.has_too_many(limits) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

struct RoleColumns {
    ids: Ids,
    timestamps: Timestamps,
    targets: Targets,
    covariates: Vec<Covariates>,
}

impl RoleColumns {
    /// Decodes the next `rows` rows into `batch`.
    fn read(
        &mut self,
        rows: usize,
        part: &mut Part,
        batch: &mut Batch,
        options: &ReadOptions,
    ) -> parquet::errors::Result<()> {
        let SeriesOfRows { series, checked } = self.ids.read(rows, part, batch, options)?;
        let keep = |micros: Micros, offset: Option<i32>, zones: &mut Zones| {
            if let Some(offset) = offset {
                zones.count(offset, 1);
            }
            Some(micros)
        };
        let mut stamps = Vec::with_capacity(rows);
        let date_order = options.date_order;
        self.timestamps.read(rows, date_order, |cell| {
            let row = stamps.len() as u64;
            stamps.push(match cell {
                TimeCell::At(micros, offset) => keep(micros, offset, &mut batch.zones),
                TimeCell::Finer(micros, offset, text) => {
                    batch.dates.note_finer(row, &text);
                    keep(micros, offset, &mut batch.zones)
                }
                TimeCell::Unreadable(text) => {
                    batch.note_unreadable_time(date_order, row, &text);
                    None
                }
                TimeCell::OutOfRange => {
                    batch.faults.note(Fault::TimestampOutOfRange, row, &[]);
                    None
                }
            });
        })?;
        let mut row = 0;
        self.targets.read(rows, |number, text| {
            let target = match number {
                Number::Value(value) => Some(value),
                Number::Null => Some(f64::NAN),
                Number::NonFinite => {
                    batch.faults.note(Fault::NonFiniteTarget, row as u64, text);
                    None
                }
                Number::Text => {
                    batch.faults.note(Fault::NonNumericTarget, row as u64, text);
                    None
                }
            };
            if let (Some(timestamp), Some(target)) = (stamps[row], target)
                && let Some(series) = series[row]
            {
                batch.push(series, timestamp, target);
                part.identities.note(series, checked.get(row).copied().flatten());
            }
            row += 1;
        })?;
        let columns = self.covariates.iter_mut().zip(&mut part.texts).zip(&mut batch.covariates);
        for ((column, texts), cells) in columns {
            column.read(rows, |number, text| cells.push(texts.cell(number, text)))?;
        }
        Ok(())
    }
}
