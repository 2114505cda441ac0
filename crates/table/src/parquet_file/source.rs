//! Positioned reads, shared by threads.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::parquet_file::inflation::Inflation;

/// A file with positioned reads; the crate's own reader moves one cursor for all threads.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    file: Arc<File>,
    bytes: u64,
    inflation: Arc<Inflation>,
}

impl Source {
    /// An untrusted file.
    pub(crate) fn new(file: File, bytes: u64) -> Source {
        Source { file: Arc::new(file), bytes, inflation: Arc::new(Inflation::of_file(bytes)) }
    }

    /// A file that we wrote.
    pub(crate) fn trusted(file: File, bytes: u64) -> Source {
        Source { file: Arc::new(file), bytes, inflation: Arc::new(Inflation::trusted()) }
    }

    /// The bytes that the pages of the file may inflate to in total.
    pub(crate) fn inflation(&self) -> &Inflation {
        &self.inflation
    }
}

impl Length for Source {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for Source {
    type T = BufReader<SourceReader>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::new(SourceReader { source: self.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // Lengths come from the file, so nothing is allocated for bytes that it does not have.
        if start.checked_add(length as u64).is_none_or(|end| end > self.bytes) {
            return Err(ParquetError::EOF("a page lies beyond the end of the file".into()));
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes.into())
    }
}

/// An independent cursor.
#[derive(Debug)]
pub(crate) struct SourceReader {
    source: Source,
    at: u64,
}

impl Read for SourceReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.file.read_at(buffer, self.at)?;
        self.at += length as u64;
        Ok(length)
    }
}
