//! Files to read, and what reading them gives.

pub(crate) mod biff;
pub(crate) mod parquet;
pub(crate) mod workbook;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tabcast_table::{
    Columns, ContentError, FileFormat, Limits, Panel, ReadError, ReadOptions, check_columns, read_panel,
};
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
    let options =
        ReadOptions { columns, limits, threads, ..options_for(vec![path.to_owned()], format, &cancel) };
    content(read_panel(&options))
}

/// Options for files, with all defaults.
pub(crate) fn options_for(paths: Vec<PathBuf>, format: FileFormat, cancel: &AtomicBool) -> ReadOptions<'_> {
    ReadOptions {
        paths,
        format,
        compression: None,
        sheet: None,
        columns: Columns::default(),
        date_order: None,
        limits: Limits::default(),
        scratch: None,
        threads: 2,
        cancel,
    }
}

/// Reads files as one table, with whatever `change` sets. The header alone must be refused for nothing that the whole
/// is not.
pub(crate) fn read_files(
    files: &[&[u8]],
    format: FileFormat,
    change: impl FnOnce(&mut ReadOptions),
) -> Result<Panel, Box<ContentError>> {
    let folder = Folder::new();
    let cancel = AtomicBool::new(false);
    let paths = (0..files.len()).map(|index| folder.path(&format!("input-{index}"))).collect();
    let mut options = options_for(paths, format, &cancel);
    for (path, bytes) in options.paths.iter().zip(files) {
        std::fs::write(path, bytes).unwrap();
    }
    change(&mut options);
    let whole = content(read_panel(&options));
    if let Err(error) = content(check_columns(&options)) {
        let whole = whole.as_ref().err().map(|error| error.code);
        assert_eq!(Some(error.code), whole, "the header is refused with {error}");
    }
    whole
}

/// Errors of other kinds than content fail the test.
fn content<T>(outcome: Result<T, ReadError>) -> Result<T, Box<ContentError>> {
    match outcome {
        Ok(value) => Ok(value),
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
