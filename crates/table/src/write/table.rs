//! A table of any columns, written in one go.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tabcast_calendar::{Micros, write_pandas};

use super::capped::CappedFile;
use super::csv::write_text;
use super::layout::{WriteError, Written};
use crate::TextColumn;

/// Number of rows that one task formats.
const TASK_ROWS: usize = 8_192;
/// Number of tasks whose text is in memory at a time.
const TASKS: usize = 64;

/// A column to write.
#[derive(Debug, Clone, PartialEq)]
pub enum TableColumn {
    /// A number that is not finite is an empty cell, or null.
    Numbers(Vec<f64>),
    /// Never missing.
    Integers(Vec<u64>),
    /// Never missing; in UTC.
    Times(Vec<Micros>),
    /// A missing text is an empty cell, or null.
    Texts(TextColumn),
}

impl TableColumn {
    fn rows(&self) -> usize {
        match self {
            TableColumn::Numbers(numbers) => numbers.len(),
            TableColumn::Integers(integers) => integers.len(),
            TableColumn::Times(times) => times.len(),
            TableColumn::Texts(column) => column.codes.len(),
        }
    }
}

/// Number of rows of the columns.
pub(super) fn rows(table: &[(String, TableColumn)]) -> Result<usize, WriteError> {
    let rows = table.first().map_or(0, |(_, column)| column.rows());
    if table.is_empty() || table.iter().any(|(_, column)| column.rows() != rows) {
        return Err(WriteError::Invalid(
            "the columns of a table have different lengths, or there is none".into(),
        ));
    }
    Ok(rows)
}

/// Writes a table as CSV: LF, RFC 4180 quoting, UTF-8 without a byte order mark, the shortest numbers that read back
/// equal. If the file exceeds `max_bytes`, it is abandoned and removed, and the result is none.
///
/// Rows are formatted by the threads of the current rayon pool; the bytes do not depend on how many there are.
///
/// # Errors
/// If the disk fails, the columns have different lengths, or `cancel` was set.
pub fn write_table_csv(
    path: &Path,
    table: &[(String, TableColumn)],
    max_bytes: u64,
    cancel: &AtomicBool,
) -> Result<Option<Written>, WriteError> {
    let rows = rows(table)?;
    let mut csv = TableCsv::create(path, table.iter().map(|(name, _)| name.as_str()), max_bytes)?;
    csv.write(&table.iter().map(|(_, column)| column).collect::<Vec<_>>(), rows, cancel)?;
    csv.finish()
}

/// A CSV file that receives columns in stretches.
pub(super) struct TableCsv {
    file: CappedFile,
    rows: u64,
}

impl TableCsv {
    pub(super) fn create<'a>(
        path: &Path,
        names: impl Iterator<Item = &'a str>,
        max_bytes: u64,
    ) -> Result<TableCsv, WriteError> {
        let mut line = Vec::new();
        for name in names {
            write_text(name, &mut line);
            line.push(b',');
        }
        line.pop();
        line.push(b'\n');
        let mut file = CappedFile::create(path, max_bytes)?;
        file.append(&line)?;
        Ok(TableCsv { file, rows: 0 })
    }

    pub(super) fn write(
        &mut self,
        columns: &[&TableColumn],
        rows: usize,
        cancel: &AtomicBool,
    ) -> Result<(), WriteError> {
        let tasks: Vec<Range<usize>> =
            (0..rows).step_by(TASK_ROWS).map(|row| row..(row + TASK_ROWS).min(rows)).collect();
        for tasks in tasks.chunks(TASKS) {
            if self.file.is_given_up() {
                return Ok(());
            }
            let texts: Vec<Vec<u8>> = tasks
                .par_iter()
                .map(|rows| {
                    if cancel.load(Ordering::Relaxed) {
                        return Err(WriteError::Cancelled);
                    }
                    Ok(format_rows(columns, rows.clone()))
                })
                .collect::<Result<_, _>>()?;
            for text in texts {
                self.file.append(&text)?;
            }
        }
        self.rows += rows as u64;
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Option<Written>, WriteError> {
        self.file.finish(self.rows)
    }
}

/// The shortest text of a finite number; whole numbers have no point.
pub(super) fn write_number(value: f64, buffer: &mut zmij::Buffer, out: &mut Vec<u8>) {
    let text = buffer.format_finite(value);
    out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
}

fn format_rows(columns: &[&TableColumn], rows: Range<usize>) -> Vec<u8> {
    let mut out = Vec::with_capacity(rows.len() * columns.len() * 16);
    let mut number = zmij::Buffer::new();
    for row in rows {
        let start = out.len();
        for column in columns {
            match column {
                TableColumn::Numbers(numbers) if numbers[row].is_finite() => {
                    write_number(numbers[row], &mut number, &mut out);
                }
                TableColumn::Numbers(_) => {}
                TableColumn::Integers(integers) => {
                    out.extend_from_slice(integers[row].to_string().as_bytes());
                }
                TableColumn::Times(times) => write_pandas(times[row], &mut out),
                TableColumn::Texts(column) => write_text(column.get(row).unwrap_or_default(), &mut out),
            }
            out.push(b',');
        }
        out.pop();
        // An empty line would not be a row.
        if out.len() == start {
            out.extend_from_slice(b"\"\"");
        }
        out.push(b'\n');
    }
    out
}
