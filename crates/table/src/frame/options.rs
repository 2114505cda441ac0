//! What to read of a table, and how much of it at most.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::{Columns, Compression, FileFormat, Limits, ReadOptions};

/// One read of all columns.
#[derive(Debug, Clone)]
pub struct FrameOptions<'a> {
    /// The files, which are read as one table in this order.
    pub paths: Vec<PathBuf>,
    /// What the files are said to be.
    pub format: FileFormat,
    /// How they are packed; only text is.
    pub compression: Option<Compression>,
    /// Which sheet of a spreadsheet to read; the first when it is not given.
    pub sheet: Option<String>,
    /// Caps; a frame has no series, and is read to its end.
    pub limits: Limits,
    /// Threads to read with; the result does not depend on it.
    pub threads: usize,
    /// Set by another thread to stop the read.
    pub cancel: &'a AtomicBool,
}

impl<'a> FrameOptions<'a> {
    /// What the readers of files ask for; no column has a role.
    pub(super) fn as_read(&self) -> ReadOptions<'a> {
        ReadOptions {
            paths: self.paths.clone(),
            format: self.format,
            compression: self.compression,
            sheet: self.sheet.clone(),
            columns: Columns::default(),
            date_order: None,
            limits: Limits { stop_after: None, ..self.limits },
            threads: self.threads,
            cancel: self.cancel,
        }
    }
}
