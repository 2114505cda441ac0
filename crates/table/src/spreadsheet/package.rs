//! The ZIP archive of an Office Open XML workbook, checked before it is parsed.
//!
//! First the claims of its central directory are checked, then its entries: each is inflated once into a buffer and
//! counted. After that, the archive inflates to the sizes that it declares, and no part of it can hold much at a time.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use crate::inflate::{FREE, TIMES};
use crate::input::Input;
use crate::spreadsheet::parts::Part;
use crate::spreadsheet::{corrupt, encrypted, limit};
use crate::{ContentError, ReadError, ReadOptions};

/// Maximum number of entries in an archive.
const MAX_ENTRIES: u64 = 2_000;
/// Maximum inflated size of all entries in bytes; a full sheet of 20 columns has about this size.
const MAX_INFLATED: u64 = 1 << 30;
/// Maximum number of bytes after the last entry: the directory's end with its comment.
const MAX_COMMENT: u64 = 65_535 + 22 + 20;
const BUFFER: usize = 64 * 1024;

/// Refuses an archive that cannot be a workbook. Leaves the file at its beginning.
pub(crate) fn check(input: &Input, options: &ReadOptions) -> Result<(), ReadError> {
    check_directory(&input.file, input.bytes)?;
    let mut archive = ZipArchive::new(BufReader::new(&input.file)).map_err(decoding)?;
    if archive.len() as u64 > MAX_ENTRIES {
        return Err(too_many_entries().into());
    }
    let most = FREE.max(input.bytes.saturating_mul(TIMES)).min(MAX_INFLATED);
    let mut claimed = 0_u64;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(decoding)?;
        if entry.encrypted() {
            return Err(encrypted().into());
        }
        claimed = claimed.saturating_add(entry.size());
    }
    if claimed > most {
        return Err(inflates_too_far().into());
    }
    let mut left = most;
    let mut buffer = vec![0; BUFFER];
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(decoding)?;
        left -= check_entry(entry, left, &mut buffer, options)?;
    }
    (&input.file).seek(SeekFrom::Start(0))?;
    Ok(())
}

/// Inflates an entry and returns its size.
fn check_entry(
    mut entry: ZipFile<BufReader<&File>>,
    most: u64,
    buffer: &mut [u8],
    options: &ReadOptions,
) -> Result<u64, ReadError> {
    let name = entry.name().map_err(decoding)?.to_lowercase();
    let mut part = Part::new(&name);
    let mut inflated = 0;
    loop {
        if options.cancel.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        let read = entry.read(buffer).map_err(|error| {
            if error.raw_os_error().is_some() {
                ReadError::from(error)
            } else {
                corrupt(&error.to_string()).into()
            }
        })?;
        if read == 0 {
            break;
        }
        inflated += read as u64;
        if inflated > most {
            return Err(inflates_too_far().into());
        }
        part.look(&buffer[..read])?;
    }
    if inflated != entry.size() {
        return Err(corrupt("an entry has another size than it says").into());
    }
    Ok(inflated)
}

/// Checks every end of a central directory that a reader may find, because each declares the number of entries to
/// allocate.
fn check_directory(mut file: &File, bytes: u64) -> Result<(), ReadError> {
    const END: &[u8] = b"PK\x05\x06";
    const LOCATOR: &[u8] = b"PK\x06\x07";
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(bytes.saturating_sub(MAX_COMMENT)))?;
    file.take(MAX_COMMENT).read_to_end(&mut tail)?;
    for at in memchr::memmem::find_iter(&tail, END) {
        if let Some(count) = tail.get(at + 10..at + 12)
            && (MAX_ENTRIES + 1..u64::from(u16::MAX))
                .contains(&u64::from(u16::from_le_bytes([count[0], count[1]])))
        {
            return Err(too_many_entries().into());
        }
    }
    for at in memchr::memmem::find_iter(&tail, LOCATOR) {
        let Some(offset) = tail.get(at + 8..at + 16).and_then(|bytes| bytes.try_into().ok()) else {
            continue;
        };
        let mut end = [0; 40];
        file.seek(SeekFrom::Start(u64::from_le_bytes(offset).min(bytes)))?;
        file.take(40).read_exact(&mut end).map_err(|_| corrupt("its directory is missing"))?;
        let count = <[u8; 8]>::try_from(&end[32..]).map_or(u64::MAX, u64::from_le_bytes);
        if count > MAX_ENTRIES {
            return Err(too_many_entries().into());
        }
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(())
}

fn decoding(error: ZipError) -> ReadError {
    match error {
        ZipError::Io(error) if error.raw_os_error().is_some() => error.into(),
        error => corrupt(&error.to_string()).into(),
    }
}

fn too_many_entries() -> ContentError {
    limit(format!("The workbook is an archive of more than {MAX_ENTRIES} entries"))
}

fn inflates_too_far() -> ContentError {
    limit(format!(
        "The workbook inflates to more than {TIMES} times its size, or to more than {} MiB",
        MAX_INFLATED >> 20
    ))
}
