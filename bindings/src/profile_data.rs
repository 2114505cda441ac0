//! `profileData`: what is in a file that nobody has said anything about yet.

use std::path::PathBuf;
use std::sync::Arc;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::{Control, ProfilingOptions};
use tabcast_table::{GivenRoles, Limits};

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::task_handle::TaskHandle;

/// What to profile.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct ProfileDataOptions {
    /// Local files, which are one table in this order.
    pub input_paths: Vec<String>,
    /// `csv`, `json`, `jsonl`, `parquet`, `xls` or `xlsx` (its first sheet).
    pub format: String,
    /// `gzip` or `zstd`, of files that are text; missing: none.
    pub compression: Option<String>,
    /// Columns whose roles are known; the others are found.
    pub columns: KnownColumns,
    /// Caps.
    pub limits: ProfileLimits,
    /// Threads of this call; results do not depend on it.
    pub threads: u32,
}

/// Names of columns; each may be missing.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct KnownColumns {
    /// Which series.
    pub item_id: Option<String>,
    /// When.
    pub timestamp: Option<String>,
    /// What was observed.
    pub target: Option<String>,
}

/// Caps; counts.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct ProfileLimits {
    /// Data rows.
    pub max_rows: f64,
    /// Columns of the file.
    pub max_columns: f64,
    /// Distinct series.
    pub max_series: f64,
    /// Characters of a cell.
    pub max_cell_chars: f64,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct ProfileDataReply {
    /// What was found.
    pub value: Option<DataProfile>,
    /// Why the file is no table at all.
    pub error: Option<EngineFailure>,
}

/// What is in a file.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct DataProfile {
    /// All columns of the file, in its order.
    pub columns: Vec<ProfiledColumn>,
    /// What the columns look like they are for.
    pub roles: ProfiledRoles,
    /// Missing: one of time and target was not found, or no row could be read with them.
    pub series: Option<SeriesProfile>,
    /// Why there are no series, in words for the sender.
    pub unreadable: Option<String>,
}

/// A column, by all its cells.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct ProfiledColumn {
    /// Its name.
    pub name: String,
    /// `timestamp`, `number`, `boolean`, `text`, `empty` or `other`.
    pub kind: String,
    /// Cells without a value.
    pub nulls: f64,
    /// Distinct values; 10,000 stands for more.
    pub distinct: f64,
    /// The most frequent values of a column with up to 1,000 of them, most frequent first.
    pub values: Vec<String>,
    /// The least number, of a column of numbers.
    pub min: Option<f64>,
    /// The greatest.
    pub max: Option<f64>,
    /// Whether each series has one value of it.
    pub is_static: bool,
    /// Whether all rows behind the last target have a value of it, and there are such rows.
    pub is_known_ahead: bool,
}

/// Names of columns.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct ProfiledRoles {
    /// When.
    pub timestamp: Option<String>,
    /// What was observed.
    pub target: Option<String>,
    /// Which series; missing: there is one, or several columns together name them.
    pub item_id: Option<String>,
    /// Other columns that may be the target, best first.
    pub other_targets: Vec<String>,
    /// Other columns of timestamps.
    pub other_timestamps: Vec<String>,
}

/// What the series are like.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct SeriesProfile {
    /// Data rows of the file.
    pub total_rows: f64,
    /// Series with a row that can be read.
    pub num_items: f64,
    /// Rows of the shortest series, up to its last target.
    pub min_length: f64,
    /// Rows of the longest.
    pub max_length: f64,
    /// Rows of a series in the mean.
    pub avg_length: f64,
    /// Canonical alias; missing: irregular.
    pub freq: Option<String>,
    /// Share of the steps between the first and the last target of each series that have none.
    pub missingness: f64,
    /// Steps that a series begins after the first time of all; the most of any.
    pub leading_gap: f64,
    /// Steps that a series ends before the last time of all; the most of any.
    pub trailing_gap: f64,
    /// Whether a target is below zero.
    pub has_negatives: bool,
    /// Whether there are targets of Saturdays and of Sundays.
    pub covers_weekends: bool,
    /// The least target.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// Season lengths in steps that the values bear out, strongest first.
    pub seasonality: Vec<f64>,
    /// Columns that move with the target, strongest first.
    pub suspected_covariates: Vec<String>,
    /// Columns whose values nest, from the coarsest to the finest, or the columns that together name the series.
    pub hierarchy_columns: Vec<String>,
    /// The first time with a target, RFC 3339 in UTC.
    pub start: String,
    /// The last one.
    pub end: String,
    /// Rows behind the last target of their series.
    pub future_rows: f64,
    /// Of the series with the fewest.
    pub least_future_rows: f64,
}

impl From<tabcast_table::ProfiledColumn> for ProfiledColumn {
    fn from(column: tabcast_table::ProfiledColumn) -> Self {
        Self {
            name: column.name,
            kind: column.kind.name().to_owned(),
            nulls: column.nulls as f64,
            distinct: column.distinct as f64,
            values: column.values,
            min: column.min,
            max: column.max,
            is_static: column.is_static,
            is_known_ahead: column.is_known_ahead,
        }
    }
}

impl From<tabcast_table::SeriesProfile> for SeriesProfile {
    fn from(series: tabcast_table::SeriesProfile) -> Self {
        Self {
            start: series.start_text(),
            end: series.end_text(),
            total_rows: series.total_rows as f64,
            num_items: series.num_items as f64,
            min_length: series.min_length as f64,
            max_length: series.max_length as f64,
            avg_length: series.avg_length,
            freq: series.freq,
            missingness: series.missingness,
            leading_gap: series.leading_gap as f64,
            trailing_gap: series.trailing_gap as f64,
            has_negatives: series.has_negatives,
            covers_weekends: series.covers_weekends,
            min: series.min,
            max: series.max,
            seasonality: series.seasonality.into_iter().map(|length| length as f64).collect(),
            suspected_covariates: series.suspected_covariates,
            hierarchy_columns: series.hierarchy_columns,
            future_rows: series.future_rows as f64,
            least_future_rows: series.least_future_rows as f64,
        }
    }
}

impl From<tabcast_table::DataProfile> for DataProfile {
    fn from(profile: tabcast_table::DataProfile) -> Self {
        let roles = profile.roles;
        Self {
            columns: profile.columns.into_iter().map(ProfiledColumn::from).collect(),
            roles: ProfiledRoles {
                timestamp: roles.timestamp,
                target: roles.target,
                item_id: roles.item_id,
                other_targets: roles.other_targets,
                other_timestamps: roles.other_timestamps,
            },
            series: profile.series.map(SeriesProfile::from),
            unreadable: profile.unreadable,
        }
    }
}

/// One call of `profileData`.
#[derive(Debug)]
pub struct ProfileDataTask {
    options: Option<ProfileDataOptions>,
    control: Arc<Control>,
}

impl ProfileDataTask {
    fn work(&mut self) -> Result<DataProfile, Box<EngineFailure>> {
        let Some(options) = self.options.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        let ProfileDataOptions { columns, limits, .. } = options;
        let options = ProfilingOptions {
            input_paths: options.input_paths.into_iter().map(PathBuf::from).collect(),
            format: options.format,
            compression: options.compression,
            roles: GivenRoles {
                timestamp: columns.timestamp,
                target: columns.target,
                item_id: columns.item_id,
            },
            limits: Limits {
                max_rows: limits.max_rows as u64,
                max_columns: limits.max_columns as usize,
                max_series: limits.max_series as usize,
                max_cell_chars: limits.max_cell_chars as usize,
                stop_after: None,
            },
            threads: options.threads as usize,
        };
        guarded(|| tabcast_forecast::profile_data(options, &self.control)).map(DataProfile::from)
    }
}

#[napi]
impl Task for ProfileDataTask {
    type Output = ProfileDataReply;
    type JsValue = ProfileDataReply;

    fn compute(&mut self) -> napi::Result<ProfileDataReply> {
        Ok(match self.work() {
            Ok(value) => ProfileDataReply { value: Some(value), error: None },
            Err(error) => ProfileDataReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: ProfileDataReply) -> napi::Result<ProfileDataReply> {
        Ok(output)
    }
}

/// Says what is in a file that nobody has said anything about: its columns, what they may be for, and what the series are like.
#[napi(catch_unwind)]
pub fn profile_data(options: ProfileDataOptions, task: &TaskHandle) -> AsyncTask<ProfileDataTask> {
    AsyncTask::new(ProfileDataTask { options: Some(options), control: task.control() })
}
