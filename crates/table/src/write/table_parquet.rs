//! Writes a table of any columns as Parquet.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, Type, TypePtr};
use rayon::prelude::*;

use super::layout::{WriteError, Written, written};
use super::table::{TableColumn, rows};

/// Number of rows in a row group.
const GROUP_ROWS: usize = 250_000;
/// Number of rows encoded between two checks of the cancel flag.
const STRETCH: usize = 32 * 1024;

/// Writes a table as Parquet: zstd, dictionaries for texts, nulls for missing values.
///
/// The columns of a row group are encoded by the threads of the current rayon pool; the bytes do not depend on how many
/// there are.
///
/// # Errors
/// If the disk fails, the columns have different lengths, or `cancel` was set.
pub fn write_table_parquet(
    path: &Path,
    table: &[(String, TableColumn)],
    cancel: &AtomicBool,
) -> Result<Written, WriteError> {
    let properties = WriterProperties::builder()
        .set_created_by("tabcast".into())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build();
    write(path, table, properties, cancel)
}

/// Writes a table as Parquet that will be read once, soon: numbers and times in plain form, without compression, so
/// that the file is about as large as its contents, however repetitive they are.
///
/// # Errors
/// As [`write_table_parquet`].
pub fn write_plain_parquet(
    path: &Path,
    table: &[(String, TableColumn)],
    cancel: &AtomicBool,
) -> Result<Written, WriteError> {
    let mut properties = WriterProperties::builder()
        .set_created_by("tabcast".into())
        .set_statistics_enabled(EnabledStatistics::None)
        .set_dictionary_enabled(false);
    for (name, _) in table.iter().filter(|(_, column)| matches!(column, TableColumn::Texts(_))) {
        properties = properties.set_column_dictionary_enabled(ColumnPath::new(vec![name.clone()]), true);
    }
    write(path, table, properties.build(), cancel)
}

fn write(
    path: &Path,
    table: &[(String, TableColumn)],
    properties: WriterProperties,
    cancel: &AtomicBool,
) -> Result<Written, WriteError> {
    let rows = rows(table)?;
    let mut file = SerializedFileWriter::new(File::create(path)?, schema(table)?, Arc::new(properties))?;
    for first in (0..rows).step_by(GROUP_ROWS) {
        let group_rows = first..rows.min(first + GROUP_ROWS);
        let (properties, schema) = (file.properties(), file.schema_descr());
        let columns = table
            .par_iter()
            .enumerate()
            .map(|(index, (_, column))| {
                encode(schema.column(index), properties, column, group_rows.clone(), cancel)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut group = file.next_row_group()?;
        for (bytes, close) in columns {
            group.append_column(&bytes, close)?;
        }
        group.close()?;
    }
    file.finish()?;
    let bytes = file.bytes_written() as u64;
    written(file.inner(), bytes, rows as u64)
}

/// One column chunk, encoded and compressed in memory.
fn encode(
    descriptor: ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    column: &TableColumn,
    rows: Range<usize>,
    cancel: &AtomicBool,
) -> Result<(Bytes, ColumnCloseResult), WriteError> {
    let mut sink = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut sink));
    let mut writer = get_column_writer(descriptor, Arc::clone(properties), pages);
    for first in rows.clone().step_by(STRETCH) {
        if cancel.load(Ordering::Relaxed) {
            return Err(WriteError::Cancelled);
        }
        let stretch = first..rows.end.min(first + STRETCH);
        match (&mut writer, column) {
            (ColumnWriter::DoubleColumnWriter(writer), TableColumn::Numbers(numbers)) => {
                let numbers = &numbers[stretch];
                let levels: Vec<i16> = numbers.iter().map(|number| i16::from(number.is_finite())).collect();
                let known: Vec<f64> = numbers.iter().copied().filter(|number| number.is_finite()).collect();
                writer.write_batch(&known, Some(&levels), None)?
            }
            (ColumnWriter::Int64ColumnWriter(writer), TableColumn::Integers(integers)) => {
                let integers: Vec<i64> =
                    integers[stretch].iter().map(|integer| integer.cast_signed()).collect();
                writer.write_batch(&integers, None, None)?
            }
            (ColumnWriter::Int64ColumnWriter(writer), TableColumn::Times(times)) => {
                writer.write_batch(&times[stretch], None, None)?
            }
            (ColumnWriter::ByteArrayColumnWriter(writer), TableColumn::Texts(column)) => {
                let texts: Vec<Option<&str>> = stretch.map(|row| column.get(row)).collect();
                let levels: Vec<i16> = texts.iter().map(|text| i16::from(text.is_some())).collect();
                let known: Vec<ByteArray> = texts.into_iter().flatten().map(ByteArray::from).collect();
                writer.write_batch(&known, Some(&levels), None)?
            }
            _ => return Err(ParquetError::General("the schema has no other types".into()).into()),
        };
    }
    let close = writer.close()?;
    Ok((sink.into_inner()?.into(), close))
}

fn schema(table: &[(String, TableColumn)]) -> Result<TypePtr, ParquetError> {
    let fields = table.iter().map(|(name, column)| {
        let (physical, logical, repetition) = match column {
            TableColumn::Numbers(_) => (Physical::DOUBLE, None, Repetition::OPTIONAL),
            TableColumn::Integers(_) => {
                (Physical::INT64, Some(LogicalType::integer(64, false)), Repetition::REQUIRED)
            }
            TableColumn::Times(_) => {
                let time = LogicalType::timestamp(true, TimeUnit::MICROS);
                (Physical::INT64, Some(time), Repetition::REQUIRED)
            }
            TableColumn::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::OPTIONAL),
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        builder.with_logical_type(logical).build().map(Arc::new)
    });
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    Ok(Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?))
}
