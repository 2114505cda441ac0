//! Converts Parquet to other formats, for later downloads and for deliveries.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use parquet::basic::{LogicalType, Type};
use parquet::data_type::{ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::convert_table::convert_table;
use super::csv::CsvWriter;
use super::json::{Brackets, JsonWriter};
use super::layout::{Chunk, Layout, Run, TimestampFormat, WriteError, Written};
use crate::parquet_file::{Column, Source};
use crate::write::table_format::TableFormat;

/// Number of rows in memory at a time.
const STRETCH: usize = 65_536;

impl From<ParquetError> for WriteError {
    fn from(error: ParquetError) -> WriteError {
        match error {
            ParquetError::External(source) => match source.downcast::<std::io::Error>() {
                Ok(error) => WriteError::Io(*error),
                Err(source) => WriteError::Invalid(source.to_string()),
            },
            error => WriteError::Invalid(error.to_string()),
        }
    }
}

/// Converts the file of a [`ParquetWriter`](crate::ParquetWriter) or of
/// [`write_table_parquet`](crate::write_table_parquet), a stretch of rows at a time. After an error, a part of the new
/// file may remain.
///
/// # Errors
/// If either file fails, if the Parquet file was written by another program, or if `cancel` was set.
pub fn convert_parquet(
    from: &Path,
    to: &Path,
    format: TableFormat,
    cancel: &AtomicBool,
) -> Result<Written, WriteError> {
    let file = File::open(from)?;
    let bytes = file.metadata()?.len();
    let source = Source::trusted(file, bytes);
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&source)?;
    let Some(layout) = layout_of(&metadata) else {
        return convert_table(&source, &metadata, to, format, cancel);
    };
    let mut writer = Writer::create(to, &layout, format)?;
    for group in metadata.row_groups() {
        let mut ids = Column::<ByteArrayType>::open(&source, group, 0)?;
        let mut timestamps = Column::<Int64Type>::open(&source, group, 1)?;
        let mut values = (2..group.num_columns())
            .map(|index| Column::<DoubleType>::open(&source, group, index))
            .collect::<Result<Vec<_>, _>>()?;
        let mut left = group.num_rows() as usize;
        while left > 0 {
            if cancel.load(Ordering::Relaxed) {
                return Err(WriteError::Cancelled);
            }
            let rows = left.min(STRETCH);
            left -= rows;
            let runs = read_runs(&mut ids, rows)?;
            let mut stamps = Vec::with_capacity(rows);
            timestamps.read(rows, |stamp| stamps.extend(stamp))?;
            let mut columns = Vec::with_capacity(values.len());
            for column in &mut values {
                let mut numbers = Vec::with_capacity(rows);
                column.read(rows, |value| numbers.extend(value))?;
                columns.push(numbers);
            }
            let runs: Vec<Run> = runs.iter().map(|(id, rows)| Run { id, rows: *rows }).collect();
            let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            writer.write(&Chunk { runs: &runs, timestamps: &stamps, values: &columns })?;
        }
    }
    writer.finish()
}

/// The writer of the new format.
enum Writer {
    Csv(CsvWriter),
    Json(JsonWriter),
}

impl Writer {
    fn create(path: &Path, layout: &Layout, format: TableFormat) -> Result<Writer, WriteError> {
        Ok(match format {
            TableFormat::Csv => Writer::Csv(CsvWriter::create(path, layout, u64::MAX)?),
            TableFormat::Json => Writer::Json(JsonWriter::create(path, layout, Brackets::Array)?),
            TableFormat::Jsonl => Writer::Json(JsonWriter::create(path, layout, Brackets::Lines)?),
        })
    }

    fn write(&mut self, chunk: &Chunk) -> Result<(), WriteError> {
        match self {
            Writer::Csv(writer) => writer.write(chunk),
            Writer::Json(writer) => writer.write(chunk),
        }
    }

    fn finish(self) -> Result<Written, WriteError> {
        match self {
            Writer::Csv(writer) => writer
                .finish()?
                .ok_or_else(|| WriteError::Invalid("the CSV was given up without a limit".into())),
            Writer::Json(writer) => writer.finish(),
        }
    }
}

fn read_runs(ids: &mut Column<ByteArrayType>, rows: usize) -> Result<Vec<(String, usize)>, WriteError> {
    let mut runs: Vec<(Vec<u8>, usize)> = Vec::new();
    ids.read(rows, |id| {
        let id = id.map_or(&[][..], |id| id.data());
        match runs.last_mut() {
            Some((last, rows)) if last == id => *rows += 1,
            _ => runs.push((id.to_vec(), 1)),
        }
    })?;
    runs.into_iter()
        .map(|(id, rows)| match String::from_utf8(id) {
            Ok(id) => Ok((id, rows)),
            Err(_) => Err(WriteError::Invalid("an item id is not UTF-8".into())),
        })
        .collect()
}

/// The layout of a forecast table; none for other tables.
fn layout_of(metadata: &ParquetMetaData) -> Option<Layout> {
    let schema = metadata.file_metadata().schema_descr();
    let columns = schema.columns();
    let flat = columns.iter().all(|column| column.max_def_level() == 0 && column.max_rep_level() == 0);
    if let [item_id, timestamp, values @ ..] = columns
        && flat
        && item_id.physical_type() == Type::BYTE_ARRAY
        && timestamp.physical_type() == Type::INT64
        && let Some(LogicalType::Timestamp(kind)) = timestamp.logical_type_ref()
        && values.iter().all(|column| column.physical_type() == Type::DOUBLE)
    {
        let adjusted = kind.is_adjusted_to_u_t_c;
        return Some(Layout {
            item_id: item_id.name().to_owned(),
            timestamp: timestamp.name().to_owned(),
            values: values.iter().map(|column| column.name().to_owned()).collect(),
            timestamp_format: if adjusted { TimestampFormat::Iso8601 } else { TimestampFormat::Pandas },
        });
    }
    None
}
