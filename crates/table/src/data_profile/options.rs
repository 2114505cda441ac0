//! What to profile.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::Deserialize;

use crate::{Columns, Compression, FileFormat, Limits, ReadOptions};

/// One profile.
#[derive(Debug, Clone)]
pub struct ProfileOptions<'a> {
    /// The files, which are read as one table in this order.
    pub paths: Vec<PathBuf>,
    /// What the files are said to be.
    pub format: FileFormat,
    /// How they are packed; only text is.
    pub compression: Option<Compression>,
    /// What is known already.
    pub roles: GivenRoles,
    /// Caps; a profile is of all rows.
    pub limits: Limits,
    /// Threads to read with; the result does not depend on it.
    pub threads: usize,
    /// Set by another thread to stop the read.
    pub cancel: &'a AtomicBool,
}

/// Names of columns whose roles are known; the others are found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "KnownColumns", optional_fields))]
pub struct GivenRoles {
    /// When.
    pub timestamp: Option<String>,
    /// What was observed.
    pub target: Option<String>,
    /// Which series.
    pub item_id: Option<String>,
}

impl<'a> ProfileOptions<'a> {
    /// What the readers of files ask for. Spreadsheets are read by their first sheet.
    pub(super) fn as_read(&self) -> ReadOptions<'a> {
        ReadOptions {
            paths: self.paths.clone(),
            format: self.format,
            compression: self.compression,
            sheet: None,
            columns: Columns::default(),
            date_order: None,
            limits: Limits { stop_after: None, ..self.limits },
            threads: self.threads,
            cancel: self.cancel,
        }
    }
}
