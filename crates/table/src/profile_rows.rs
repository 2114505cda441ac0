//! Profiles all columns of JSON and spreadsheets from their first rows.

use std::sync::atomic::Ordering;

use crate::column_profile::{ColumnProfile, Profile};
use crate::input::{Input, Text};
use crate::json::{HEADER_OBJECTS, TakeObjects};
use crate::roles::wanted;
use crate::spreadsheet::TakeSheet;
use crate::value::{TakeCells, Value};
use crate::{ContentError, Limits, ReadError, ReadOptions, json, spreadsheet};

/// Examines the first `most` objects. It stops at an unreadable object, which the reader will report, unless the
/// columns are still unknown.
pub(crate) fn profile_objects(text: Text, options: &ReadOptions, most: u64) -> Result<Profile, ReadError> {
    let mut rows = ProfiledRows::new(options, most);
    // The reader also reports too many keys after the examined objects.
    let limits = Limits { max_columns: usize::MAX, ..options.limits };
    let outcome = json::scan(text, &ReadOptions { limits, ..options.clone() }, &mut rows);
    let error = match outcome {
        Ok(_) => rows.failed.take(),
        Err(ReadError::Content(error)) => Some(*error),
        Err(error) => return Err(error),
    };
    let is_known = rows.rows >= most || rows.rows > HEADER_OBJECTS || rows.has_all_columns();
    match error {
        Some(error) if !is_known => Err(error.into()),
        _ => Ok(rows.finish()),
    }
}

/// Examines the first `most` rows of a sheet.
pub(crate) fn profile_sheet(input: Input, options: &ReadOptions, most: u64) -> Result<Profile, ReadError> {
    let mut rows = ProfiledRows::new(options, most);
    spreadsheet::scan(input, options, &mut rows)?;
    Ok(rows.finish())
}

struct ProfiledRows<'a> {
    options: &'a ReadOptions<'a>,
    /// The columns so far, each with the last row that had its key.
    columns: Vec<(ColumnProfile, u64)>,
    /// Number of rows begun.
    rows: u64,
    most: u64,
    failed: Option<ContentError>,
}

impl<'a> ProfiledRows<'a> {
    fn new(options: &'a ReadOptions<'a>, most: u64) -> ProfiledRows<'a> {
        ProfiledRows { options, columns: Vec::new(), rows: 0, most, failed: None }
    }

    fn finish(mut self) -> Profile {
        self.columns.iter_mut().for_each(|(column, _)| column.fill_up(self.rows));
        Profile { columns: self.columns.into_iter().map(|(column, _)| column).collect(), rows: self.rows }
    }

    fn has_all_columns(&self) -> bool {
        let wanted = wanted(&self.options.columns);
        wanted.iter().all(|(name, _)| self.columns.iter().any(|(column, _)| column.name == *name))
    }
}

impl TakeCells for ProfiledRows<'_> {
    fn begin_row(&mut self) -> Result<bool, ReadError> {
        if self.options.cancel.load(Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        self.rows += 1;
        Ok(true)
    }

    fn set(&mut self, column: usize, value: Value) -> Result<(), Box<ContentError>> {
        if let Some((column, _)) = self.columns.get_mut(column) {
            column.observe_value(value);
        }
        Ok(())
    }

    fn end_row(&mut self) -> Result<bool, ReadError> {
        Ok(self.rows < self.most)
    }

    fn fail(&mut self, error: ContentError) {
        self.failed = Some(error);
    }
}

impl TakeObjects for ProfiledRows<'_> {
    /// None if the object already had the key, or if the table has too many columns. Later objects add no columns, as
    /// in the reader.
    fn column(&mut self, key: &str) -> Result<Option<usize>, Box<ContentError>> {
        let place = match self.columns.iter().position(|(column, _)| column.name == key) {
            Some(place) => place,
            None if self.rows > HEADER_OBJECTS => return Ok(None),
            None => {
                let is_wanted = || wanted(&self.options.columns).iter().any(|(name, _)| *name == key);
                if self.columns.len() >= self.options.limits.max_columns && !is_wanted() {
                    return Ok(None);
                }
                self.columns.push((ColumnProfile::new(key), 0));
                self.columns.len() - 1
            }
        };
        let last_row = std::mem::replace(&mut self.columns[place].1, self.rows);
        Ok((last_row != self.rows).then_some(place))
    }

    fn nested(&mut self, column: usize) -> Result<(), Box<ContentError>> {
        self.columns[column].0.observe_nested();
        Ok(())
    }
}

impl TakeSheet for ProfiledRows<'_> {
    fn header(&mut self, names: Vec<String>) -> Result<(), ReadError> {
        self.columns.extend(names.into_iter().map(|name| (ColumnProfile::new(name), 0)));
        Ok(())
    }
}
