//! Errors about the text of a CSV file.

use crate::{ContentError, Kind};

pub(crate) fn unclosed_quote() -> ContentError {
    ContentError::new("ragged_row", Kind::Content, "A quoted cell is never closed")
        .suggestion("Close the quote, and double quotes within quoted cells.")
}

pub(crate) fn text_after_quote() -> ContentError {
    ContentError::new("ragged_row", Kind::Content, "Text follows the closing quote of a cell")
        .suggestion("Double quotes within quoted cells, and quote whole cells.")
}

pub(crate) fn carriage_returns() -> ContentError {
    ContentError::new(
        "unsupported_encoding",
        Kind::Unsupported,
        "The lines of the file end with a carriage return alone",
    )
    .suggestion("Save the file with LF or CRLF line ends.")
}

pub(crate) fn nul_bytes() -> ContentError {
    ContentError::new("nul_bytes", Kind::Unsupported, "The file contains NUL bytes, so it is not UTF-8 text")
        .suggestion("Save the file as UTF-8 CSV.")
}

pub(crate) fn not_utf8() -> ContentError {
    ContentError::new("unsupported_encoding", Kind::Unsupported, "The file is not encoded as UTF-8")
        .suggestion("Save the file as UTF-8 CSV (spreadsheets offer \"CSV UTF-8\").")
}

pub(crate) fn cell_too_long(max_cell_chars: usize) -> ContentError {
    ContentError::new(
        "cell_too_long",
        Kind::Content,
        format!("A cell has more than {max_cell_chars} characters"),
    )
    .suggestion("Shorten the cell, or check that every quoted cell is closed.")
}

pub(crate) fn record_too_long() -> ContentError {
    ContentError::new("cell_too_long", Kind::Content, "A row is longer than 64 MiB")
        .suggestion("Shorten its cells, or check that every quoted cell is closed.")
}
