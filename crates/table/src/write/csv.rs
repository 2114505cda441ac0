//! CSV.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tabcast_calendar::{write_iso8601, write_pandas};

use super::capped::CappedFile;
use super::layout::{Chunk, Layout, TimestampFormat, WriteError, Written};

/// Number of rows that one task formats.
const TASK_ROWS: usize = 8_192;
/// Number of tasks whose text is in memory at a time.
const TASKS: usize = 64;
/// Bytes in memory while a part is copied.
const BLOCK: usize = 1 << 20;

/// Writes CSV: LF, RFC 4180 quoting, UTF-8 without a byte order mark, the shortest doubles that read back equal, NaN as
/// an empty cell.
///
/// Rows are formatted by the threads of the current rayon pool; the bytes do not depend on how many there are.
#[derive(Debug)]
pub struct CsvWriter {
    file: CappedFile,
    layout: Layout,
    /// Length of the header in bytes.
    header: u64,
    rows: u64,
    cancel: Arc<AtomicBool>,
}

impl CsvWriter {
    /// Creates the file and writes the header; if the file exceeds `max_bytes`, it is abandoned and removed.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path, layout: &Layout, max_bytes: u64) -> Result<CsvWriter, WriteError> {
        let mut writer = CsvWriter {
            file: CappedFile::create(path, max_bytes)?,
            layout: layout.clone(),
            header: 0,
            rows: 0,
            cancel: Arc::default(),
        };
        let mut line = Vec::new();
        for name in [&layout.item_id, &layout.timestamp].into_iter().chain(&layout.values) {
            write_text(name, &mut line);
            line.push(b',');
        }
        line.pop();
        line.push(b'\n');
        writer.header = line.len() as u64;
        writer.file.append(&line)?;
        Ok(writer)
    }

    /// Once `cancel` is set, writes end with [`WriteError::Cancelled`], even in the middle of a chunk.
    #[must_use]
    pub fn unless(mut self, cancel: Arc<AtomicBool>) -> CsvWriter {
        self.cancel = cancel;
        self
    }

    /// Appends rows; does nothing once the file has been abandoned.
    ///
    /// # Errors
    /// If the disk fails or the chunk does not fit the layout.
    pub fn write(&mut self, chunk: &Chunk) -> Result<(), WriteError> {
        chunk.check(&self.layout)?;
        let mut starts = Vec::with_capacity(chunk.runs.len() + 1);
        starts.push(0);
        for run in chunk.runs {
            starts.push(starts[starts.len() - 1] + run.rows);
        }
        let tasks: Vec<Range<usize>> = (0..chunk.rows())
            .step_by(TASK_ROWS)
            .map(|row| row..(row + TASK_ROWS).min(chunk.rows()))
            .collect();
        for tasks in tasks.chunks(TASKS) {
            if self.file.is_given_up() {
                return Ok(());
            }
            let texts: Vec<Vec<u8>> = tasks
                .par_iter()
                .map(|rows| {
                    if self.cancel.load(Ordering::Relaxed) {
                        return Err(WriteError::Cancelled);
                    }
                    Ok(format_rows(chunk, &starts, rows.clone(), self.layout.timestamp_format))
                })
                .collect::<Result<_, _>>()?;
            for text in texts {
                self.file.append(&text)?;
            }
        }
        self.rows += chunk.rows() as u64;
        Ok(())
    }

    /// Appends the `rows` rows of another file of this layout; does nothing once the file has been abandoned.
    ///
    /// # Errors
    /// If either file fails.
    pub fn append(&mut self, path: &Path, rows: u64) -> Result<(), WriteError> {
        let mut part = File::open(path)?;
        part.seek(SeekFrom::Start(self.header))?;
        let mut block = vec![0; BLOCK];
        while !self.file.is_given_up() {
            if self.cancel.load(Ordering::Relaxed) {
                return Err(WriteError::Cancelled);
            }
            let read = part.read(&mut block)?;
            if read == 0 {
                break;
            }
            self.file.append(&block[..read])?;
        }
        self.rows += rows;
        Ok(())
    }

    /// Abandons and removes the file.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn abandon(&mut self) -> Result<(), WriteError> {
        self.file.abandon()
    }

    /// Closes the file; `None` if it was abandoned.
    ///
    /// # Errors
    /// If the file's length differs from what was written.
    pub fn finish(self) -> Result<Option<Written>, WriteError> {
        self.file.finish(self.rows)
    }
}

/// The rows `rows` of the chunk as text; `starts` are the first rows of its runs, and their end.
fn format_rows(chunk: &Chunk, starts: &[usize], rows: Range<usize>, format: TimestampFormat) -> Vec<u8> {
    let mut out = Vec::with_capacity(rows.len() * (40 + chunk.values.len() * 20));
    let mut number = zmij::Buffer::new();
    let mut id = Vec::new();
    let mut run = starts.partition_point(|start| *start <= rows.start) - 1;
    let mut run_end = rows.start;
    for row in rows {
        if row == run_end {
            // Runs may be empty, so this looks for the next one with rows.
            while starts[run + 1] <= row {
                run += 1;
            }
            run_end = starts[run + 1];
            id.clear();
            write_text(chunk.runs[run].id, &mut id);
        }
        out.extend_from_slice(&id);
        out.push(b',');
        match format {
            TimestampFormat::Pandas => write_pandas(chunk.timestamps[row], &mut out),
            TimestampFormat::Iso8601 => write_iso8601(chunk.timestamps[row], &mut out),
        }
        for column in chunk.values {
            out.push(b',');
            let value = column[row];
            if !value.is_nan() {
                out.extend_from_slice(number.format(value).as_bytes());
            }
        }
        out.push(b'\n');
    }
    out
}

/// Quotes only what RFC 4180 says must be quoted; the delimiter is always the comma.
pub(super) fn write_text(text: &str, out: &mut Vec<u8>) {
    if !text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for byte in text.bytes() {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}
