//! Reads the cells of a panel from JSON.

use super::nested_column;
use super::scan::{TakeObjects, scan};
use crate::content::Content;
use crate::input::Text;
use crate::refusals::{column_named_twice, missing_column};
use crate::roles::{Role, wanted};
use crate::rows::Rows;
use crate::value::{TakeCells, Value};
use crate::{ContentError, Kind, ReadError, ReadOptions, shorten};

/// Number of objects whose keys are the columns of the file; later objects may lack any of them.
pub(crate) const HEADER_OBJECTS: u64 = 1_000;

/// Reads all objects; the files before this one have `before` rows. JSON has no header, so there are no names to
/// compare.
pub(crate) fn read(text: Text, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    let mut objects = Objects::new(options, before, false);
    let is_whole = scan(text, options, &mut objects)?;
    Ok(Content { columns: Vec::new(), parts: objects.finish(is_whole)?.finish()? })
}

/// Reads the first objects.
pub(crate) fn check(text: Text, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    let mut objects = Objects::new(options, 0, true);
    let is_whole = scan(text, options, &mut objects)?;
    let parts = objects.finish(is_whole)?.finish()?;
    match parts.into_iter().flat_map(|part| part.batches).find_map(|batch| batch.fatal) {
        Some((error, Some(row))) => Err(error.row(row + 1).into()),
        Some((error, None)) => Err(error.into()),
        None => Ok(Vec::new()),
    }
}

/// Receives objects and keeps the requested cells.
struct Objects<'a> {
    options: &'a ReadOptions<'a>,
    rows: Rows<'a>,
    /// The requested columns, and whether an object had them.
    wanted: Vec<(&'a str, Role, bool)>,
    /// Keys of the first objects, for the error about a missing column.
    found: Vec<String>,
    count: u64,
    /// Whether to read only the first objects.
    header_only: bool,
}

impl<'a> Objects<'a> {
    fn new(options: &'a ReadOptions<'a>, before: u64, header_only: bool) -> Objects<'a> {
        let wanted = wanted(&options.columns).into_iter().map(|(name, role)| (name, role, false)).collect();
        Objects {
            options,
            rows: Rows::new(options, before),
            wanted,
            found: Vec::new(),
            count: 0,
            header_only,
        }
    }

    fn finish(mut self, is_whole: bool) -> Result<Rows<'a>, Box<ContentError>> {
        if is_whole && self.count < HEADER_OBJECTS {
            self.check_columns()?;
        }
        Ok(self.rows)
    }

    fn check_columns(&mut self) -> Result<(), Box<ContentError>> {
        // An optional column counts as absent if the first objects lack it.
        self.wanted.retain(|(_, role, seen)| *seen || *role != Role::CheckedId);
        let names = || self.wanted.iter().map(|(name, ..)| *name);
        if let Some((_, name)) =
            names().enumerate().find(|(index, name)| names().take(*index).any(|other| other == *name))
        {
            return Err(column_named_twice(name, &self.options.columns).into());
        }
        match self.wanted.iter().find(|(_, _, seen)| !seen) {
            Some((name, ..)) => Err(missing_column(name, &self.options.columns, &self.found).into()),
            None => Ok(()),
        }
    }
}

impl TakeCells for Objects<'_> {
    fn begin_row(&mut self) -> Result<bool, ReadError> {
        Ok(self.rows.begin_row())
    }

    fn set(&mut self, column: usize, value: Value) -> Result<(), Box<ContentError>> {
        self.rows.set(self.wanted[column].1, value)
    }

    fn end_row(&mut self) -> Result<bool, ReadError> {
        self.count += 1;
        if self.count == HEADER_OBJECTS {
            self.check_columns()?;
            if self.header_only {
                return Ok(false);
            }
        }
        self.rows.end_row()
    }

    fn fail(&mut self, error: ContentError) {
        self.rows.fail(error);
    }
}

impl TakeObjects for Objects<'_> {
    fn column(&mut self, key: &str) -> Result<Option<usize>, Box<ContentError>> {
        if self.count < HEADER_OBJECTS
            && self.found.len() < self.options.limits.max_columns
            && !self.found.iter().any(|name| name == key)
        {
            self.found.push(shorten(key).into_owned());
        }
        let column = self.wanted.iter().position(|(name, ..)| *name == key);
        if let Some(column) = column {
            self.wanted[column].2 = true;
        }
        Ok(column)
    }

    fn nested(&mut self, column: usize) -> Result<(), Box<ContentError>> {
        Err(nested_column(self.wanted[column].0))
    }

    fn too_large(&self, column: usize) -> Option<ContentError> {
        let (name, role, _) = self.wanted[column];
        (role == Role::Target).then(|| {
            ContentError::new("non_finite_target", Kind::Content, "A target is too large for a number")
                .column(name)
                .suggestion("Leave the cell out, or write null, when the value is not known.")
        })
    }
}
