//! Parquet.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, PageIndexPolicy, ParquetMetaDataOptions, ParquetMetaDataReader,
};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, Type, TypePtr};
use rayon::prelude::*;

use super::layout::{Chunk, Layout, TimestampFormat, WriteError, Written, written};

/// Number of rows in a row group: with ten columns about 20 MB in memory, and enough groups for a reader's threads.
const GROUP_ROWS: usize = 250_000;

/// Number of rows encoded between two checks of the cancel flag: a whole number of the encoder's own batches of 1,024
/// rows, so that pages end where they would anyway.
const STRETCH: usize = 32 * 1024;

/// Writes Parquet: zstd, a dictionary for item ids, timestamps in microseconds, plain doubles.
///
/// The columns of a row group are encoded by the threads of the current rayon pool. The bytes depend neither on their
/// number nor on how the rows were cut into chunks.
pub struct ParquetWriter {
    file: SerializedFileWriter<File>,
    layout: Layout,
    pending: Pending,
    rows: u64,
    cancel: Arc<AtomicBool>,
}

/// Rows that do not yet fill a row group.
#[derive(Default)]
struct Pending {
    ids: Vec<ByteArray>,
    timestamps: Vec<i64>,
    values: Vec<Vec<f64>>,
}

impl std::fmt::Debug for ParquetWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetWriter")
            .field("layout", &self.layout)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl ParquetWriter {
    /// Creates the file.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path, layout: &Layout) -> Result<ParquetWriter, WriteError> {
        let file = open(path, layout)?;
        let pending = Pending { values: vec![Vec::new(); layout.values.len()], ..Pending::default() };
        Ok(ParquetWriter { file, layout: layout.clone(), pending, rows: 0, cancel: Arc::default() })
    }

    /// Once `cancel` is set, writes end with [`WriteError::Cancelled`], even in the middle of a chunk.
    #[must_use]
    pub fn unless(mut self, cancel: Arc<AtomicBool>) -> ParquetWriter {
        self.cancel = cancel;
        self
    }

    /// Appends rows.
    ///
    /// # Errors
    /// If the disk fails or the chunk does not fit the layout.
    pub fn write(&mut self, chunk: &Chunk) -> Result<(), WriteError> {
        chunk.check(&self.layout)?;
        let mut row = 0;
        for run in chunk.runs {
            let id = ByteArray::from(run.id);
            let end = row + run.rows;
            while row < end {
                let rows = (end - row).min(GROUP_ROWS - self.pending.timestamps.len());
                self.pending.ids.resize(self.pending.ids.len() + rows, id.clone());
                self.pending.timestamps.extend_from_slice(&chunk.timestamps[row..row + rows]);
                for (column, values) in self.pending.values.iter_mut().zip(chunk.values) {
                    column.extend_from_slice(&values[row..row + rows]);
                }
                row += rows;
                if self.pending.timestamps.len() == GROUP_ROWS {
                    self.write_group()?;
                }
            }
        }
        self.rows += chunk.rows() as u64;
        Ok(())
    }

    /// Appends the row groups of another file of this layout, byte for byte, after a row group that has ended.
    ///
    /// # Errors
    /// If either file fails, or if the other one has another layout.
    pub fn append(&mut self, path: &Path) -> Result<(), WriteError> {
        self.end_group()?;
        let part = File::open(path)?;
        // Otherwise the footer would lack what it has after a write.
        let in_full = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
        let metadata = ParquetMetaDataReader::new()
            .with_metadata_options(Some(in_full))
            .with_page_index_policy(PageIndexPolicy::Optional)
            .parse_and_finish(&part)?;
        if metadata.file_metadata().schema() != self.file.schema_descr().root_schema() {
            return Err(WriteError::Invalid("a part of the table has other columns".into()));
        }
        for (number, group) in metadata.row_groups().iter().enumerate() {
            if self.cancel.load(Ordering::Relaxed) {
                return Err(WriteError::Cancelled);
            }
            let mut copy = self.file.next_row_group()?;
            for (place, column) in group.columns().iter().enumerate() {
                let index = metadata.page_index();
                let close = ColumnCloseResult {
                    bytes_written: column.compressed_size() as u64,
                    rows_written: group.num_rows() as u64,
                    metadata: as_written(column)?,
                    bloom_filter: None,
                    column_index: index.and_then(|index| index.column_index(number, place)).cloned(),
                    offset_index: index.and_then(|index| index.offset_index(number, place)).cloned(),
                };
                copy.append_column(&part, close)?;
            }
            copy.close()?;
            self.rows += group.num_rows() as u64;
        }
        Ok(())
    }

    /// Ends the current row group; the next rows begin another one.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn end_group(&mut self) -> Result<(), WriteError> {
        if self.pending.timestamps.is_empty() { Ok(()) } else { self.write_group() }
    }

    /// Writes the remaining rows and the footer, and closes the file.
    ///
    /// # Errors
    /// If the disk fails, or the file's length differs from what was written.
    pub fn finish(mut self) -> Result<Written, WriteError> {
        self.end_group()?;
        self.file.finish()?;
        let bytes = self.file.bytes_written() as u64;
        written(self.file.inner(), bytes, self.rows)
    }

    fn write_group(&mut self) -> Result<(), WriteError> {
        let pending = &self.pending;
        let properties = self.file.properties();
        let schema = self.file.schema_descr();
        let columns = (0..schema.num_columns())
            .into_par_iter()
            .map(|index| encode(schema.column(index), properties, pending, index, &self.cancel))
            .collect::<Result<Vec<_>, _>>()?;
        let mut group = self.file.next_row_group()?;
        for (bytes, close) in columns {
            group.append_column(&bytes, close)?;
        }
        group.close()?;
        self.pending.ids.clear();
        self.pending.timestamps.clear();
        self.pending.values.iter_mut().for_each(Vec::clear);
        Ok(())
    }
}

/// The metadata of a column as they were before they were written: a reader drops the copy of minimum and maximum that
/// a writer of timestamps adds for old readers.
fn as_written(column: &ColumnChunkMetaData) -> Result<ColumnChunkMetaData, ParquetError> {
    let Some(Statistics::Int64(statistics)) = column.statistics() else { return Ok(column.clone()) };
    let statistics = statistics.clone().with_backwards_compatible_min_max(true);
    column.clone().into_builder().set_statistics(Statistics::Int64(statistics)).build()
}

/// A file without row groups yet.
fn open(path: &Path, layout: &Layout) -> Result<SerializedFileWriter<File>, WriteError> {
    let properties = WriterProperties::builder()
        .set_created_by("tabcast".into())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_enabled(false)
        .set_column_dictionary_enabled(ColumnPath::new(vec![layout.item_id.clone()]), true)
        .set_column_dictionary_enabled(ColumnPath::new(vec![layout.timestamp.clone()]), true)
        .build();
    Ok(SerializedFileWriter::new(File::create(path)?, schema(layout)?, Arc::new(properties))?)
}

/// One column chunk, encoded and compressed in memory.
fn encode(
    column: ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    rows: &Pending,
    index: usize,
    cancel: &AtomicBool,
) -> Result<(Bytes, ColumnCloseResult), WriteError> {
    let mut sink = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut sink));
    let mut writer = get_column_writer(column, Arc::clone(properties), pages);
    let count = rows.timestamps.len();
    for first in (0..count).step_by(STRETCH) {
        if cancel.load(Ordering::Relaxed) {
            return Err(WriteError::Cancelled);
        }
        let stretch = first..count.min(first + STRETCH);
        match &mut writer {
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                writer.write_batch(&rows.ids[stretch], None, None)?
            }
            ColumnWriter::Int64ColumnWriter(writer) => {
                writer.write_batch(&rows.timestamps[stretch], None, None)?
            }
            ColumnWriter::DoubleColumnWriter(writer) => {
                writer.write_batch(&rows.values[index - 2][stretch], None, None)?
            }
            _ => return Err(ParquetError::General("the schema has no other types".into()).into()),
        };
    }
    let close = writer.close()?;
    let bytes = sink.into_inner()?;
    Ok((bytes.into(), close))
}

fn schema(layout: &Layout) -> Result<TypePtr, ParquetError> {
    let adjusted = layout.timestamp_format == TimestampFormat::Iso8601;
    let mut fields = vec![
        field(&layout.item_id, Physical::BYTE_ARRAY, Some(LogicalType::String))?,
        field(&layout.timestamp, Physical::INT64, Some(LogicalType::timestamp(adjusted, TimeUnit::MICROS)))?,
    ];
    for name in &layout.values {
        fields.push(field(name, Physical::DOUBLE, None)?);
    }
    Ok(Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?))
}

fn field(name: &str, physical: Physical, logical: Option<LogicalType>) -> Result<TypePtr, ParquetError> {
    let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
    Ok(Arc::new(builder.with_logical_type(logical).build()?))
}
