//! What a file really is, by its first bytes.

use crate::{ContentError, Kind};

const FOREIGN: [(&[u8], &str, &str); 9] = [
    (b"PAR1", "a Parquet file", "Name the file .parquet, or export it as CSV."),
    (b"PK\x03\x04", "a ZIP archive or a spreadsheet", "Export the sheet as CSV."),
    (b"\xd0\xcf\x11\xe0", "an old Excel file", "Export the sheet as CSV."),
    (b"\x1f\x8b", "gzip-compressed", "Decompress the file first."),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed", "Decompress the file first."),
    (b"BZh", "bzip2-compressed", "Decompress the file first."),
    (b"\xfd7zXZ", "xz-compressed", "Decompress the file first."),
    (b"ARROW1", "an Arrow file", "Export it as CSV or Parquet."),
    (b"%PDF", "a PDF document", "Export the data as CSV."),
];

/// Why a file that is said to be CSV is not, by its first bytes.
pub(crate) fn foreign_to_csv(start: &[u8]) -> Option<ContentError> {
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        let message = "The file is encoded as UTF-16 or UTF-32, not UTF-8";
        return Some(
            ContentError::new("unsupported_encoding", Kind::Unsupported, message)
                .suggestion("Save the file as UTF-8 CSV."),
        );
    }
    let (_, what, suggestion) = FOREIGN.iter().find(|(magic, ..)| start.starts_with(magic))?;
    Some(mismatch(&format!("The file is {what}, not CSV"), suggestion))
}

/// Why a file that is said to be Parquet is not, by its first bytes.
pub(crate) fn foreign_to_parquet(start: &[u8]) -> Option<ContentError> {
    if start.starts_with(b"PAR1") {
        return None;
    }
    if start.starts_with(b"PARE") {
        return Some(mismatch("The Parquet file is encrypted", "Send it without encryption."));
    }
    let what = FOREIGN
        .iter()
        .find(|(magic, ..)| start.starts_with(magic))
        .map_or("another kind of file", |known| known.1);
    Some(mismatch(
        &format!("The file is {what}, not Parquet"),
        "Name a CSV file .csv, or export the data as Parquet.",
    ))
}

fn mismatch(message: &str, suggestion: &str) -> ContentError {
    ContentError::new("format_mismatch", Kind::Unsupported, message).suggestion(suggestion)
}
