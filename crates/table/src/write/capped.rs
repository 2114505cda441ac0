//! A file that is abandoned if it grows too long.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::layout::{WriteError, Written, written};

#[derive(Debug)]
pub(super) struct CappedFile {
    /// `None` once the file has been abandoned.
    file: Option<File>,
    path: PathBuf,
    max_bytes: u64,
    bytes: u64,
}

impl CappedFile {
    pub(super) fn create(path: &Path, max_bytes: u64) -> Result<CappedFile, WriteError> {
        Ok(CappedFile { file: Some(File::create(path)?), path: path.to_owned(), max_bytes, bytes: 0 })
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.file.is_none()
    }

    /// Appends, or removes the file if it would exceed its size limit.
    pub(super) fn append(&mut self, text: &[u8]) -> Result<(), WriteError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        self.bytes += text.len() as u64;
        if self.bytes > self.max_bytes {
            return self.abandon();
        }
        Ok(file.write_all(text)?)
    }

    /// Removes the file, unless that was done before.
    pub(super) fn abandon(&mut self) -> Result<(), WriteError> {
        if self.file.take().is_some() { Ok(fs::remove_file(&self.path)?) } else { Ok(()) }
    }

    /// Closes the file; `None` if it was abandoned.
    pub(super) fn finish(self, rows: u64) -> Result<Option<Written>, WriteError> {
        self.file.map(|file| written(&file, self.bytes, rows)).transpose()
    }
}
