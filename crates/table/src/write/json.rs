//! JSON, as one array or line by line.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use tabcast_calendar::{write_iso8601, write_pandas};

use super::layout::{Chunk, Layout, TimestampFormat, WriteError, Written, written};

const HEX: &[u8; 16] = b"0123456789abcdef";

/// What surrounds the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Brackets {
    /// `[` row `,` row `]`.
    Array,
    /// One row per line, with nothing around them.
    Lines,
}

/// Writes one object per row, with keys in the order of the columns and numbers as [`CsvWriter`](crate::CsvWriter)
/// writes them; a number that is not finite is null.
pub(crate) struct JsonWriter {
    file: File,
    brackets: Brackets,
    timestamp_format: TimestampFormat,
    /// `{"item_id":`, `,"timestamp":"` and so on: the text before each cell.
    item_id_key: Vec<u8>,
    timestamp_key: Vec<u8>,
    value_keys: Vec<Vec<u8>>,
    bytes: u64,
    rows: u64,
}

impl JsonWriter {
    pub(crate) fn create(path: &Path, layout: &Layout, brackets: Brackets) -> Result<JsonWriter, WriteError> {
        let key = |before: &[u8], name: &str, after: &[u8]| {
            let mut text = before.to_vec();
            write_string(name, &mut text);
            text.extend_from_slice(after);
            text
        };
        let mut writer = JsonWriter {
            file: File::create(path)?,
            brackets,
            timestamp_format: layout.timestamp_format,
            item_id_key: key(b"{", &layout.item_id, b":"),
            timestamp_key: key(b",", &layout.timestamp, b":\""),
            value_keys: layout.values.iter().map(|name| key(b",", name, b":")).collect(),
            bytes: 0,
            rows: 0,
        };
        if brackets == Brackets::Array {
            writer.append(b"[")?;
        }
        Ok(writer)
    }

    pub(crate) fn write(&mut self, chunk: &Chunk) -> Result<(), WriteError> {
        let mut out = Vec::new();
        let mut number = zmij::Buffer::new();
        let mut id = Vec::new();
        let mut row = 0;
        for run in chunk.runs {
            id.clear();
            write_string(run.id, &mut id);
            for _ in 0..run.rows {
                if self.brackets == Brackets::Array {
                    out.extend_from_slice(if self.rows + row as u64 == 0 { b"\n" } else { b",\n" });
                }
                out.extend_from_slice(&self.item_id_key);
                out.extend_from_slice(&id);
                out.extend_from_slice(&self.timestamp_key);
                match self.timestamp_format {
                    TimestampFormat::Pandas => write_pandas(chunk.timestamps[row], &mut out),
                    TimestampFormat::Iso8601 => write_iso8601(chunk.timestamps[row], &mut out),
                }
                out.push(b'"');
                for (key, column) in self.value_keys.iter().zip(chunk.values) {
                    out.extend_from_slice(key);
                    let value = column[row];
                    let text = if value.is_finite() { number.format_finite(value) } else { "null" };
                    out.extend_from_slice(text.as_bytes());
                }
                out.push(b'}');
                if self.brackets == Brackets::Lines {
                    out.push(b'\n');
                }
                row += 1;
            }
        }
        self.rows += row as u64;
        self.append(&out)
    }

    /// Closes the file.
    pub(crate) fn finish(mut self) -> Result<Written, WriteError> {
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

/// Writes a string with the escapes that RFC 8259 requires.
pub(super) fn write_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..=0x1f => {
                let digits = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(&digits);
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
