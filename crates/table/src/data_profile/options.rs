//! What to profile.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::Deserialize;

use crate::{Columns, Compression, FileFormat, Limits, ReadOptions};

/// A profile request.
#[derive(Debug, Clone)]
pub struct ProfileOptions<'a> {
    /// The files, read as one table in this order.
    pub paths: Vec<PathBuf>,
    /// The declared format of the files.
    pub format: FileFormat,
    /// Their compression; only text can be compressed.
    pub compression: Option<Compression>,
    /// Roles that are known already.
    pub roles: GivenRoles,
    /// Caps; a profile always covers all rows.
    pub limits: Limits,
    /// Threads for reading; the result does not depend on it.
    pub threads: usize,
    /// Set by another thread to stop the read.
    pub cancel: &'a AtomicBool,
}

/// Names of columns whose roles are known; the other roles are guessed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "KnownColumns", optional_fields)]
pub struct GivenRoles {
    /// The column of times.
    pub timestamp: Option<String>,
    /// The column of observations.
    pub target: Option<String>,
    /// The column that names the series.
    pub item_id: Option<String>,
}

impl<'a> ProfileOptions<'a> {
    /// The same options for the file readers. Of a spreadsheet, the first sheet is read.
    pub(super) fn as_read(&self) -> ReadOptions<'a> {
        ReadOptions {
            paths: self.paths.clone(),
            format: self.format,
            compression: self.compression,
            sheet: None,
            columns: Columns::default(),
            date_order: None,
            limits: Limits { stop_after: None, ..self.limits },
            scratch: None,
            threads: self.threads,
            cancel: self.cancel,
        }
    }
}
