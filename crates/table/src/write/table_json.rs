//! Writes a table of any columns as JSON, as one array or line by line.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use tabcast_calendar::write_pandas;

use super::json::{Brackets, write_string};
use super::layout::{WriteError, Written, written};
use super::table::{TableColumn, write_number};

/// Writes one object per row, with keys in the order of the columns; a missing value is null.
pub(super) struct TableJson {
    file: File,
    brackets: Brackets,
    /// `{"name":`, `,"name":` and so on: the text before each cell.
    keys: Vec<Vec<u8>>,
    bytes: u64,
    rows: u64,
}

impl TableJson {
    pub(super) fn create(path: &Path, names: &[&str], brackets: Brackets) -> Result<TableJson, WriteError> {
        let key = |(place, name): (usize, &&str)| {
            let mut text = if place == 0 { b"{".to_vec() } else { b",".to_vec() };
            write_string(name, &mut text);
            text.push(b':');
            text
        };
        let keys = names.iter().enumerate().map(key).collect();
        let mut writer = TableJson { file: File::create(path)?, brackets, keys, bytes: 0, rows: 0 };
        if brackets == Brackets::Array {
            writer.append(b"[")?;
        }
        Ok(writer)
    }

    pub(super) fn write(&mut self, columns: &[&TableColumn], rows: usize) -> Result<(), WriteError> {
        let mut out = Vec::new();
        let mut number = zmij::Buffer::new();
        for row in 0..rows {
            if self.brackets == Brackets::Array {
                out.extend_from_slice(if self.rows + row as u64 == 0 { b"\n" } else { b",\n" });
            }
            for (key, column) in self.keys.iter().zip(columns) {
                out.extend_from_slice(key);
                match column {
                    TableColumn::Numbers(numbers) if numbers[row].is_finite() => {
                        write_number(numbers[row], &mut number, &mut out);
                    }
                    TableColumn::Numbers(_) => out.extend_from_slice(b"null"),
                    TableColumn::Integers(integers) => {
                        out.extend_from_slice(integers[row].to_string().as_bytes());
                    }
                    TableColumn::Times(times) => {
                        out.push(b'"');
                        write_pandas(times[row], &mut out);
                        out.push(b'"');
                    }
                    TableColumn::Texts(column) => match column.get(row) {
                        Some(text) => write_string(text, &mut out),
                        None => out.extend_from_slice(b"null"),
                    },
                }
            }
            out.push(b'}');
            if self.brackets == Brackets::Lines {
                out.push(b'\n');
            }
        }
        self.rows += rows as u64;
        self.append(&out)
    }

    /// Closes the file.
    pub(super) fn finish(mut self) -> Result<Written, WriteError> {
        if self.brackets == Brackets::Array {
            self.append(if self.rows == 0 { b"]\n" } else { b"\n]\n" })?;
        }
        written(&self.file, self.bytes, self.rows)
    }

    fn append(&mut self, text: &[u8]) -> Result<(), WriteError> {
        self.bytes += text.len() as u64;
        Ok(self.file.write_all(text)?)
    }
}
