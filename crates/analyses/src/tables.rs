//! The files of the analyses.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use tabcast_table::{TableColumn, TextColumn, WriteError, write_table_csv};

/// A text column under construction.
#[derive(Debug, Default)]
pub struct Texts {
    codes: Vec<u32>,
    distinct: Vec<Box<str>>,
    places: BTreeMap<Box<str>, u32>,
}

impl Texts {
    /// Adds a cell.
    pub fn push(&mut self, text: &str) {
        let code = if let Some(code) = self.places.get(text) {
            *code
        } else {
            let code = self.distinct.len() as u32;
            self.distinct.push(text.into());
            self.places.insert(text.into(), code);
            code
        };
        self.codes.push(code);
    }

    /// Adds an empty cell.
    pub fn push_missing(&mut self) {
        self.codes.push(TextColumn::MISSING);
    }

    /// The column.
    pub fn finish(self) -> TableColumn {
        TableColumn::Texts(TextColumn { codes: self.codes, texts: self.distinct })
    }

    /// A column of these texts.
    pub fn of<'a>(texts: impl Iterator<Item = &'a str>) -> TableColumn {
        let mut column = Self::default();
        texts.for_each(|text| column.push(text));
        column.finish()
    }
}

fn length(column: &TableColumn) -> usize {
    match column {
        TableColumn::Numbers(numbers) => numbers.len(),
        TableColumn::Integers(integers) => integers.len(),
        TableColumn::Times(times) => times.len(),
        TableColumn::Texts(texts) => texts.codes.len(),
    }
}

fn truncate(column: &mut TableColumn, lines: usize) {
    match column {
        TableColumn::Numbers(numbers) => numbers.truncate(lines),
        TableColumn::Integers(integers) => integers.truncate(lines),
        TableColumn::Times(times) => times.truncate(lines),
        TableColumn::Texts(texts) => texts.codes.truncate(lines),
    }
}

/// Turns -0 into 0, because readers would stumble over it.
fn without_negative_zero(mut column: TableColumn) -> TableColumn {
    if let TableColumn::Numbers(numbers) = &mut column {
        for number in numbers {
            *number += 0.0;
        }
    }
    column
}

/// The destination of the files.
#[derive(Clone, Copy, Debug)]
pub struct Folder<'a> {
    /// The folder, which must exist.
    pub path: &'a Path,
    /// A file that would exceed this size is cut.
    pub max_csv_bytes: u64,
    /// Once this is set, files are abandoned.
    pub cancel: &'a AtomicBool,
}

impl Folder<'_> {
    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a table; one without rows has only its header. If a table would exceed the size limit, its first rows are
    /// written, and the result is a sentence that says so.
    ///
    /// # Errors
    ///
    /// A file that cannot be written; columns of different lengths; [`WriteError::Cancelled`].
    pub fn write<N: Into<String>>(
        &self,
        name: &str,
        table: Vec<(N, TableColumn)>,
    ) -> Result<Option<String>, WriteError> {
        self.write_groups(name, table, 1, "lines")
    }

    /// The same for a table whose rows form groups of `lines` each: it is only cut between groups, which the sentence
    /// calls `what`.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`].
    pub fn write_groups<N: Into<String>>(
        &self,
        name: &str,
        table: Vec<(N, TableColumn)>,
        lines: usize,
        what: &str,
    ) -> Result<Option<String>, WriteError> {
        let mut table: Vec<(String, TableColumn)> =
            table.into_iter().map(|(name, column)| (name.into(), without_negative_zero(column))).collect();
        let write = |table: &[(String, TableColumn)]| {
            write_table_csv(&self.file(name), table, self.max_csv_bytes, self.cancel)
        };
        if write(&table)?.is_some() {
            return Ok(None);
        }
        let all = table.first().map_or(0, |(_, column)| length(column)) / lines.max(1);
        let mut kept = all;
        let mut written = None;
        while written.is_none() && kept > 0 {
            kept /= 2;
            for (_, column) in &mut table {
                truncate(column, kept * lines);
            }
            written = write(&table)?;
        }
        Ok(Some(if written.is_some() {
            format!(
                "{name} has the first {kept} of {all} {what}: all of them would take more than {} bytes.",
                self.max_csv_bytes
            )
        } else {
            format!("{name} was not written: it would take more than {} bytes.", self.max_csv_bytes)
        }))
    }

    /// Writes a document.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), WriteError> {
        let bytes = serde_json::to_vec(value).map_err(io::Error::other)?;
        Ok(fs::write(self.file(name), bytes)?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use tempfile::TempDir;

    use super::*;

    fn table(rows: u64) -> Vec<(&'static str, TableColumn)> {
        let numbers = (0..rows).map(|row| row as f64 / 2.0).collect();
        let texts: Vec<String> = (0..rows).map(|row| format!("row {row}")).collect();
        vec![
            ("row", TableColumn::Integers((0..rows).collect())),
            ("text", Texts::of(texts.iter().map(String::as_str))),
            ("number", TableColumn::Numbers(numbers)),
        ]
    }

    #[test]
    fn a_table_beyond_the_bound_is_cut_between_groups_and_says_so() {
        let (folder, cancel) = (TempDir::new().unwrap(), AtomicBool::new(false));
        let of = |max_csv_bytes| Folder { path: folder.path(), max_csv_bytes, cancel: &cancel };
        let lines = || fs::read_to_string(folder.path().join("a.csv")).unwrap().lines().count();
        assert_eq!(of(1 << 20).write("a.csv", table(300)).unwrap(), None);
        assert_eq!(lines(), 301);
        let said = of(2_000).write_groups("a.csv", table(300), 30, "explained rows").unwrap().unwrap();
        assert!(said.starts_with("a.csv has the first 2 of 10 explained rows"), "{said}");
        assert_eq!(lines(), 61);
        let said = of(3).write("a.csv", table(300)).unwrap().unwrap();
        assert!(said.starts_with("a.csv was not written"), "{said}");
        assert!(!folder.path().join("a.csv").exists());
    }

    #[test]
    fn zeros_have_no_sign() {
        let (folder, cancel) = (TempDir::new().unwrap(), AtomicBool::new(false));
        let of = Folder { path: folder.path(), max_csv_bytes: 1 << 20, cancel: &cancel };
        of.write("a.csv", vec![("x", TableColumn::Numbers(vec![-0.0, 0.0, -1.5]))]).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("a.csv")).unwrap(), "x\n0\n0\n-1.5\n");
    }
}
