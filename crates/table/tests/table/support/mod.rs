//! Files to read, and what reading them gives.

pub(crate) mod parquet;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tabcast_table::{Columns, ContentError, FileFormat, Limits, Panel, ReadError, ReadOptions, read_panel};
use tempfile::TempDir;

/// A folder that goes away with the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// Reads a file with limits and threads; errors of other kinds than content fail the test.
pub(crate) fn read_with(
    path: &Path,
    format: FileFormat,
    limits: Limits,
    threads: usize,
) -> Result<Panel, Box<ContentError>> {
    read_columns(path, format, Columns::default(), limits, threads)
}

/// Reads a file with columns of other names, or with covariates.
pub(crate) fn read_columns(
    path: &Path,
    format: FileFormat,
    columns: Columns,
    limits: Limits,
    threads: usize,
) -> Result<Panel, Box<ContentError>> {
    let cancel = AtomicBool::new(false);
    let options = ReadOptions {
        paths: vec![path.to_owned()],
        format,
        compression: None,
        sheet: None,
        columns,
        limits,
        threads,
        cancel: &cancel,
    };
    match read_panel(&options) {
        Ok(panel) => Ok(panel),
        Err(ReadError::Content(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

/// Reads bytes as a file.
pub(crate) fn read_bytes(bytes: &[u8], format: FileFormat) -> Result<Panel, Box<ContentError>> {
    let folder = Folder::new();
    let path = folder.path("input");
    std::fs::write(&path, bytes).unwrap();
    read_with(&path, format, Limits::default(), 2)
}

/// All rows as `(id, stamp, bits of the target)`, so that null compares equal to null.
pub(crate) fn rows(panel: &Panel) -> Vec<(String, i64, u64)> {
    let mut out = Vec::new();
    for index in 0..panel.len() {
        let (stamps, targets) = panel.series(index);
        for (stamp, target) in stamps.iter().zip(targets) {
            out.push((panel.ids.get(index).to_owned(), *stamp, target.to_bits()));
        }
    }
    out
}
