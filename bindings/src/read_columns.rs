//! `readColumns`: some columns of a table, as arrays.

use std::sync::Arc;

use napi::bindgen_prelude::{AsyncTask, Float64Array};
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::{Control, Failure};
use tabcast_table::{FileFormat, FrameOptions, Limits, Wanted, WantedColumn, WrongCells};

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::task_handle::TaskHandle;

/// What to read. The names of all columns are distinct.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct ReadColumnsOptions {
    /// A local file.
    pub input_path: String,
    /// `csv`, `json`, `jsonl` or `parquet`.
    pub format: String,
    /// Columns that say when.
    pub times: Vec<String>,
    /// Columns of numbers.
    pub numbers: Vec<String>,
    /// Data rows that the file may have.
    pub max_rows: f64,
    /// Columns that the file may have.
    pub max_columns: u32,
    /// Characters that a cell may have.
    pub max_cell_chars: u32,
    /// Threads of this call; results do not depend on it.
    pub threads: u32,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct ReadColumnsReply {
    /// The columns.
    pub value: Option<TableColumns>,
    /// Why there are none.
    pub error: Option<EngineFailure>,
}

/// Columns of equal length.
#[napi(object, object_from_js = false)]
pub struct TableColumns {
    /// Data rows.
    pub rows: f64,
    /// Those of the columns asked for that the file has, times first, in the order of the options.
    pub columns: Vec<TableColumn>,
}

/// A column, and what is wrong with it.
#[napi(object, object_from_js = false)]
pub struct TableColumn {
    /// Its name.
    pub name: String,
    /// Of times, milliseconds since 1970 in UTC, a stamp without an offset being one of UTC; NaN where a cell is empty or wrong.
    pub values: Float64Array,
    /// The first cell that is neither empty nor what its column is read for.
    pub wrong: Option<WrongCell>,
}

/// A cell.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct WrongCell {
    /// Its data row, from 1.
    pub row: f64,
    /// What it says.
    pub text: String,
}

/// A column before it is JavaScript's.
#[derive(Debug)]
pub struct ReadColumn {
    name: String,
    values: Vec<f64>,
    wrong: Option<WrongCell>,
}

/// One call of `readColumns`.
#[derive(Debug)]
pub struct ReadColumnsTask {
    options: ReadColumnsOptions,
    control: Arc<Control>,
}

impl ReadColumnsTask {
    fn work(&self) -> Result<(usize, Vec<ReadColumn>), Box<EngineFailure>> {
        guarded(|| {
            let ReadColumnsOptions { input_path, format, times, numbers, .. } = &self.options;
            let options = FrameOptions {
                paths: vec![input_path.into()],
                format: FileFormat::from_name(format)
                    .ok_or_else(|| Failure::Options(format!("format cannot be {format:?}")))?,
                compression: None,
                sheet: None,
                limits: Limits {
                    max_rows: self.options.max_rows as u64,
                    max_columns: self.options.max_columns as usize,
                    max_cell_chars: self.options.max_cell_chars as usize,
                    ..Limits::default()
                },
                threads: self.options.threads as usize,
                cancel: self.control.cancel_flag(),
            };
            let times = times.iter().map(|name| (name.clone(), Wanted::Stamps));
            let numbers = numbers.iter().map(|name| (name.clone(), Wanted::Target));
            let wanted: Vec<(String, Wanted)> = times.chain(numbers).collect();
            let read = tabcast_table::read_columns(&options, &wanted)?;
            let found = wanted.into_iter().zip(read.columns);
            let columns = found.filter_map(|((name, _), column)| Some(to_column(name, column?))).collect();
            Ok::<_, Failure>((read.rows, columns))
        })
    }
}

fn to_column(name: String, column: WantedColumn) -> ReadColumn {
    match column {
        WantedColumn::Times(micros, wrong) => {
            let mut values: Vec<f64> = micros.into_iter().map(|micros| micros as f64 / 1e3).collect();
            for (row, _) in &wrong.rows {
                values[*row] = f64::NAN;
            }
            ReadColumn { name, values, wrong: first(&wrong) }
        }
        WantedColumn::Target(values, wrong) => ReadColumn { name, values, wrong: first(&wrong) },
        WantedColumn::Numbers(values) => ReadColumn { name, values, wrong: None },
        WantedColumn::Texts(_) => unreachable!("no texts are asked for"),
    }
}

/// Empty cells are listed among the wrong ones of a column of times.
fn first(wrong: &WrongCells) -> Option<WrongCell> {
    let (row, text) = wrong.rows.iter().find(|(_, text)| !wrong.texts[*text as usize].is_empty())?;
    Some(WrongCell { row: (row + 1) as f64, text: wrong.texts[*text as usize].to_string() })
}

#[napi]
impl Task for ReadColumnsTask {
    type Output = Result<(usize, Vec<ReadColumn>), Box<EngineFailure>>;
    type JsValue = ReadColumnsReply;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        Ok(self.work())
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> napi::Result<ReadColumnsReply> {
        Ok(match output {
            Ok((rows, columns)) => {
                let columns = columns.into_iter().map(|ReadColumn { name, values, wrong }| TableColumn {
                    name,
                    values: Float64Array::new(values),
                    wrong,
                });
                let value = TableColumns { rows: rows as f64, columns: columns.collect() };
                ReadColumnsReply { value: Some(value), error: None }
            }
            Err(error) => ReadColumnsReply { value: None, error: Some(*error) },
        })
    }
}

/// Reads some columns of a file as arrays of numbers.
#[napi(catch_unwind)]
pub fn read_columns(options: ReadColumnsOptions, task: &TaskHandle) -> AsyncTask<ReadColumnsTask> {
    AsyncTask::new(ReadColumnsTask { options, control: task.control() })
}
