//! `convertToCsv`: the CSV of a table that exists as Parquet.

use std::path::Path;
use std::sync::Arc;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::{Control, Failure};
use tabcast_table::csv_from_parquet;

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

/// One call of `convertToCsv`.
#[derive(Debug)]
pub struct ConvertTask {
    parquet_path: String,
    csv_path: String,
    control: Arc<Control>,
}

#[napi]
impl Task for ConvertTask {
    type Output = ConvertReply;
    type JsValue = ConvertReply;

    fn compute(&mut self) -> napi::Result<ConvertReply> {
        let (parquet, csv) = (Path::new(&self.parquet_path), Path::new(&self.csv_path));
        let done =
            guarded(|| csv_from_parquet(parquet, csv, self.control.cancel_flag()).map_err(Failure::from));
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

/// Makes the CSV of a forecast table that was written as Parquet only, byte for byte as `forecast` would have.
#[napi(catch_unwind)]
pub fn convert_to_csv(parquet_path: String, csv_path: String, task: &TaskHandle) -> AsyncTask<ConvertTask> {
    AsyncTask::new(ConvertTask { parquet_path, csv_path, control: task.control() })
}
