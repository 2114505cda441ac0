use std::path::PathBuf;

use tabcast_table::{DataProfile, GivenRoles, Limits, ProfileOptions};

use crate::config::{parse_compression, parse_format, require_inputs};
use crate::run::control::Stage;
use crate::{Control, Failure};

/// A file to profile; names are checked here.
#[derive(Clone, Debug)]
pub struct ProfilingOptions {
    /// Local files, which are one table in this order.
    pub input_paths: Vec<PathBuf>,
    /// `csv`, `json`, `jsonl`, `parquet`, `xls` or `xlsx`.
    pub format: String,
    /// `gzip` or `zstd`, of files that are text; none when absent.
    pub compression: Option<String>,
    /// Columns whose roles are known.
    pub roles: GivenRoles,
    /// Caps.
    pub limits: Limits,
    /// Threads to read with; the outcome does not depend on it.
    pub threads: usize,
}

/// Says what is in a file that nobody has said anything about: columns, what they may be for, and what the series are like.
///
/// # Errors
///
/// A content error for a file that is no table at all, or lacks a given column; `Options` and `Io`.
pub fn profile_data(options: ProfilingOptions, control: &Control) -> Result<DataProfile, Failure> {
    require_inputs(&options.input_paths)?;
    control.enter(Stage::Ingest);
    Ok(tabcast_table::profile_data(&ProfileOptions {
        format: parse_format(&options.format)?,
        compression: options.compression.as_deref().map(parse_compression).transpose()?,
        paths: options.input_paths,
        roles: options.roles,
        limits: options.limits,
        threads: options.threads,
        cancel: control.cancel_flag(),
    })?)
}
