//! The footer, checked before anything else is read.

use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};

use crate::batch::too_many_rows;
use crate::parquet_file::compact::Compact;
use crate::parquet_file::corrupt;
use crate::parquet_file::inflation::{column_limit, file_limit, too_far};
use crate::parquet_file::source::Source;
use crate::refusals::{column_named_twice, duplicate_column, missing_column, too_many_columns};
use crate::roles::reads_item_id;
use crate::{Columns, ContentError, Kind, ReadError, ReadOptions};

/// A decoded footer takes many times its size; this is enough for a hundred thousand column chunks.
const MAX_FOOTER: u64 = 16 * 1024 * 1024;
/// Size of a decoded value in bytes.
const VALUE: u64 = 8;

/// Metadata, and the indices of the columns.
pub(crate) struct Footer {
    pub(crate) metadata: ParquetMetaData,
    /// None if a hierarchy identifies the series and there is no item id; may be one of its levels.
    pub(crate) item_id: Option<usize>,
    /// Hierarchy columns.
    pub(crate) levels: Vec<usize>,
    pub(crate) timestamp: usize,
    pub(crate) target: usize,
    pub(crate) covariates: Vec<usize>,
}

impl Footer {
    /// The files before this one have `before` rows.
    pub(crate) fn read(source: &Source, options: &ReadOptions, before: u64) -> Result<Footer, ReadError> {
        let metadata = read_metadata(source, options, before)?;
        let columns = &options.columns;
        let find = |name: &String| find(&metadata, name, columns);
        let find_all = |names: &[String]| names.iter().map(find).collect::<Result<Vec<_>, _>>();
        let footer = Footer {
            item_id: reads_item_id(columns, &names(&metadata)).then(|| find(&columns.item_id)).transpose()?,
            timestamp: find(&columns.timestamp)?,
            target: find(&columns.target)?,
            levels: find_all(columns.levels())?,
            covariates: find_all(&columns.covariates)?,
            metadata,
        };
        let read: Vec<usize> = footer.columns().collect();
        if let Some(place) = (1..read.len()).find(|place| read[..*place].contains(&read[*place])) {
            return Err(column_named_twice(&footer.name(read[place]), columns).into());
        }
        check_sizes(&footer.metadata, &read, source.len())?;
        Ok(footer)
    }

    /// All columns to read.
    fn columns(&self) -> impl Iterator<Item = usize> {
        let single = self.item_id.into_iter().chain([self.timestamp, self.target]);
        single.chain(self.levels.iter().copied()).chain(self.covariates.iter().copied())
    }

    /// Names of the file's columns; nested columns are named by their root.
    pub(crate) fn names(&self) -> Vec<String> {
        names(&self.metadata)
    }

    pub(crate) fn name(&self, column: usize) -> String {
        self.metadata.file_metadata().schema_descr().column(column).name().to_owned()
    }
}

pub(crate) fn names(metadata: &ParquetMetaData) -> Vec<String> {
    let schema = metadata.file_metadata().schema_descr();
    schema.root_schema().get_fields().iter().map(|field| field.name().to_owned()).collect()
}

/// Reads the metadata and checks its counts against the file and the limits; the files before this one have `before`
/// rows.
pub(crate) fn read_metadata(
    source: &Source,
    options: &ReadOptions,
    before: u64,
) -> Result<ParquetMetaData, ReadError> {
    let bytes = source.len();
    if bytes < 12 {
        return Err(corrupt("it is shorter than its frame").into());
    }
    let tail = source.get_bytes(bytes - 8, 8).map_err(|error| corrupt(&error.to_string()))?;
    if tail[4..] != *b"PAR1" {
        return Err(corrupt("its end is missing").into());
    }
    let footer_bytes = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
    if footer_bytes > MAX_FOOTER || footer_bytes + 12 > bytes {
        return Err(corrupt("its footer has an impossible length").into());
    }
    let bytes_of_footer = source
        .get_bytes(bytes - 8 - footer_bytes, footer_bytes as usize)
        .map_err(|error| corrupt(&error.to_string()))?;
    Compact(&bytes_of_footer[..]).skip_struct().map_err(|error| corrupt(&error.to_string()))?;
    let metadata =
        ParquetMetaDataReader::new().parse_and_finish(source).map_err(|error| corrupt(&error.to_string()))?;
    check_counts(&metadata, bytes, options, before)?;
    Ok(metadata)
}

/// Checks the columns' sizes in the file and in memory against the size of the file, so that a small file of very many
/// rows is refused without reading a page.
pub(crate) fn check_sizes(
    metadata: &ParquetMetaData,
    columns: &[usize],
    bytes: u64,
) -> Result<(), ReadError> {
    let (mut compressed, mut inflated, mut decoded) = (0_u64, 0_u64, 0_u64);
    for group in metadata.row_groups() {
        for column in columns {
            let chunk = group.column(*column);
            check_chunk(chunk, group.num_rows(), bytes)?;
            // No size is negative: that was checked above.
            compressed = compressed.saturating_add(chunk.compressed_size().unsigned_abs());
            inflated = inflated.saturating_add(chunk.uncompressed_size().unsigned_abs());
            decoded = decoded.saturating_add(chunk.num_values().unsigned_abs().saturating_mul(VALUE));
        }
    }
    if compressed > bytes {
        return Err(corrupt("its columns overlap").into());
    }
    if too_far(inflated.max(decoded), bytes) { Err(file_limit().into()) } else { Ok(()) }
}

fn check_counts(
    metadata: &ParquetMetaData,
    bytes: u64,
    options: &ReadOptions,
    before: u64,
) -> Result<(), ReadError> {
    let limits = &options.limits;
    let columns = metadata.file_metadata().schema_descr().num_columns();
    if columns > limits.max_columns {
        return Err(too_many_columns(columns, limits.max_columns).into());
    }
    let mut rows = 0_u64;
    for group in metadata.row_groups() {
        let group_rows =
            u64::try_from(group.num_rows()).map_err(|_| corrupt("a row group has a negative size"))?;
        rows = rows.saturating_add(group_rows);
        if group.num_columns() != columns {
            return Err(corrupt("a row group lacks columns").into());
        }
    }
    let counted = before.saturating_add(rows);
    if limits.stop_after.map_or(counted, |most| counted.min(most)) > limits.max_rows {
        return Err(too_many_rows(limits.max_rows).into());
    }
    if u64::try_from(metadata.file_metadata().num_rows()) != Ok(rows) {
        return Err(corrupt("its row counts contradict each other").into());
    }
    // Every row group has at least one page per column, and every page a header.
    if metadata.num_row_groups() as u64 > bytes {
        return Err(corrupt("it has more row groups than bytes").into());
    }
    Ok(())
}

fn check_chunk(chunk: &ColumnChunkMetaData, rows: i64, bytes: u64) -> Result<(), ReadError> {
    if chunk.num_values() != rows {
        return Err(corrupt("a column has more or fewer values than its row group has rows").into());
    }
    let (compressed, inflated) = (chunk.compressed_size(), chunk.uncompressed_size());
    let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
    let end = u64::try_from(start)
        .ok()
        .zip(u64::try_from(compressed).ok())
        .and_then(|(start, size)| start.checked_add(size));
    if inflated < 0 || end.is_none_or(|end| end > bytes) {
        return Err(corrupt("a column lies beyond the end of the file").into());
    }
    if too_far(inflated.unsigned_abs(), compressed.unsigned_abs()) {
        return Err(column_limit(&chunk.column_path().string()).into());
    }
    Ok(())
}

/// Index of a flat column.
pub(crate) fn find(metadata: &ParquetMetaData, name: &str, columns: &Columns) -> Result<usize, ReadError> {
    let schema = metadata.file_metadata().schema_descr();
    let names = names(metadata);
    match names.iter().filter(|other| *other == name).count() {
        0 => return Err(missing_column(name, columns, &names).into()),
        1 => {}
        _ => return Err(duplicate_column(name).into()),
    }
    let nested = || {
        ContentError::new("nested_column", Kind::Unsupported, format!("The column '{name}' is nested"))
            .column(name)
            .suggestion("Write one plain value a row into it.")
    };
    let index = (0..schema.num_columns())
        .find(|index| schema.column(*index).path().parts() == [name])
        .ok_or_else(nested)?;
    let column = schema.column(index);
    if column.max_rep_level() > 0 || column.max_def_level() > 1 { Err(nested().into()) } else { Ok(index) }
}
