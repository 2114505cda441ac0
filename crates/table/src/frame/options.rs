//! Options for reading all columns, and limits.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::{Columns, Compression, FileFormat, Limits, ReadOptions};

/// A request to read all columns.
#[derive(Debug, Clone)]
pub struct FrameOptions<'a> {
    /// The files, read as one table in this order.
    pub paths: Vec<PathBuf>,
    /// The declared format of the files.
    pub format: FileFormat,
    /// Their compression; only text can be compressed.
    pub compression: Option<Compression>,
    /// The sheet of a spreadsheet; the first if not given.
    pub sheet: Option<String>,
    /// Caps; a frame has no series, and is read to its end.
    pub limits: Limits,
    /// Threads for reading; the result does not depend on it.
    pub threads: usize,
    /// Set by another thread to stop the read.
    pub cancel: &'a AtomicBool,
}

impl<'a> FrameOptions<'a> {
    /// The same options for the file readers, without roles.
    pub(super) fn as_read(&self) -> ReadOptions<'a> {
        ReadOptions {
            paths: self.paths.clone(),
            format: self.format,
            compression: self.compression,
            sheet: self.sheet.clone(),
            columns: Columns::default(),
            date_order: None,
            limits: Limits { stop_after: None, ..self.limits },
            scratch: None,
            threads: self.threads,
            cancel: self.cancel,
        }
    }
}
