//! All columns of a Parquet file.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ::parquet::basic::Type;
use ::parquet::data_type::{BoolType, DoubleType, FloatType, Int32Type, Int64Type};
use ::parquet::errors::Result as Decoded;
use ::parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use ::parquet::file::reader::Length;

use super::names::Names;
use super::part::{Batch, Content, Part, Plan, most_rows, too_many_rows};
use super::texts::{Keep, Texts};
use crate::covariates::Cell;
use crate::csv::{cell_too_long, nul_bytes};
use crate::input::Input;
use crate::number::Number;
use crate::parquet_file::{
    Column, Covariates, ItemIds, STRETCH, Sign, Source, Targets, TimeCell, Timestamps, check_sizes,
    column_names, decoding, find_column, guarded, is_decimal, is_time, read_metadata, sign,
};
use crate::rows::Value;
use crate::{ContentError, Kind, ReadError, ReadOptions, sniff};

/// Reads all rows, one row group a thread at a time; `before` rows lie in the files before this one.
pub(super) fn read(
    input: Input,
    options: &ReadOptions,
    plan: &Plan,
    before: u64,
) -> Result<Content, ReadError> {
    if let Some(error) = sniff::foreign_to_parquet(&input.start) {
        return Err(error.into());
    }
    let source = Source::new(input.file, input.bytes);
    let metadata = guarded(|| read_metadata(&source, options, before))?;
    let names = Names::of_header(column_names(&metadata))?;
    let schema = metadata.file_metadata().schema_descr();
    let mut columns = Vec::with_capacity(names.len());
    for name in column_names(&metadata) {
        let index = find_column(&metadata, &name, &options.columns)?;
        if let Some(error) = Covariates::check(&schema.column(index)) {
            return Err(error.into());
        }
        columns.push(index);
    }
    check_sizes(&metadata, &columns, source.len())?;
    let rows = before.saturating_add(metadata.file_metadata().num_rows().unsigned_abs());
    if rows > most_rows(&options.limits, names.len()) {
        return Err(too_many_rows(&options.limits, names.len()).into());
    }
    let (next_group, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let shared = Shared { source, metadata, columns, options, next_group, stop };
    let parts = rayon::broadcast(|_| shared.work(Part::new(&names, plan), plan, &names))
        .into_iter()
        .collect::<Result<_, _>>()?;
    Ok(Content { names, parts })
}

struct Shared<'a> {
    source: Source,
    metadata: ParquetMetaData,
    /// Of the file, a flat one a name.
    columns: Vec<usize>,
    options: &'a ReadOptions<'a>,
    next_group: AtomicUsize,
    /// Set when no further row group need be read; groups are handed out in order.
    stop: AtomicBool,
}

impl Shared<'_> {
    fn work(&self, mut part: Part, plan: &Plan, names: &Names) -> Result<Part, ReadError> {
        while !self.stop.load(Ordering::Relaxed) {
            let index = self.next_group.fetch_add(1, Ordering::Relaxed);
            let Some(group) = self.metadata.row_groups().get(index) else { break };
            let mut batch = Batch::with_capacity(index as u64, 0, names.len());
            batch.records = group.num_rows().unsigned_abs();
            let outcome = guarded(|| {
                for (place, texts) in part.texts.iter_mut().enumerate() {
                    if plan.keep(names.get(place)) != Keep::Nothing {
                        batch.columns[place] = self.read_column(group, self.columns[place], texts)?;
                    }
                }
                Ok(())
            });
            match outcome {
                Ok(()) => {}
                Err(ReadError::Content(error)) => {
                    // Reported in the order of the file, like everything that is wrong with it.
                    batch.fatal = Some((*error, None));
                    self.stop.store(true, Ordering::Relaxed);
                }
                Err(error) => {
                    self.stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            part.batches.push(batch);
        }
        Ok(part)
    }

    fn read_column(
        &self,
        group: &RowGroupMetaData,
        column: usize,
        texts: &mut Texts,
    ) -> Result<Vec<Cell>, ReadError> {
        let mut left = group.num_rows().unsigned_abs() as usize;
        let mut values = Values::open(&self.source, group, column).map_err(decoding)?;
        let mut cells = Vec::with_capacity(left.min(STRETCH));
        let mut wrong = None;
        while left > 0 && wrong.is_none() {
            if self.options.cancel.load(Ordering::Relaxed) {
                return Err(ReadError::Cancelled);
            }
            let rows = left.min(STRETCH);
            left -= rows;
            let known = texts.len();
            values.read(rows, texts, &mut cells).map_err(decoding)?;
            wrong = (known..texts.len()).find_map(|text| self.check_text(texts.get(text as u32)));
        }
        match wrong {
            Some(error) => {
                let name = group.column(column).column_descr().name().to_owned();
                Err(error.column(name).into())
            }
            None => Ok(cells),
        }
    }

    fn check_text(&self, text: &[u8]) -> Option<ContentError> {
        let longest = self.options.limits.max_cell_chars;
        match std::str::from_utf8(text) {
            Err(_) => {
                Some(ContentError::new("unsupported_encoding", Kind::Unsupported, "A text is not UTF-8"))
            }
            Ok(text) if text.len() > longest && text.chars().count() > longest => {
                Some(cell_too_long(longest))
            }
            Ok(_) => memchr::memchr(0, text).map(|_| nul_bytes()),
        }
    }
}

/// The cells of one column of a row group, by its type.
enum Values {
    Texts(ItemIds),
    Booleans(Column<BoolType>),
    Times(Timestamps),
    Int32(Column<Int32Type>, Sign),
    Int64(Column<Int64Type>, Sign),
    Float(Column<FloatType>),
    Double(Column<DoubleType>),
    Decimals(Targets),
}

impl Values {
    fn open(source: &Source, group: &RowGroupMetaData, index: usize) -> Decoded<Values> {
        let column = group.column(index).column_descr();
        Ok(match column.physical_type() {
            Type::BOOLEAN => Values::Booleans(Column::open(source, group, index)?),
            _ if is_time(column) => Values::Times(Timestamps::open(source, group, index)?),
            _ if is_decimal(column) => Values::Decimals(Targets::open(source, group, index)?),
            Type::INT32 => Values::Int32(Column::open(source, group, index)?, sign(column)),
            Type::INT64 => Values::Int64(Column::open(source, group, index)?, sign(column)),
            Type::FLOAT => Values::Float(Column::open(source, group, index)?),
            Type::DOUBLE => Values::Double(Column::open(source, group, index)?),
            _ => Values::Texts(ItemIds::open(source, group, index)?),
        })
    }

    /// Appends the next `rows` cells.
    fn read(&mut self, rows: usize, texts: &mut Texts, cells: &mut Vec<Cell>) -> Decoded<()> {
        let mut push = |value: Value| cells.push(texts.value(value));
        match self {
            Values::Texts(column) => {
                column.read(rows, |text| cells.push(texts.text(text.unwrap_or_default())))
            }
            Values::Booleans(column) => {
                column.read(rows, |value| push(value.map_or(Value::Empty, |value| Value::Boolean(*value))))
            }
            Values::Times(column) => column.read(rows, |time| match time {
                TimeCell::At(micros, _) => push(Value::Time(Some(micros))),
                TimeCell::Unreadable(_) | TimeCell::OutOfRange => push(Value::Empty),
            }),
            Values::Int32(column, sign) => {
                let is_signed = *sign == Sign::Signed;
                let wide =
                    |value: &i32| if is_signed { (*value).into() } else { value.cast_unsigned().into() };
                column.read(rows, |value| push(value.map(wide).map_or(Value::Empty, Value::Integer)))
            }
            Values::Int64(column, sign) => {
                let is_signed = *sign == Sign::Signed;
                let wide =
                    |value: &i64| if is_signed { (*value).into() } else { value.cast_unsigned().into() };
                column.read(rows, |value| push(value.map(wide).map_or(Value::Empty, Value::Integer)))
            }
            // The number that the shortest text of a single is, which is not the single itself.
            Values::Float(column) => column.read(rows, |value| {
                let value = value.map(|value| value.to_string().parse().unwrap_or(f64::from(*value)));
                push(value.map_or(Value::Empty, Value::Number));
            }),
            Values::Double(column) => {
                column.read(rows, |value| push(value.copied().map_or(Value::Empty, Value::Number)))
            }
            Values::Decimals(column) => column.read(rows, |number, _| match number {
                Number::Value(value) => push(Value::Number(value)),
                _ => push(Value::Empty),
            }),
        }
    }
}
