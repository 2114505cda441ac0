//! Profiles the cells of all columns, whatever their roles.

use std::path::Path;

use crate::column_profile::{ColumnProfile, Profile};
use crate::input::Input;
use crate::profile_rows::{profile_objects, profile_sheet};
use crate::{FileFormat, ReadError, ReadOptions, csv, parquet_file, schema};

/// All columns of the first file, profiled from the first `rows` rows of all files.
pub(crate) fn profile(options: &ReadOptions, rows: u64) -> Result<Vec<ColumnProfile>, ReadError> {
    let mut whole = Profile::default();
    for (index, path) in options.paths.iter().enumerate() {
        if index > 0 && whole.rows >= rows {
            break;
        }
        match profile_file(path, options, rows - whole.rows) {
            Ok(first) if index == 0 => whole = first,
            Ok(later) => whole.append(&later),
            // The reader reports faults of a later file, if it gets that far.
            Err(ReadError::Content(_)) if index > 0 => break,
            Err(ReadError::Content(error)) if options.paths.len() > 1 => {
                return Err(schema::in_part(*error, index).into());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(whole.columns)
}

fn profile_file(path: &Path, options: &ReadOptions, rows: u64) -> Result<Profile, ReadError> {
    let input = Input::open(path)?;
    match options.format {
        FileFormat::Csv => csv::profile(input.text(options.compression)?, options, rows),
        FileFormat::Json | FileFormat::Jsonl => {
            profile_objects(input.text(options.compression)?, options, rows)
        }
        FileFormat::Parquet => parquet_file::profile(input.plain(options.compression)?, options, rows),
        FileFormat::Xlsx | FileFormat::Xls => profile_sheet(input.plain(options.compression)?, options, rows),
    }
}
