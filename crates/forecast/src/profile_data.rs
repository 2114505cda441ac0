use std::path::PathBuf;

use serde::Deserialize;
use tabcast_table::{Compression, DataProfile, FileFormat, GivenRoles, Limits, ProfileOptions};

use crate::config::require_inputs;
use crate::run::stages;
use crate::{Control, Failure};

/// A file to profile.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[ts(rename = "ProfileDataOptions")]
pub struct ProfilingOptions {
    /// Local files, read as one table in this order.
    pub input_paths: Vec<PathBuf>,
    /// Of a spreadsheet, the first sheet is read.
    pub format: FileFormat,
    /// Compression of text files; none when absent.
    pub compression: Option<Compression>,
    /// Columns whose roles are known.
    #[serde(rename = "columns")]
    pub roles: GivenRoles,
    /// Caps.
    pub limits: Limits,
    /// Threads for reading; the outcome does not depend on it.
    pub threads: usize,
}

/// Describes a file without any given roles: its columns, their possible roles, and the series.
///
/// # Errors
///
/// A content error for a file that is no table, or that lacks a given column; `Options` and `Io`.
pub fn profile_data(options: ProfilingOptions, control: &Control) -> Result<DataProfile, Failure> {
    require_inputs(&options.input_paths)?;
    control.enter(stages::INGEST);
    Ok(tabcast_table::profile_data(&ProfileOptions {
        format: options.format,
        compression: options.compression,
        paths: options.input_paths,
        roles: options.roles,
        limits: options.limits,
        threads: options.threads,
        cancel: control.cancel_flag(),
    })?)
}
