//! Errors about a whole file and its columns.

use strsim::levenshtein;

use crate::{Columns, ContentError, Kind, shorten};

pub(crate) fn empty_file() -> ContentError {
    ContentError::new("empty_file", Kind::Empty, "The file is empty")
        .suggestion("Send a file with a header and at least two rows for each item.")
}

pub(crate) fn no_rows() -> ContentError {
    ContentError::new("no_rows", Kind::Empty, "The file has a header and no rows")
        .suggestion("Send at least two rows for each item.")
}

/// The error for a missing column; it names the existing columns and the field of the request that chooses the column.
pub fn missing_column(name: &str, columns: &Columns, found: &[String]) -> ContentError {
    let is_named_in = |list: &[String]| list.iter().any(|other| other == name);
    if is_named_in(columns.levels()) {
        return missing_listed_column(name, "hierarchy_columns", found);
    }
    if is_named_in(&columns.covariates) {
        return missing_listed_column(name, "covariates", found);
    }
    let field = match name {
        name if name == columns.item_id => "item_id_column",
        name if name == columns.timestamp => "timestamp_column",
        _ => "target_column",
    };
    no_column(name, found).suggestion(format!(
        "Set {field} to the name of that column in the file, or rename the column there."
    ))
}

/// The same for a column named in `list`, a list field of the request.
pub fn missing_listed_column(name: &str, list: &str, found: &[String]) -> ContentError {
    no_column(name, found).suggestion(match closest(name, found) {
        Some(header) => format!("Correct {list}; the closest column is '{}'.", shorten(header)),
        None => format!("Correct {list}, or leave the column out there."),
    })
}

fn no_column(name: &str, found: &[String]) -> ContentError {
    const LISTED: usize = 20;
    let mut listed =
        found.iter().take(LISTED).map(|name| format!("'{}'", shorten(name))).collect::<Vec<_>>().join(", ");
    if found.len() > LISTED {
        listed = format!("{listed} and {} more", found.len() - LISTED);
    }
    let message = format!("There is no column '{name}'; the file has {listed}");
    ContentError::new("missing_column", Kind::Content, message).column(name)
}

/// The header with the smallest edit distance from `name`, ignoring case, if it differs in at most a third of its
/// characters.
pub fn closest<'a>(name: &str, headers: &'a [String]) -> Option<&'a str> {
    let comparable = |text: &str| shorten(text).to_lowercase();
    let name = comparable(name);
    let distances = headers.iter().map(|header| (levenshtein(&name, &comparable(header)), header.as_str()));
    distances
        .min_by_key(|(edits, _)| *edits)
        .filter(|(edits, _)| edits * 3 <= name.chars().count())
        .map(|(_, header)| header)
}

pub(crate) fn duplicate_column(name: &str) -> ContentError {
    ContentError::new("duplicate_column", Kind::Content, format!("There is more than one column '{name}'"))
        .column(name)
        .suggestion("Give every column its own name.")
}

/// The error for a column with two roles.
pub(crate) fn column_named_twice(name: &str, columns: &Columns) -> ContentError {
    let is_level = columns.levels().iter().any(|level| level == name);
    let list = if is_level { "hierarchy_columns" } else { "the covariates" };
    ContentError::new(
        "duplicate_column",
        Kind::Content,
        format!("The column '{}' is asked for twice", shorten(name)),
    )
    .column(name)
    .suggestion(format!("Name another column, or leave it out of {list}."))
}

pub(crate) fn too_many_columns(columns: usize, max_columns: usize) -> ContentError {
    ContentError::new(
        "too_many_columns",
        Kind::TooLarge,
        format!("The file has {columns} columns; at most {max_columns} are allowed"),
    )
    .count(columns as u64)
    .suggestion("Leave out columns that are not needed.")
}

pub(crate) fn too_many_series(max_series: usize) -> ContentError {
    ContentError::new("too_many_series", Kind::TooLarge, format!("The file has more than {max_series} items"))
        .suggestion("Split the file into several jobs.")
}
