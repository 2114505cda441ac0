//! JSON: an array of row objects, or one object per line.
//!
//! The text is parsed as it is read, on one thread; only cells of requested columns are kept.

mod bounds;
mod panel;
mod scan;
mod text;

use crate::{ContentError, Kind, shorten};

pub(crate) use panel::{HEADER_OBJECTS, check, read};
pub(crate) use scan::{TakeObjects, scan};

/// The error for an array or an object in a cell of this column.
pub(crate) fn nested_column(name: &str) -> Box<ContentError> {
    let message = format!("A cell of the column '{}' is an array or an object", shorten(name));
    ContentError::new("nested_column", Kind::Unsupported, message)
        .column(name)
        .suggestion("Write one plain value a row into it.")
        .into()
}
