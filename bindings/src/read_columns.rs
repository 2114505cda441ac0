//! `readColumns`: some columns of a table, as arrays beside the document.

use std::sync::Arc;

use napi::bindgen_prelude::{AsyncTask, Float64Array};
use napi::{Env, Task};
use napi_derive::napi;
use serde::Serialize;
use tabcast_forecast::{Control, Failure};
use tabcast_table::{FrameOptions, Limits, Wanted, WantedColumn, WrongCells};

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::reply::{read, write};
use crate::requests::{ColumnLimits, ReadColumnsOptions};
use crate::task_handle::TaskHandle;

/// A document, and the arrays that it describes.
#[napi(object, object_from_js = false)]
pub struct ReadColumnsReply {
    /// JSON: the columns.
    pub reply: String,
    /// Their cells, in the same order. Times are milliseconds since 1970 in UTC; a timestamp without an offset counts
    /// as UTC. NaN if a cell is empty or faulty.
    pub values: Vec<Float64Array>,
}

/// Columns of equal length: the requested ones that exist in the file, times first, in the order of the request.
#[derive(Debug, Serialize, ts_rs::TS)]
pub(crate) struct TableColumns {
    pub(crate) columns: Vec<TableColumn>,
}

/// A column and its first fault.
#[derive(Debug, Serialize, ts_rs::TS)]
pub(crate) struct TableColumn {
    /// Its name.
    pub(crate) name: String,
    /// The first cell that is not empty and does not fit the purpose of its column.
    pub(crate) wrong: Option<WrongCell>,
}

/// A cell.
#[derive(Debug, Serialize, ts_rs::TS)]
pub(crate) struct WrongCell {
    /// Its data row, 1-based.
    pub(crate) row: usize,
    /// Its text.
    pub(crate) text: String,
}

/// A call of `readColumns`.
#[derive(Debug)]
pub struct ReadColumns {
    request: String,
    control: Arc<Control>,
}

impl ReadColumns {
    fn work(&self) -> Result<(TableColumns, Vec<Vec<f64>>), EngineFailure> {
        let ReadColumnsOptions { input_path, format, times, numbers, limits, threads } = read(&self.request)?;
        let ColumnLimits { max_rows, max_columns, max_cell_chars } = limits;
        let options = FrameOptions {
            paths: vec![input_path],
            format,
            compression: None,
            sheet: None,
            limits: Limits { max_rows, max_columns, max_cell_chars, ..Limits::default() },
            threads,
            cancel: self.control.cancel_flag(),
        };
        let times = times.into_iter().map(|name| (name, Wanted::Stamps));
        let numbers = numbers.into_iter().map(|name| (name, Wanted::Target));
        let wanted: Vec<(String, Wanted)> = times.chain(numbers).collect();
        let found = tabcast_table::read_columns(&options, &wanted).map_err(Failure::from)?;
        let found = wanted.into_iter().zip(found.columns).filter_map(|((name, _), column)| {
            let (values, wrong) = cells(column?);
            Some((TableColumn { name, wrong }, values))
        });
        let (columns, values) = found.unzip();
        Ok((TableColumns { columns }, values))
    }
}

fn cells(column: WantedColumn) -> (Vec<f64>, Option<WrongCell>) {
    match column {
        WantedColumn::Times(micros, wrong) => {
            let mut values: Vec<f64> = micros.into_iter().map(|micros| micros as f64 / 1e3).collect();
            for (row, _) in &wrong.rows {
                values[*row] = f64::NAN;
            }
            (values, first(&wrong))
        }
        WantedColumn::Target(values, wrong) => (values, first(&wrong)),
        WantedColumn::Numbers(values) => (values, None),
        WantedColumn::Texts(_) => unreachable!("no texts are asked for"),
    }
}

/// In a column of times, empty cells are listed among the wrong ones.
fn first(wrong: &WrongCells) -> Option<WrongCell> {
    let (row, text) = wrong.rows.iter().find(|(_, text)| !wrong.texts[*text as usize].is_empty())?;
    Some(WrongCell { row: row + 1, text: wrong.texts[*text as usize].to_string() })
}

#[napi]
impl Task for ReadColumns {
    type Output = (String, Vec<Vec<f64>>);
    type JsValue = ReadColumnsReply;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        let (columns, values) = guarded(|| self.work())
            .map_or_else(|error| (Err(error), Vec::new()), |(columns, values)| (Ok(columns), values));
        Ok((write(columns), values))
    }

    fn resolve(&mut self, _env: Env, (reply, values): Self::Output) -> napi::Result<ReadColumnsReply> {
        Ok(ReadColumnsReply { reply, values: values.into_iter().map(Float64Array::new).collect() })
    }
}

/// Reads some columns of a file as arrays of numbers, because they would be too large for a document.
#[napi(catch_unwind)]
pub fn read_columns(request: String, task: &TaskHandle) -> AsyncTask<ReadColumns> {
    AsyncTask::new(ReadColumns { request, control: task.control() })
}
