//! Profiles all columns from the file's schema and their first rows.

use std::sync::atomic::Ordering;

use parquet::basic::Type;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::Length;
use parquet::schema::types::ColumnDescriptor;

use crate::column_profile::{ColumnProfile, ColumnType, Profile};
use crate::input::Input;
use crate::parquet_file::covariates::{Covariates, is_time};
use crate::parquet_file::footer::{check_sizes, read_metadata};
use crate::parquet_file::roles::is_decimal;
use crate::parquet_file::source::Source;
use crate::parquet_file::{STRETCH, decoding, guarded};
use crate::{ReadError, ReadOptions, sniff};

/// Examines the first `rows` rows. An unreadable column is [`ColumnType::Other`]; it is a fault only if it is used.
pub(crate) fn profile(input: Input, options: &ReadOptions, rows: u64) -> Result<Profile, ReadError> {
    if let Some(error) = sniff::foreign_to_parquet(&input.start) {
        return Err(error.into());
    }
    let source = Source::new(input.file, input.bytes);
    let metadata = guarded(|| read_metadata(&source, options, 0))?;
    let schema = metadata.file_metadata().schema_descr();
    let names = schema.root_schema().get_fields().iter().map(|field| field.name().to_owned());
    let columns: Result<_, ReadError> = names
        .map(|name| {
            let leaf = (0..schema.num_columns())
                .find(|index| schema.column(*index).path().parts() == [name.as_str()]);
            let Some(index) = leaf.filter(|index| is_readable(&schema.column(*index))) else {
                return Ok(ColumnProfile::other(name));
            };
            let mut column = ColumnProfile::new(&name);
            column.declared = declared(&schema.column(index));
            let read = guarded(|| observe(&source, &metadata, index, &mut column, options, rows));
            match read {
                Err(ReadError::Content(_)) => Ok(ColumnProfile::other(name)),
                read => read.map(|()| column),
            }
        })
        .collect();
    Ok(Profile { columns: columns?, rows: rows.min(metadata.file_metadata().num_rows().unsigned_abs()) })
}

fn is_readable(column: &ColumnDescriptor) -> bool {
    column.max_rep_level() == 0 && column.max_def_level() <= 1 && Covariates::check(column).is_none()
}

/// Texts may contain anything; the other types are declared by the schema.
fn declared(column: &ColumnDescriptor) -> Option<ColumnType> {
    match column.physical_type() {
        Type::BOOLEAN => Some(ColumnType::Boolean),
        _ if is_time(column) => Some(ColumnType::Timestamp),
        Type::BYTE_ARRAY if !is_decimal(column) => None,
        _ => Some(ColumnType::Number),
    }
}

fn observe(
    source: &Source,
    metadata: &ParquetMetaData,
    index: usize,
    column: &mut ColumnProfile,
    options: &ReadOptions,
    rows: u64,
) -> Result<(), ReadError> {
    check_sizes(metadata, &[index], source.len())?;
    let mut left = rows;
    for group in metadata.row_groups() {
        if left == 0 {
            break;
        }
        let mut cells = Covariates::open(source, group, index).map_err(decoding)?;
        let mut in_group = left.min(group.num_rows().unsigned_abs());
        left -= in_group;
        while in_group > 0 {
            if options.cancel.load(Ordering::Relaxed) {
                return Err(ReadError::Cancelled);
            }
            let stretch = in_group.min(STRETCH as u64);
            in_group -= stretch;
            cells.read(stretch as usize, |number, text| column.observe(number, text)).map_err(decoding)?;
        }
    }
    Ok(())
}
