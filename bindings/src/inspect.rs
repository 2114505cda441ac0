//! `inspect`: everything that is wrong with a dataset.

use std::path::PathBuf;
use std::sync::Arc;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::{Control, InspectionOptions};
use tabcast_table::{Check, Columns, Inspection, Limits};

use crate::check::EngineWarning;
use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::options::{ColumnOptions, HierarchyOptions};
use crate::task_handle::TaskHandle;

/// What to inspect.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct InspectOptions {
    /// The dataset: local files, which are one table in this order.
    pub input_paths: Vec<String>,
    /// `csv`, `json`, `jsonl`, `parquet`, `xls` or `xlsx` (its first sheet).
    pub format: String,
    /// `gzip` or `zstd`, of files that are text; missing: none.
    pub compression: Option<String>,
    /// Which columns play which role; the covariates are those that are said to be known for the future.
    pub columns: ColumnOptions,
    /// Columns that say which series a row belongs to; missing: the item id column does.
    pub hierarchy: Option<HierarchyOptions>,
    /// Pandas alias; missing: inferred.
    pub freq: Option<String>,
    /// Caps.
    pub limits: InspectLimits,
    /// Threads of this call; results do not depend on it.
    pub threads: u32,
}

/// Caps; counts.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct InspectLimits {
    /// Data rows.
    pub max_rows: f64,
    /// Columns of the file.
    pub max_columns: f64,
    /// Distinct items.
    pub max_series: f64,
    /// Characters of a cell.
    pub max_cell_chars: f64,
    /// Data rows after which the read ends, and the inspection says so; missing: it reads all.
    pub stop_after: Option<f64>,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct InspectReply {
    /// What was found.
    pub value: Option<InspectedDataset>,
    /// Why the file cannot be read at all.
    pub error: Option<EngineFailure>,
}

/// What an inspection found; figures of rows are missing when the columns of the roles are.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct InspectedDataset {
    /// Data rows read, good or not.
    pub row_count: Option<f64>,
    /// Distinct items.
    pub num_items: Option<f64>,
    /// Good rows of the shortest item.
    pub min_length: Option<f64>,
    /// Good rows of the longest item.
    pub max_length: Option<f64>,
    /// The earliest timestamp, RFC 3339 in UTC.
    pub start: Option<String>,
    /// The latest timestamp.
    pub end: Option<String>,
    /// All columns of the file.
    pub columns: Vec<DatasetColumn>,
    /// Canonical alias.
    pub inferred_frequency: Option<String>,
    /// One for each check that could be made.
    pub checks: Vec<DatasetCheck>,
    /// What the sender should know.
    pub warnings: Vec<EngineWarning>,
    /// Rows behind those that were read were not looked at.
    pub truncated: bool,
    /// SHA-256 of the sorted names and types of the columns, in hexadecimal.
    pub schema_fingerprint: String,
}

/// A column of the file.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct DatasetColumn {
    /// Its name.
    pub name: String,
    /// `timestamp`, `number`, `boolean`, `text`, `empty` or `other`, by its first 100,000 cells.
    #[napi(js_name = "type")]
    pub kind: String,
    /// How many of these cells are missing.
    pub nulls: f64,
}

/// One check and what it found.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct DatasetCheck {
    /// Its name in `snake_case`, e.g. `required_columns`.
    pub check: String,
    /// `passed`, `warning` or `failed`.
    pub status: String,
    /// Rows, items, gaps or columns concerned.
    pub count: f64,
    /// The first five data rows concerned, from 1.
    pub sample_rows: Vec<f64>,
    /// For people.
    pub message: String,
}

impl From<Check> for DatasetCheck {
    fn from(check: Check) -> Self {
        Self {
            check: check.name.name().to_owned(),
            status: check.status.name().to_owned(),
            count: check.count as f64,
            sample_rows: check.sample_rows.into_iter().map(|row| row as f64).collect(),
            message: check.message,
        }
    }
}

impl From<Inspection> for InspectedDataset {
    fn from(found: Inspection) -> Self {
        let number = |count: Option<u64>| count.map(|count| count as f64);
        let column = |column: tabcast_table::InspectedColumn| DatasetColumn {
            name: column.name,
            kind: column.kind.name().to_owned(),
            nulls: column.nulls as f64,
        };
        Self {
            start: found.start_text(),
            end: found.end_text(),
            row_count: number(found.rows),
            num_items: number(found.items),
            min_length: number(found.min_length),
            max_length: number(found.max_length),
            columns: found.columns.into_iter().map(column).collect(),
            inferred_frequency: found.frequency.map(|frequency| frequency.alias()),
            checks: found.checks.into_iter().map(DatasetCheck::from).collect(),
            warnings: found.warnings.into_iter().map(EngineWarning::from).collect(),
            truncated: found.truncated,
            schema_fingerprint: found.schema_fingerprint,
        }
    }
}

/// One call of `inspect`.
#[derive(Debug)]
pub struct InspectTask {
    options: Option<InspectOptions>,
    control: Arc<Control>,
}

impl InspectTask {
    fn work(&mut self) -> Result<InspectedDataset, Box<EngineFailure>> {
        let Some(options) = self.options.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        let InspectOptions { columns, limits, .. } = options;
        let options = InspectionOptions {
            input_paths: options.input_paths.into_iter().map(PathBuf::from).collect(),
            format: options.format,
            compression: options.compression,
            columns: Columns {
                item_id: columns.item_id,
                timestamp: columns.timestamp,
                target: columns.target,
                covariates: columns.covariates,
                hierarchy: options.hierarchy.map(Into::into),
            },
            freq: options.freq,
            limits: Limits {
                max_rows: limits.max_rows as u64,
                max_columns: limits.max_columns as usize,
                max_series: limits.max_series as usize,
                max_cell_chars: limits.max_cell_chars as usize,
                stop_after: limits.stop_after.map(|rows| rows as u64),
            },
            threads: options.threads as usize,
        };
        guarded(|| tabcast_forecast::inspect(options, &self.control)).map(InspectedDataset::from)
    }
}

#[napi]
impl Task for InspectTask {
    type Output = InspectReply;
    type JsValue = InspectReply;

    fn compute(&mut self) -> napi::Result<InspectReply> {
        Ok(match self.work() {
            Ok(value) => InspectReply { value: Some(value), error: None },
            Err(error) => InspectReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: InspectReply) -> napi::Result<InspectReply> {
        Ok(output)
    }
}

/// Reads the dataset and reports every check of its content, instead of the first thing that is wrong with it.
#[napi(catch_unwind)]
pub fn inspect(options: InspectOptions, task: &TaskHandle) -> AsyncTask<InspectTask> {
    AsyncTask::new(InspectTask { options: Some(options), control: task.control() })
}
