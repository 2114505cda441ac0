//! Checks that files that form one table have the same columns.

use std::collections::BTreeSet;

use crate::{ContentError, Kind, shorten};

/// Maximum number of names in a message.
const LISTED: usize = 5;

/// Adds to an error which of several files it is about. If only a later file lacks a column, the files are at fault,
/// not the request.
pub(crate) fn in_part(mut error: ContentError, index: usize) -> ContentError {
    if index > 0 && error.code == "missing_column" {
        error.code = "schema_mismatch";
        error.suggestion = Some(SUGGESTION.to_owned());
    }
    error.message = format!("File {}: {}", index + 1, error.message);
    error
}

const SUGGESTION: &str = "Send files with the same columns, or one of them alone.";

/// Compares the column names of the first file and of file `index`; their order does not matter. A file without a
/// header has nothing to compare.
pub(crate) fn compare(first: &[String], columns: &[String], index: usize) -> Result<(), Box<ContentError>> {
    if first.is_empty() || columns.is_empty() {
        return Ok(());
    }
    let (first, columns): (BTreeSet<_>, BTreeSet<_>) = (first.iter().collect(), columns.iter().collect());
    let missing: Vec<_> = first.difference(&columns).collect();
    let added: Vec<_> = columns.difference(&first).collect();
    if missing.is_empty() && added.is_empty() {
        return Ok(());
    }
    let list = |names: &[&&String]| {
        let listed: Vec<_> = names.iter().take(LISTED).map(|name| format!("'{}'", shorten(name))).collect();
        let more = if names.len() > LISTED { " and more" } else { "" };
        format!("{}{more}", listed.join(", "))
    };
    let differences = [("lacks", &missing), ("adds", &added)]
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(verb, names)| format!("{verb} {}", list(names)));
    let message = format!(
        "File {} has other columns than file 1: it {}",
        index + 1,
        differences.collect::<Vec<_>>().join(" and ")
    );
    Err(ContentError::new("schema_mismatch", Kind::Content, message).suggestion(SUGGESTION).into())
}
