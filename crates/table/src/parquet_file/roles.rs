//! The columns of the roles, by column type.

use std::fmt::{Display, Write};

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::data_type::{
    ByteArrayType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type, Int96Type,
};
use parquet::errors::Result;
use parquet::file::metadata::RowGroupMetaData;
use parquet::schema::types::ColumnDescriptor;
use tabcast_calendar::{
    DateOrder, MAX_MICROS, MIN_MICROS, Micros, is_finer_than_micros, parse_timestamp_in, write_pandas,
};

use crate::number::{Number, parse_number};
use crate::parquet_file::coded::CodedTexts;
use crate::parquet_file::column::Column;
use crate::parquet_file::source::Source;
use crate::{ContentError, Kind};

/// The content of a timestamp cell.
pub(crate) enum TimeCell {
    At(Micros, Option<i32>),
    /// A stamp finer than a microsecond: the truncated stamp, its offset, and its text.
    Finer(Micros, Option<i32>, Vec<u8>),
    Unreadable(Vec<u8>),
    OutOfRange,
}

/// Item ids: texts, or numbers, which are printed.
pub(crate) enum ItemIds {
    Coded(CodedTexts),
    Text(Column<ByteArrayType>),
    Int32(Column<Int32Type>, Sign),
    Int64(Column<Int64Type>, Sign),
    Float(Column<FloatType>),
    Double(Column<DoubleType>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Signed,
    Unsigned,
}

impl ItemIds {
    pub(crate) fn open(source: &Source, group: &RowGroupMetaData, index: usize) -> Result<ItemIds> {
        let sign = sign(group.column(index).column_descr());
        Ok(match group.column(index).column_type() {
            Type::INT32 => ItemIds::Int32(Column::open(source, group, index)?, sign),
            Type::INT64 => ItemIds::Int64(Column::open(source, group, index)?, sign),
            Type::FLOAT => ItemIds::Float(Column::open(source, group, index)?),
            Type::DOUBLE => ItemIds::Double(Column::open(source, group, index)?),
            _ => match CodedTexts::open(source, group, index)? {
                Some(texts) => ItemIds::Coded(texts),
                None => ItemIds::Text(Column::open(source, group, index)?),
            },
        })
    }

    pub(crate) fn check(column: &ColumnDescriptor) -> Option<ContentError> {
        let known = match column.physical_type() {
            Type::INT32 | Type::INT64 => is_integer(column),
            Type::FLOAT | Type::DOUBLE => true,
            Type::BYTE_ARRAY => is_text(column),
            Type::BOOLEAN | Type::INT96 | Type::FIXED_LEN_BYTE_ARRAY => false,
        };
        (!known).then(|| unsupported_type(column, "text or integers"))
    }

    /// Visits the ids of the next `rows` rows as text; `None` is null.
    pub(crate) fn read(&mut self, rows: usize, mut visit: impl FnMut(Option<&[u8]>)) -> Result<()> {
        let mut text = String::new();
        let mut print = |id: Option<&dyn Display>| {
            text.clear();
            // Writing to a string cannot fail.
            visit(id.and_then(|id| write!(text, "{id}").ok()).map(|()| text.as_bytes()));
        };
        match self {
            ItemIds::Coded(texts) => texts.read(rows, visit),
            ItemIds::Text(column) => {
                column.read(rows, |id| visit(id.map(parquet::data_type::ByteArray::data)))
            }
            ItemIds::Int32(column, Sign::Signed) => column.read(rows, |id| print(id.map(|id| id as _))),
            ItemIds::Int32(column, Sign::Unsigned) => {
                column.read(rows, |id| print(id.map(|id| id.cast_unsigned()).as_ref().map(|id| id as _)))
            }
            ItemIds::Int64(column, Sign::Signed) => column.read(rows, |id| print(id.map(|id| id as _))),
            ItemIds::Int64(column, Sign::Unsigned) => {
                column.read(rows, |id| print(id.map(|id| id.cast_unsigned()).as_ref().map(|id| id as _)))
            }
            ItemIds::Float(column) => column.read(rows, |id| print(id.map(|id| id as _))),
            ItemIds::Double(column) => column.read(rows, |id| print(id.map(|id| id as _))),
        }
    }
}

/// Timestamps: typed ones, dates, texts, or plain integers, which are read like their digits.
pub(crate) enum Timestamps {
    /// Units of this many nanoseconds.
    Scaled(Column<Int64Type>, i64),
    Dates(Column<Int32Type>),
    Int96(Column<Int96Type>),
    Int32(Column<Int32Type>),
    Int64(Column<Int64Type>),
    Text(Column<ByteArrayType>),
}

impl Timestamps {
    pub(crate) fn open(source: &Source, group: &RowGroupMetaData, index: usize) -> Result<Timestamps> {
        let column = group.column(index).column_descr();
        Ok(match (column.physical_type(), nanoseconds(column)) {
            (Type::INT64, Some(unit)) => Timestamps::Scaled(Column::open(source, group, index)?, unit),
            (Type::INT64, None) => Timestamps::Int64(Column::open(source, group, index)?),
            (Type::INT32, _) if is_date(column) => Timestamps::Dates(Column::open(source, group, index)?),
            (Type::INT32, _) => Timestamps::Int32(Column::open(source, group, index)?),
            (Type::INT96, _) => Timestamps::Int96(Column::open(source, group, index)?),
            _ => Timestamps::Text(Column::open(source, group, index)?),
        })
    }

    pub(crate) fn check(column: &ColumnDescriptor) -> Option<ContentError> {
        let known = match column.physical_type() {
            Type::INT64 => nanoseconds(column).is_some() || is_integer(column),
            Type::INT32 => is_date(column) || is_integer(column),
            Type::BYTE_ARRAY => is_text(column),
            Type::INT96 => true,
            Type::BOOLEAN | Type::FLOAT | Type::DOUBLE | Type::FIXED_LEN_BYTE_ARRAY => false,
        };
        (!known).then(|| unsupported_type(column, "timestamps, dates or text"))
    }

    /// Visits the next `rows` stamps; texts may be dates in this order.
    pub(crate) fn read(
        &mut self,
        rows: usize,
        order: Option<DateOrder>,
        mut visit: impl FnMut(TimeCell),
    ) -> Result<()> {
        match self {
            Timestamps::Scaled(column, unit) => {
                let unit = i128::from(*unit);
                column.read(rows, |time| visit(in_nanoseconds(time.map(|time| i128::from(*time) * unit))))
            }
            Timestamps::Dates(column) => {
                column.read(rows, |date| visit(in_range(date.map(|date| i128::from(*date) * 86_400_000_000))))
            }
            // Julian days only fit an i64 of microseconds near our time; beyond it, the crate's conversion wraps.
            Timestamps::Int96(column) => column.read(rows, |time| {
                let nanos = time.map(|time| {
                    let data = time.data();
                    let nanos = i128::from(data[0]) | i128::from(data[1]) << 32;
                    (i128::from(data[2]) - 2_440_588) * 86_400_000_000_000 + nanos
                });
                visit(in_nanoseconds(nanos));
            }),
            Timestamps::Int32(column) => {
                column.read(rows, |time| visit(as_text(time.map(ToString::to_string))))
            }
            Timestamps::Int64(column) => {
                column.read(rows, |time| visit(as_text(time.map(ToString::to_string))))
            }
            Timestamps::Text(column) => {
                column.read(rows, |text| visit(parsed(text.map_or(&[], |text| text.data()), order)))
            }
        }
    }
}

fn in_range(micros: Option<i128>) -> TimeCell {
    match micros {
        None => TimeCell::Unreadable(Vec::new()),
        Some(micros) => match i64::try_from(micros) {
            Ok(micros) if (MIN_MICROS..=MAX_MICROS).contains(&micros) => TimeCell::At(micros, None),
            _ => TimeCell::OutOfRange,
        },
    }
}

/// From nanoseconds since 1970.
fn in_nanoseconds(nanos: Option<i128>) -> TimeCell {
    let finer = nanos.map_or(0, |nanos| nanos.rem_euclid(1_000));
    match in_range(nanos.map(|nanos| nanos.div_euclid(1_000))) {
        TimeCell::At(micros, offset) if finer != 0 => {
            let mut text = Vec::new();
            // Always six digits of fraction.
            write_pandas(micros.div_euclid(1_000_000) * 1_000_000, &mut text);
            text.extend_from_slice(format!(".{:06}{finer:03}", micros.rem_euclid(1_000_000)).as_bytes());
            TimeCell::Finer(micros, offset, text)
        }
        cell => cell,
    }
}

fn as_text(digits: Option<String>) -> TimeCell {
    parsed(digits.unwrap_or_default().as_bytes(), None)
}

fn parsed(text: &[u8], order: Option<DateOrder>) -> TimeCell {
    match parse_timestamp_in(text, order) {
        Some(stamp) if is_finer_than_micros(text) => {
            TimeCell::Finer(stamp.micros, stamp.offset_seconds, text.to_vec())
        }
        Some(stamp) => TimeCell::At(stamp.micros, stamp.offset_seconds),
        None => TimeCell::Unreadable(text.to_vec()),
    }
}

/// Targets: any number, decimals, or text.
pub(crate) enum Targets {
    /// Divided by this number.
    Int32(Column<Int32Type>, Sign, f64),
    Int64(Column<Int64Type>, Sign, f64),
    Float(Column<FloatType>),
    Double(Column<DoubleType>),
    FixedDecimal(Column<FixedLenByteArrayType>, f64),
    Decimal(Column<ByteArrayType>, f64),
    Text(Column<ByteArrayType>),
}

impl Targets {
    pub(crate) fn open(source: &Source, group: &RowGroupMetaData, index: usize) -> Result<Targets> {
        let column = group.column(index).column_descr();
        let divisor = if is_decimal(column) { 10_f64.powi(column.type_scale()) } else { 1.0 };
        Ok(match column.physical_type() {
            Type::INT32 => Targets::Int32(Column::open(source, group, index)?, sign(column), divisor),
            Type::INT64 => Targets::Int64(Column::open(source, group, index)?, sign(column), divisor),
            Type::FLOAT => Targets::Float(Column::open(source, group, index)?),
            Type::DOUBLE => Targets::Double(Column::open(source, group, index)?),
            Type::FIXED_LEN_BYTE_ARRAY => Targets::FixedDecimal(Column::open(source, group, index)?, divisor),
            _ if is_decimal(column) => Targets::Decimal(Column::open(source, group, index)?, divisor),
            _ => Targets::Text(Column::open(source, group, index)?),
        })
    }

    pub(crate) fn check(column: &ColumnDescriptor) -> Option<ContentError> {
        let known = match column.physical_type() {
            Type::INT32 | Type::INT64 => is_integer(column) || is_decimal(column),
            Type::FLOAT | Type::DOUBLE => true,
            Type::BYTE_ARRAY => is_text(column) || is_decimal(column),
            Type::FIXED_LEN_BYTE_ARRAY => is_decimal(column),
            Type::BOOLEAN | Type::INT96 => false,
        };
        (!known).then(|| unsupported_type(column, "numbers"))
    }

    /// Visits the next `rows` targets, each with its text unless it is a plain number.
    pub(crate) fn read(&mut self, rows: usize, mut visit: impl FnMut(Number, &[u8])) -> Result<()> {
        let mut number = |value: Option<f64>| match value {
            Some(value) if value.is_finite() => visit(Number::Value(value), &[]),
            Some(value) if value.is_infinite() => visit(Number::NonFinite, value.to_string().as_bytes()),
            _ => visit(Number::Null, &[]),
        };
        match self {
            Targets::Int32(column, sign, divisor) => {
                let (unsigned, divisor) = (*sign == Sign::Unsigned, *divisor);
                column.read(rows, |value| {
                    number(value.map(|value| {
                        (if unsigned { f64::from(value.cast_unsigned()) } else { f64::from(*value) })
                            / divisor
                    }));
                })
            }
            Targets::Int64(column, sign, divisor) => {
                let (unsigned, divisor) = (*sign == Sign::Unsigned, *divisor);
                column.read(rows, |value| {
                    number(value.map(|value| {
                        (if unsigned { value.cast_unsigned() as f64 } else { *value as f64 }) / divisor
                    }));
                })
            }
            Targets::Float(column) => column.read(rows, |value| number(value.map(|value| f64::from(*value)))),
            Targets::Double(column) => column.read(rows, |value| number(value.copied())),
            Targets::FixedDecimal(column, divisor) => {
                let divisor = *divisor;
                column.read(rows, |value| number(value.map(|value| big_integer(value.data()) / divisor)))
            }
            Targets::Decimal(column, divisor) => {
                let divisor = *divisor;
                column.read(rows, |value| number(value.map(|value| big_integer(value.data()) / divisor)))
            }
            Targets::Text(column) => column.read(rows, |text| {
                let text = text.map_or(&[][..], |text| text.data());
                visit(parse_number(text), text);
            }),
        }
    }
}

/// Parses a decimal's bytes: two's complement of any length, most significant byte first.
fn big_integer(bytes: &[u8]) -> f64 {
    /// Fits into an `i128` with its sign, and is more than a double can hold.
    const KEPT: usize = 15;
    let negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
    let fill = if negative { 0xff } else { 0 };
    let start = bytes.iter().position(|byte| *byte != fill).unwrap_or(bytes.len());
    let significant = &bytes[start..];
    let (kept, rest) = significant.split_at(significant.len().min(KEPT));
    let sign = if negative { -1_i128 } else { 0 };
    let value = kept.iter().fold(sign, |value, byte| value << 8 | i128::from(*byte));
    value as f64 * 256_f64.powi(rest.len() as i32)
}

/// Nanoseconds per unit of a timestamp column.
pub(crate) fn nanoseconds(column: &ColumnDescriptor) -> Option<i64> {
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Timestamp(timestamp)), _) => Some(match timestamp.unit {
            TimeUnit::MILLIS => 1_000_000,
            TimeUnit::MICROS => 1_000,
            TimeUnit::NANOS => 1,
        }),
        (None, ConvertedType::TIMESTAMP_MILLIS) => Some(1_000_000),
        (None, ConvertedType::TIMESTAMP_MICROS) => Some(1_000),
        _ => None,
    }
}

pub(crate) fn is_date(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Date))
        || column.converted_type() == ConvertedType::DATE
}

pub(crate) fn is_decimal(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Decimal(_)))
        || column.converted_type() == ConvertedType::DECIMAL
}

fn is_integer(column: &ColumnDescriptor) -> bool {
    match column.logical_type_ref() {
        Some(logical) => matches!(logical, LogicalType::Integer(_)),
        None => !matches!(
            column.converted_type(),
            ConvertedType::DATE
                | ConvertedType::DECIMAL
                | ConvertedType::TIME_MILLIS
                | ConvertedType::TIME_MICROS
                | ConvertedType::TIMESTAMP_MILLIS
                | ConvertedType::TIMESTAMP_MICROS
        ),
    }
}

/// Writers without strings leave byte arrays without a logical type.
fn is_text(column: &ColumnDescriptor) -> bool {
    match column.logical_type_ref() {
        Some(logical) => matches!(logical, LogicalType::String | LogicalType::Enum | LogicalType::Json),
        None => matches!(
            column.converted_type(),
            ConvertedType::NONE | ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON
        ),
    }
}

pub(crate) fn sign(column: &ColumnDescriptor) -> Sign {
    let unsigned = match column.logical_type_ref() {
        Some(LogicalType::Integer(integer)) => !integer.is_signed,
        _ => matches!(
            column.converted_type(),
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64
        ),
    };
    if unsigned { Sign::Unsigned } else { Sign::Signed }
}

fn unsupported_type(column: &ColumnDescriptor, expected: &str) -> ContentError {
    let name = column.name();
    let message = format!(
        "The column '{name}' has the Parquet type {}; {expected} are expected",
        column.physical_type()
    );
    ContentError::new("unsupported_type", Kind::Unsupported, message)
        .column(name)
        .suggestion(format!("Convert the column to {expected} before writing the file."))
}
