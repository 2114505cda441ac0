//! The compound file that contains an old workbook, or an encrypted one of any kind.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Write};

use cfb::{CompoundFile, Version};

use crate::input::Input;
use crate::sniff::mismatch;
use crate::spreadsheet::{corrupt, encrypted, limit};
use crate::{ContentError, ReadError};

/// Maximum size of an old workbook: it is held in memory, and a full sheet of 65,536 rows and 20 columns needs a third
/// of this.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// Names of the stream with the records, in two generations.
const STREAMS: [&str; 2] = ["/Workbook", "/Book"];
const ENCRYPTED: &str = "/EncryptedPackage";

/// The records of an old workbook.
pub(crate) fn read(input: Input) -> Result<Vec<u8>, ReadError> {
    if input.bytes > MAX_BYTES {
        return Err(limit(format!("The .xls file has more than {} MiB", MAX_BYTES >> 20)).into());
    }
    let mut file = open(input)?;
    if file.is_stream(ENCRYPTED) {
        return Err(encrypted().into());
    }
    let Some(name) = STREAMS.into_iter().find(|name| file.is_stream(name)) else {
        return Err(mismatch("The file is no spreadsheet", "Save it as an Excel workbook, or as CSV.").into());
    };
    let mut records = Vec::new();
    let stream = file.open_stream(name).map_err(damaged)?;
    stream.take(MAX_BYTES).read_to_end(&mut records).map_err(damaged)?;
    Ok(records)
}

/// Why a compound file is no Office Open XML workbook: it is encrypted, or an old workbook.
pub(crate) fn not_xlsx(input: Input) -> ContentError {
    match open(input) {
        Ok(file) if file.is_stream(ENCRYPTED) => encrypted(),
        _ => mismatch("The file is an old Excel file, not an .xlsx spreadsheet", "Name the file .xls."),
    }
}

/// A compound file with only these records.
pub(crate) fn rebuilt(records: &[u8]) -> Result<Cursor<Vec<u8>>, ReadError> {
    // Excel writes version 3.
    let mut file = CompoundFile::create_with_version(Version::V3, Cursor::new(Vec::new()))?;
    file.create_stream(STREAMS[0])?.write_all(records)?;
    file.flush()?;
    let mut bytes = file.into_inner();
    bytes.set_position(0);
    Ok(bytes)
}

fn open(input: Input) -> Result<CompoundFile<BufReader<File>>, ReadError> {
    CompoundFile::open(BufReader::new(input.file)).map_err(damaged)
}

fn damaged(error: std::io::Error) -> ReadError {
    if error.raw_os_error().is_some() { error.into() } else { corrupt(&error.to_string()).into() }
}
