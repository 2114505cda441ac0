//! The CSV files of the analyses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tabcast_table::{TableColumn, TextColumn, write_table_csv};

use crate::{Control, Failure};

/// A column of texts under way.
#[derive(Default)]
pub(crate) struct Texts {
    codes: Vec<u32>,
    distinct: Vec<Box<str>>,
    places: BTreeMap<Box<str>, u32>,
}

impl Texts {
    pub(crate) fn push(&mut self, text: &str) {
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
    pub(crate) fn push_missing(&mut self) {
        self.codes.push(TextColumn::MISSING);
    }

    pub(crate) fn finish(self) -> TableColumn {
        TableColumn::Texts(TextColumn { codes: self.codes, texts: self.distinct })
    }

    /// A column of these texts.
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> TableColumn {
        let mut column = Self::default();
        texts.for_each(|text| column.push(text));
        column.finish()
    }
}

/// Where the files go.
#[derive(Clone, Copy)]
pub(crate) struct Folder<'a> {
    pub(crate) path: &'a Path,
    /// A file that would outgrow this is given up.
    pub(crate) max_csv_bytes: u64,
    pub(crate) control: &'a Control,
}

impl Folder<'_> {
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a table; one without rows has its header alone.
    pub(crate) fn write<N: Into<String>>(
        &self,
        name: &str,
        table: Vec<(N, TableColumn)>,
    ) -> Result<(), Failure> {
        let table: Vec<(String, TableColumn)> =
            table.into_iter().map(|(name, column)| (name.into(), column)).collect();
        write_table_csv(&self.file(name), &table, self.max_csv_bytes, self.control.cancel_flag())?;
        Ok(())
    }
}
