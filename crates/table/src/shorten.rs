//! Cells of a file, as messages show them.

use std::borrow::Cow;

/// Characters of a cell that a message shows.
const SHOWN: usize = 40;

/// A cell, a name or an item id short enough for a message: what is beyond 40 characters becomes an ellipsis.
///
/// A cell may have tens of thousands of characters, and messages are kept and sent with the job.
pub fn shorten(text: &str) -> Cow<'_, str> {
    shorten_to(text, SHOWN)
}

/// The same with another number of characters.
pub fn shorten_to(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
