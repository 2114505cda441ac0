//! Checks texts by the rules of CSV files.

use crate::csv::cell_too_long;
use crate::{ContentError, Kind, shorten};

/// Why a text cannot be a cell of this column: it is not UTF-8, has a NUL in it, or more than `longest` characters.
pub(crate) fn check_text(column: &str, text: &[u8], longest: usize) -> Option<ContentError> {
    let shown = shorten(column);
    match std::str::from_utf8(text) {
        Err(_) => {
            let message = format!("The column '{shown}' holds bytes that are no UTF-8 text");
            Some(ContentError::new("unsupported_encoding", Kind::Unsupported, message).suggestion(
                "Convert the column to text or numbers before writing the file, or leave it out.",
            ))
        }
        Ok(text) if text.len() > longest && text.chars().count() > longest => Some(cell_too_long(longest)),
        Ok(_) => memchr::memchr(0, text).map(|_| {
            let message = format!("A text of the column '{shown}' contains a NUL byte");
            ContentError::new("nul_bytes", Kind::Unsupported, message)
                .suggestion("Remove the NUL bytes from the column before writing the file, or leave it out.")
        }),
    }
    .map(|error| error.column(shown))
}
