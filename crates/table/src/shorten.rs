//! Shortens cells of a file for messages.

use std::borrow::Cow;

/// Maximum number of characters of a cell in a message.
const SHOWN: usize = 40;

/// Shortens a cell, a name or an item id for a message: an ellipsis replaces everything after 40 characters.
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
