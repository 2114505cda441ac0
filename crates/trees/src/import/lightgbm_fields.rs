//! The `key=value` lines of a `LightGBM` model.

use std::collections::HashMap;

/// The lines `key=value` of a section.
pub(super) type Fields<'a> = HashMap<&'a str, &'a str>;

pub(super) fn fields(section: &str) -> Fields<'_> {
    section.lines().filter_map(|line| line.trim_end().split_once('=')).collect()
}

/// The single number of a field.
pub(super) fn number<T: std::str::FromStr>(fields: &Fields<'_>, key: &str) -> Result<T, String> {
    let text = fields.get(key).ok_or_else(|| format!("{key} is missing"))?;
    text.trim().parse().map_err(|_| format!("{key} is {text}"))
}
