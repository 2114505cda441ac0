//! Converts the Parquet file of a table with any columns to other formats.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::data_type::{ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result as Decoded;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::ColumnDescriptor;

use super::json::Brackets;
use super::layout::{WriteError, Written};
use super::table::{TableColumn, TableCsv};
use super::table_json::TableJson;
use crate::TextColumn;
use crate::interner::Interner;
use crate::parquet_file::{Column, STRETCH, Source};
use crate::write::table_format::TableFormat;

/// Converts a file of [`write_table_parquet`](crate::write_table_parquet), a stretch of rows at a time.
pub(super) fn convert_table(
    source: &Source,
    metadata: &ParquetMetaData,
    to: &Path,
    format: TableFormat,
    cancel: &AtomicBool,
) -> Result<Written, WriteError> {
    let schema = metadata.file_metadata().schema_descr();
    if !schema.columns().iter().all(|column| is_written(column)) {
        return Err(WriteError::Invalid("the Parquet file is no table that was written here".into()));
    }
    let names: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
    let mut writer = match format {
        TableFormat::Csv => Writer::Csv(TableCsv::create(to, names.into_iter(), u64::MAX)?),
        TableFormat::Json => Writer::Json(TableJson::create(to, &names, Brackets::Array)?),
        TableFormat::Jsonl => Writer::Json(TableJson::create(to, &names, Brackets::Lines)?),
    };
    for group in metadata.row_groups() {
        let mut cells = (0..group.num_columns())
            .map(|index| Cells::open(source, group, index))
            .collect::<Decoded<Vec<_>>>()?;
        let mut left = group.num_rows() as usize;
        while left > 0 {
            if cancel.load(Ordering::Relaxed) {
                return Err(WriteError::Cancelled);
            }
            let rows = left.min(STRETCH);
            left -= rows;
            let columns = cells.iter_mut().map(|cells| cells.read(rows)).collect::<Decoded<Vec<_>>>()?;
            let columns: Vec<&TableColumn> = columns.iter().collect();
            match &mut writer {
                Writer::Csv(writer) => writer.write(&columns, rows, cancel)?,
                Writer::Json(writer) => writer.write(&columns, rows)?,
            }
        }
    }
    match writer {
        Writer::Csv(writer) => {
            writer.finish()?.ok_or_else(|| WriteError::Invalid("the CSV was given up without a limit".into()))
        }
        Writer::Json(writer) => writer.finish(),
    }
}

/// The writer of the new format.
enum Writer {
    Csv(TableCsv),
    Json(TableJson),
}

/// Whether a column has a type that this crate writes.
fn is_written(column: &ColumnDescriptor) -> bool {
    let is_flat = column.max_rep_level() == 0 && column.max_def_level() <= 1;
    is_flat
        && match column.physical_type() {
            Type::DOUBLE => true,
            Type::INT64 => {
                matches!(column.logical_type_ref(), Some(LogicalType::Integer(integer)) if !integer.is_signed)
            }
            Type::BYTE_ARRAY => column.converted_type() == ConvertedType::UTF8,
            _ => false,
        }
}

/// A column of a row group.
enum Cells {
    Numbers(Column<DoubleType>),
    Integers(Column<Int64Type>),
    Texts(Column<ByteArrayType>),
}

impl Cells {
    fn open(source: &Source, group: &RowGroupMetaData, index: usize) -> Decoded<Cells> {
        Ok(match group.column(index).column_type() {
            Type::DOUBLE => Cells::Numbers(Column::open(source, group, index)?),
            Type::INT64 => Cells::Integers(Column::open(source, group, index)?),
            _ => Cells::Texts(Column::open(source, group, index)?),
        })
    }

    fn read(&mut self, rows: usize) -> Decoded<TableColumn> {
        Ok(match self {
            Cells::Numbers(column) => {
                let mut numbers = Vec::with_capacity(rows);
                column.read(rows, |value| numbers.push(value.copied().unwrap_or(f64::NAN)))?;
                TableColumn::Numbers(numbers)
            }
            Cells::Integers(column) => {
                let mut integers = Vec::with_capacity(rows);
                column.read(rows, |value| integers.push(value.map_or(0, |value| value.cast_unsigned())))?;
                TableColumn::Integers(integers)
            }
            Cells::Texts(column) => {
                let mut codes = Vec::with_capacity(rows);
                let mut interner = Interner::new();
                column.read(rows, |value| {
                    codes.push(value.map_or(TextColumn::MISSING, |value| interner.intern(value.data())));
                })?;
                let text = |number| String::from_utf8_lossy(interner.get(number)).into();
                let texts = (0..interner.len() as u32).map(text).collect();
                TableColumn::Texts(TextColumn { codes, texts })
            }
        })
    }
}
