//! Identifies the real format of a file by its first bytes.

use crate::{Compression, ContentError, Kind};

const PARQUET: &[u8] = b"PAR1";
const ZIP: &[u8] = b"PK\x03\x04";
const OLE: &[u8] = b"\xd0\xcf\x11\xe0";

const FOREIGN: [(&[u8], &str, &str); 9] = [
    (PARQUET, "a Parquet file", "Name the file .parquet, or export it as CSV."),
    (ZIP, "a ZIP archive or a spreadsheet", "Name a spreadsheet .xlsx, or export the sheet as CSV."),
    (OLE, "an old Excel file", "Name the file .xls, or export the sheet as CSV."),
    (b"\x1f\x8b", "gzip-compressed", "Decompress the file first."),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed", "Decompress the file first."),
    (b"BZh", "bzip2-compressed", "Decompress the file first."),
    (b"\xfd7zXZ", "xz-compressed", "Decompress the file first."),
    (b"ARROW1", "an Arrow file", "Export it as CSV or Parquet."),
    (b"%PDF", "a PDF document", "Export the data as CSV."),
];

/// Why a file declared as CSV is no CSV, by its first bytes.
pub(crate) fn foreign_to_csv(start: &[u8]) -> Option<ContentError> {
    foreign_to_text(start, "CSV").or_else(|| {
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        let first = text.strip_prefix(b"[").unwrap_or(text).trim_ascii_start();
        let is_json = first.starts_with(b"{\"") || (first.len() < text.len() && first.starts_with(b"{"));
        is_json.then(|| {
            mismatch(
                "The file looks like JSON, not CSV",
                "Convert the rows to CSV, or name the format of the file json (rows in an array) or jsonl (a row a \
                    line) where that is taken.",
            )
        })
    })
}

/// Why a file declared as JSON or JSONL is no JSON.
pub(crate) fn foreign_to_json(start: &[u8]) -> Option<ContentError> {
    foreign_to_text(start, "JSON")
}

fn foreign_to_text(start: &[u8], format: &str) -> Option<ContentError> {
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        let message = "The file is encoded as UTF-16 or UTF-32, not UTF-8";
        return Some(
            ContentError::new("unsupported_encoding", Kind::Unsupported, message)
                .suggestion(format!("Save the file as UTF-8 {format}.")),
        );
    }
    let (_, what, suggestion) = known(start)?;
    Some(mismatch(&format!("The file is {what}, not {format}"), suggestion))
}

/// Why a file declared as Parquet is no Parquet, by its first bytes.
pub(crate) fn foreign_to_parquet(start: &[u8]) -> Option<ContentError> {
    if start.starts_with(PARQUET) {
        return None;
    }
    if start.starts_with(b"PARE") {
        return Some(mismatch("The Parquet file is encrypted", "Send it without encryption."));
    }
    Some(mismatch(
        &format!("The file is {}, not Parquet", name(start)),
        "Name a CSV file .csv, or export the data as Parquet.",
    ))
}

/// Why a file declared as an Office Open XML spreadsheet is none. For an old spreadsheet its reader decides, because
/// encrypted files have the same first bytes.
pub(crate) fn foreign_to_xlsx(start: &[u8]) -> Option<ContentError> {
    let known = start.starts_with(ZIP) || start.starts_with(OLE);
    (!known).then(|| {
        mismatch(
            &format!("The file is {}, not an .xlsx spreadsheet", name(start)),
            "Name the file by what it is, or save it as an Excel workbook.",
        )
    })
}

/// Whether a file may be an old spreadsheet, or an encrypted file.
pub(crate) fn is_compound(start: &[u8]) -> bool {
    start.starts_with(OLE)
}

/// Why a file declared as an old spreadsheet is none, by its first bytes.
pub(crate) fn foreign_to_xls(start: &[u8]) -> Option<ContentError> {
    if is_compound(start) {
        return None;
    }
    let suggestion = if start.starts_with(ZIP) {
        "Name the file .xlsx."
    } else {
        "Name the file by what it is, or save it as an Excel workbook."
    };
    Some(mismatch(&format!("The file is {}, not an .xls spreadsheet", name(start)), suggestion))
}

/// Why a file declared as packed in this way is not, by its first bytes.
pub(crate) fn foreign_to_packed(start: &[u8], compression: Compression) -> Option<ContentError> {
    let packing = compression.name();
    (!start.starts_with(compression.magic())).then(|| {
        mismatch(
            &format!("The file is {}, not {packing}-compressed", name(start)),
            "Name the compression that the file has, or none.",
        )
    })
}

fn known(start: &[u8]) -> Option<&'static (&'static [u8], &'static str, &'static str)> {
    FOREIGN.iter().find(|(magic, ..)| start.starts_with(magic))
}

fn name(start: &[u8]) -> &'static str {
    known(start).map_or("another kind of file", |known| known.1)
}

pub(crate) fn mismatch(message: &str, suggestion: &str) -> ContentError {
    ContentError::new("format_mismatch", Kind::Unsupported, message).suggestion(suggestion)
}
