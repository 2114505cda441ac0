//! Unique names of columns.

use std::collections::HashSet;

use crate::refusals::duplicate_column;
use crate::{ContentError, Kind, shorten};

/// Maximum length of a name in characters, because names are stored and sent with the job many times.
const LONGEST: usize = 1_000;

/// Names of a file's columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    names: Vec<String>,
    /// Which columns have no name in the file.
    unnamed: Vec<bool>,
}

impl Names {
    /// The names of a header. Unnamed columns are called by their position.
    ///
    /// # Errors
    /// `duplicate_column`, `column_name_too_long`.
    pub(super) fn of_header(header: Vec<String>) -> Result<Names, Box<ContentError>> {
        let mut names = Names::default();
        let mut seen = HashSet::new();
        for name in header {
            let name = names.push(name)?;
            if !seen.insert(name.clone()) {
                return Err(duplicate_column(&name).into());
            }
        }
        Ok(names)
    }

    /// Adds a column; returns its final name.
    ///
    /// # Errors
    /// `column_name_too_long`.
    pub(super) fn push(&mut self, name: String) -> Result<String, Box<ContentError>> {
        if name.len() > LONGEST && name.chars().count() > LONGEST {
            let message =
                format!("A column has a name of more than {LONGEST} characters: '{}'", shorten(&name));
            return Err(ContentError::new("column_name_too_long", Kind::Content, message)
                .column(shorten(&name))
                .suggestion("Shorten the name, or check that the first row of the file is its header.")
                .into());
        }
        self.unnamed.push(name.is_empty());
        let name = if name.is_empty() { format!("column_{}", self.names.len() + 1) } else { name };
        self.names.push(name.clone());
        Ok(name)
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn get(&self, column: usize) -> &str {
        &self.names[column]
    }

    /// Whether the file has no name for the column; such a column is left out if it has no value either.
    pub(super) fn is_unnamed(&self, column: usize) -> bool {
        self.unnamed[column]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    pub(super) fn to_vec(&self) -> Vec<String> {
        self.names.clone()
    }

    pub(super) fn as_slice(&self) -> &[String] {
        &self.names
    }
}
