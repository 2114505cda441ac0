//! The files of the analyses.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use tabcast_table::{TableColumn, TextColumn, WriteError, write_table_csv};

/// A column of texts under way.
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

    /// An empty cell.
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

/// Where the files go.
#[derive(Clone, Copy, Debug)]
pub struct Folder<'a> {
    /// The folder itself, which exists.
    pub path: &'a Path,
    /// A file that would outgrow this is given up.
    pub max_csv_bytes: u64,
    /// Files are given up once it is set.
    pub cancel: &'a AtomicBool,
}

impl Folder<'_> {
    /// Where a file of it lies.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a table; one without rows has its header alone.
    ///
    /// # Errors
    ///
    /// A disk that does not take it; columns of different lengths; [`WriteError::Cancelled`].
    pub fn write<N: Into<String>>(&self, name: &str, table: Vec<(N, TableColumn)>) -> Result<(), WriteError> {
        let table: Vec<(String, TableColumn)> =
            table.into_iter().map(|(name, column)| (name.into(), column)).collect();
        write_table_csv(&self.file(name), &table, self.max_csv_bytes, self.cancel)?;
        Ok(())
    }

    /// Writes a document.
    ///
    /// # Errors
    ///
    /// A disk that does not take it.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), WriteError> {
        let bytes = serde_json::to_vec(value).map_err(io::Error::other)?;
        Ok(fs::write(self.file(name), bytes)?)
    }
}
