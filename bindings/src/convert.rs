//! `convertTable`: other formats of a table that exists as Parquet.

use std::path::Path;
use std::sync::Arc;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::{Control, Failure};
use tabcast_table::{TableFormat, convert_parquet};

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::task_handle::TaskHandle;

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct ConvertReply {
    /// The file that was made.
    pub value: Option<ConvertedFile>,
    /// Why there is none.
    pub error: Option<EngineFailure>,
}

/// A finished file.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct ConvertedFile {
    /// Its size.
    pub bytes: f64,
    /// Data rows.
    pub rows: f64,
}

/// What to convert to what.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct ConvertOptions {
    /// A forecast table that `forecast` wrote.
    pub parquet_path: String,
    /// The file to make.
    pub path: String,
    /// `csv`, `json` (an array of objects) or `jsonl` (an object a line).
    pub format: String,
}

/// One call of `convertTable`.
#[derive(Debug)]
pub struct ConvertTask {
    options: ConvertOptions,
    control: Arc<Control>,
}

#[napi]
impl Task for ConvertTask {
    type Output = ConvertReply;
    type JsValue = ConvertReply;

    fn compute(&mut self) -> napi::Result<ConvertReply> {
        let ConvertOptions { parquet_path, path, format } = &self.options;
        let done = guarded(|| {
            let format = TableFormat::parse(format)
                .ok_or_else(|| Failure::Options(format!("a table cannot be converted to {format:?}")))?;
            let cancel = self.control.cancel_flag();
            convert_parquet(Path::new(parquet_path), Path::new(path), format, cancel).map_err(Failure::from)
        });
        Ok(match done {
            Ok(file) => ConvertReply {
                value: Some(ConvertedFile { bytes: file.bytes as f64, rows: file.rows as f64 }),
                error: None,
            },
            Err(error) => ConvertReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: ConvertReply) -> napi::Result<ConvertReply> {
        Ok(output)
    }
}

/// Converts a forecast table that was written as Parquet; the CSV is byte for byte what `forecast` would have written.
#[napi(catch_unwind)]
pub fn convert_table(options: ConvertOptions, task: &TaskHandle) -> AsyncTask<ConvertTask> {
    AsyncTask::new(ConvertTask { options, control: task.control() })
}
