//! Reads all columns of a Parquet file.

use std::sync::atomic::Ordering;

use ::parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use ::parquet::data_type::{BoolType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type};
use ::parquet::errors::Result as Decoded;
use ::parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use ::parquet::file::reader::Length;
use ::parquet::schema::types::ColumnDescriptor;

use super::names::Names;
use super::part::{Batch, Content, Part, Plan};
use super::texts::{Keep, Texts};
use crate::covariates::Cell;
use crate::input::Input;
use crate::number::Number;
use crate::parquet_file::{
    Column, Covariates, ItemIds, STRETCH, Sign, Source, Targets, TimeCell, Timestamps, check_sizes,
    check_text, column_names, decoding, find_column, guarded, is_decimal, is_time, read_metadata, scan, sign,
};
use crate::value::Value;
use crate::{ContentError, Kind, ReadError, ReadOptions, shorten, sniff};

/// Reads all rows; the files before this one have `before` rows.
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
    let (mut columns, mut unreadable) = (Vec::with_capacity(names.len()), Vec::new());
    for (place, name) in column_names(&metadata).into_iter().enumerate() {
        let found = match find_column(&metadata, &name, &options.columns) {
            Ok(index) => check_type(&schema.column(index)).map_or(Ok(index), Err),
            Err(ReadError::Content(error)) if error.code == "nested_column" => Err(*error),
            Err(error) => return Err(error),
        };
        columns.push(found.as_ref().ok().copied());
        unreadable.extend(found.err().map(|error| (names.get(place).to_owned(), error)));
    }
    check_sizes(&metadata, &columns.iter().copied().flatten().collect::<Vec<_>>(), source.len())?;
    let rows = before.saturating_add(metadata.file_metadata().num_rows().unsigned_abs());
    if rows > plan.most_rows(&options.limits, names.len()) {
        return Err(plan.too_many_rows(&options.limits, names.len()).into());
    }
    let rows = FrameRows { source, metadata, names, columns, options, plan };
    let groups = rows.metadata.row_groups();
    // A batch without cells.
    let batch = |index: usize| {
        let records = groups[index].num_rows().unsigned_abs();
        Batch { records, ..Batch::with_capacity(index as u64, 0, rows.names.len()) }
    };
    let read = |part: &mut Part, index: usize, group: &_| -> Result<bool, ReadError> {
        let mut batch = batch(index);
        let goes_on = match plan.taker {
            Some(_) => rows.stream(index as u64, group, part)?,
            None => rows.read_group(group, part, &mut batch).map(|()| true)?,
        };
        part.batches.push(batch);
        Ok(goes_on)
    };
    let parts = scan(
        groups,
        || Part::new(&rows.names, plan),
        read,
        |part, index, error| {
            part.batches.push(Batch { fatal: Some((error, None)), ..batch(index) });
        },
    )?;
    Ok(Content { names: rows.names, parts, unreadable })
}

struct FrameRows<'a> {
    source: Source,
    metadata: ParquetMetaData,
    names: Names,
    /// The file's flat column for each name; none if it cannot be read, so that its cells are missing.
    columns: Vec<Option<usize>>,
    options: &'a ReadOptions<'a>,
    plan: &'a Plan<'a>,
}

impl FrameRows<'_> {
    /// Reads all columns of a row group, one after the other.
    fn read_group(
        &self,
        group: &RowGroupMetaData,
        part: &mut Part,
        batch: &mut Batch,
    ) -> Result<(), ReadError> {
        for (place, texts) in part.texts.iter_mut().enumerate() {
            if let Some(column) = self.columns[place]
                && self.plan.keep(self.names.get(place)) != Keep::Nothing
            {
                batch.columns[place] = self.read_column(group, column, texts)?;
            }
        }
        Ok(())
    }

    /// Reads a row group in stretches of all columns and passes each on; `false` if no further row is wanted.
    fn stream(&self, index: u64, group: &RowGroupMetaData, part: &mut Part) -> Result<bool, ReadError> {
        let (names, plan) = (&self.names, self.plan);
        let open = |place: usize| {
            let column = self.columns[place].filter(|_| plan.keep(names.get(place)) != Keep::Nothing);
            column.map(|column| Values::open(&self.source, group, column)).transpose()
        };
        let mut values: Vec<Option<Values>> =
            (0..names.len()).map(open).collect::<Decoded<_>>().map_err(decoding)?;
        let mut left = group.num_rows().unsigned_abs();
        let mut within = 0;
        while left > 0 {
            if self.options.cancel.load(Ordering::Relaxed) {
                return Err(ReadError::Cancelled);
            }
            let rows = left.min(plan.batch_rows(names.len())).min(STRETCH as u64);
            left -= rows;
            let mut batch = Batch::with_capacity(index, rows as usize, names.len());
            for (place, values) in values.iter_mut().enumerate() {
                let Some(values) = values else { continue };
                let texts = &mut part.texts[place];
                values.read(rows as usize, texts, &mut batch.columns[place]).map_err(decoding)?;
                let wrong = (0..texts.len())
                    .find_map(|text| self.check_text(names.get(place), texts.get(text as u32)));
                if let Some(error) = wrong {
                    return Err(error.into());
                }
            }
            batch.records = rows;
            // Its rows are counted with the group.
            if !plan.take(names, part, &mut batch, within) {
                return Ok(false);
            }
            within += 1;
        }
        Ok(true)
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
            let name = group.column(column).column_descr().name();
            wrong = (known..texts.len()).find_map(|text| self.check_text(name, texts.get(text as u32)));
        }
        match wrong {
            Some(error) => Err(error.into()),
            None => Ok(cells),
        }
    }

    fn check_text(&self, column: &str, text: &[u8]) -> Option<ContentError> {
        check_text(column, text, self.options.limits.max_cell_chars)
    }
}

/// Why the cells of a column cannot be read: its type is neither number, text nor time.
fn check_type(column: &ColumnDescriptor) -> Option<ContentError> {
    if is_null(column) || is_half(column) || units_a_second(column).is_some() {
        return None;
    }
    Covariates::check(column).map(|_| {
        let name = shorten(column.name());
        let message = format!(
            "The column '{name}' has the Parquet type {}, which is read neither as numbers nor as text",
            column.physical_type()
        );
        ContentError::new("unsupported_type", Kind::Unsupported, message)
            .column(name)
            .suggestion("Convert the column to numbers, text or timestamps before writing the file.")
    })
}

/// A column of the null type, which some writers use for columns without values.
fn is_null(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Unknown))
}

/// Whether it has 16-bit floating-point numbers.
fn is_half(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Float16))
        && column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY
        && column.type_length() == 2
}

/// Units per second, for a column of times of day.
fn units_a_second(column: &ColumnDescriptor) -> Option<f64> {
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Time(time)), _) => Some(match time.unit {
            TimeUnit::MILLIS => 1e3,
            TimeUnit::MICROS => 1e6,
            TimeUnit::NANOS => 1e9,
        }),
        (None, ConvertedType::TIME_MILLIS) => Some(1e3),
        (None, ConvertedType::TIME_MICROS) => Some(1e6),
        _ => None,
    }
}

/// An IEEE 754 binary16 number, little endian.
fn half(bytes: &[u8]) -> f64 {
    let bits = bytes.iter().rev().fold(0_u16, |bits, byte| bits << 8 | u16::from(*byte));
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff) / 1024.0);
    let size = match exponent {
        0 => fraction * 2_f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2_f64.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// The cells of one column of a row group, by its type.
enum Values {
    /// No cell has a value.
    Nothing,
    /// Times of day, with the number of units per second.
    Seconds32(Column<Int32Type>, f64),
    Seconds64(Column<Int64Type>, f64),
    Halves(Column<FixedLenByteArrayType>),
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
        match (column.physical_type(), units_a_second(column)) {
            (Type::INT32, Some(unit)) => {
                return Ok(Values::Seconds32(Column::open(source, group, index)?, unit));
            }
            (Type::INT64, Some(unit)) => {
                return Ok(Values::Seconds64(Column::open(source, group, index)?, unit));
            }
            _ => {}
        }
        Ok(match column.physical_type() {
            _ if is_null(column) => Values::Nothing,
            _ if is_half(column) => Values::Halves(Column::open(source, group, index)?),
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
            Values::Nothing => {
                (0..rows).for_each(|_| push(Value::Empty));
                Ok(())
            }
            Values::Seconds32(column, unit) => column.read(rows, |time| {
                push(time.map_or(Value::Empty, |time| Value::Number(f64::from(*time) / *unit)));
            }),
            Values::Seconds64(column, unit) => column.read(rows, |time| {
                push(time.map_or(Value::Empty, |time| Value::Number(*time as f64 / *unit)));
            }),
            Values::Halves(column) => column.read(rows, |value| {
                push(value.map_or(Value::Empty, |value| Value::Number(half(value.data()))));
            }),
            Values::Texts(column) => {
                column.read(rows, |text| cells.push(texts.text(text.unwrap_or_default())))
            }
            Values::Booleans(column) => {
                column.read(rows, |value| push(value.map_or(Value::Empty, |value| Value::Boolean(*value))))
            }
            Values::Times(column) => column.read(rows, None, |time| match time {
                TimeCell::At(micros, _) | TimeCell::Finer(micros, ..) => push(Value::Time(Some(micros))),
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
            // The double of a single's shortest text, which differs from the single's own value.
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
