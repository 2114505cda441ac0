//! `preview`: the beginning of a CSV file.

use std::sync::Arc;

use napi::bindgen_prelude::{AsyncTask, Either4, Null};
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::{Control, Failure};
use tabcast_table::{Preview, PreviewCell};

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::task_handle::TaskHandle;

/// What to preview.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct PreviewOptions {
    /// A local file with the first bytes of the table.
    pub input_path: String,
    /// Whether the table goes on behind them.
    pub cut: bool,
    /// Rows to give at most.
    pub max_rows: u32,
    /// Columns that a table may have.
    pub max_columns: u32,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct PreviewReply {
    /// The first rows.
    pub value: Option<TablePreview>,
    /// Why there are none.
    pub error: Option<EngineFailure>,
}

/// A cell: nothing, `true` or `false`, a number, or text.
type CellValue = Either4<Null, bool, f64, String>;

/// The first rows of a table.
#[napi(object, object_from_js = false)]
pub struct TablePreview {
    /// Names.
    pub columns: Vec<String>,
    /// As many cells each as there are columns.
    #[napi(ts_type = "Array<Array<string | number | boolean | null>>")]
    pub rows: Vec<Vec<CellValue>>,
    /// The table goes on behind these rows.
    pub truncated: bool,
    /// What separates the cells.
    pub delimiter: String,
    /// `utf-8`, `utf-8-sig`, `utf-16le`, `utf-16be` or `windows-1252`.
    pub encoding: String,
    /// What cells are quoted with; missing where none is.
    pub quote: Option<String>,
    /// What the columns may be for.
    pub detected: DetectedColumns,
}

/// Guesses; each is missing where there is nothing to guess from.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct DetectedColumns {
    /// When.
    pub timestamp: Option<String>,
    /// What was observed.
    pub target: Option<String>,
    /// Which series.
    pub item_id: Option<String>,
    /// Canonical alias.
    pub frequency: Option<String>,
}

impl From<Preview> for TablePreview {
    fn from(preview: Preview) -> Self {
        let cell = |cell| match cell {
            PreviewCell::Empty => Either4::A(Null),
            PreviewCell::Boolean(value) => Either4::B(value),
            PreviewCell::Number(value) => Either4::C(value),
            PreviewCell::Text(text) => Either4::D(text),
        };
        let detected = preview.detected;
        Self {
            columns: preview.columns,
            rows: preview.rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect(),
            truncated: preview.truncated,
            delimiter: preview.delimiter.into(),
            encoding: preview.encoding.name().to_owned(),
            quote: preview.quote.map(String::from),
            detected: DetectedColumns {
                timestamp: detected.timestamp,
                target: detected.target,
                item_id: detected.item_id,
                frequency: detected.frequency,
            },
        }
    }
}

/// One call of `preview`.
#[derive(Debug)]
pub struct PreviewTask {
    options: tabcast_table::PreviewOptions,
    control: Arc<Control>,
}

impl PreviewTask {
    /// So little is read that a cancel counts only before it begins.
    fn work(&self) -> Result<TablePreview, Box<EngineFailure>> {
        guarded(|| {
            if self.control.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            Ok(tabcast_table::preview(&self.options)?.into())
        })
    }
}

#[napi]
impl Task for PreviewTask {
    type Output = PreviewReply;
    type JsValue = PreviewReply;

    fn compute(&mut self) -> napi::Result<PreviewReply> {
        Ok(match self.work() {
            Ok(value) => PreviewReply { value: Some(value), error: None },
            Err(error) => PreviewReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: PreviewReply) -> napi::Result<PreviewReply> {
        Ok(output)
    }
}

/// Reads the beginning of a table, whatever its encoding and delimiter.
#[napi(catch_unwind)]
pub fn preview(options: PreviewOptions, task: &TaskHandle) -> AsyncTask<PreviewTask> {
    AsyncTask::new(PreviewTask {
        options: tabcast_table::PreviewOptions {
            path: options.input_path.into(),
            cut: options.cut,
            max_rows: options.max_rows as usize,
            max_columns: options.max_columns as usize,
        },
        control: task.control(),
    })
}
