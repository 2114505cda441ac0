//! `prepare`: the rows of a dataset, filtered, grouped, combined and mended before they are forecast.

use std::sync::Arc;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_calendar::write_iso8601;
use tabcast_forecast::{Control, Stage};
use tabcast_preparation::{AnomalyExample, Failure, FilteredRows, Request, Summary};
use tabcast_table::{Columns, HierarchyColumns};

use crate::check::EngineWarning;
use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::options::DatasetOptions;
use crate::task_handle::TaskHandle;

/// What to do with the rows, every choice made.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct PreparationOptions {
    /// Rows are used for which all of them hold.
    pub filters: Vec<RowFilterOptions>,
    /// Columns whose values together name a series; empty: all rows are one. Missing: the item id names it.
    pub series_columns: Option<Vec<String>>,
    /// Pandas alias of the steps that rows are combined into; missing: rows keep their times.
    pub step: Option<String>,
    /// How the rows of a step become one: `sum`, `mean`, `max` or `min`.
    pub aggregate: String,
    /// How rows of one time become one before that, the same names; missing: as `aggregate`.
    pub across: Option<String>,
    /// `ffill`, `bfill`, `interpolate`, `zero`, `mean`, `drop` or `none`.
    pub missing: String,
    /// `none`, `flag`, `clip`, `interpolate` or `remove`.
    pub anomalies: String,
}

/// A condition on the cells of a column.
#[napi(object)]
#[derive(Debug)]
pub struct RowFilterOptions {
    /// Any column of the table.
    pub column: String,
    /// `eq`, `ne`, `in`, `not_in`, `gt`, `gte`, `lt`, `lte`, `contains` or `between`.
    pub op: String,
    /// Two of `between`, one or more of `in` and `not_in`, else one.
    pub values: Vec<String>,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct PrepareReply {
    /// What was done.
    pub value: Option<PrepareSummary>,
    /// Why nothing was written.
    pub error: Option<EngineFailure>,
}

/// What was done with the rows, in counts.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct PrepareSummary {
    /// Rows of the table.
    pub rows_read: f64,
    /// Those for which all filters hold.
    pub rows_used: f64,
    /// Rows of the file that was written.
    pub rows_written: f64,
    /// Of each filter, in their order.
    pub filtered: Vec<FilteredRowCount>,
    /// Series that the rows of the table belong to.
    pub series_before: f64,
    /// Series of the file that was written.
    pub series_after: f64,
    /// Used rows that became one with an earlier row of their series and step.
    pub rows_combined: f64,
    /// Of these, the ones of the same time as an earlier one of their series.
    pub rows_combined_across: f64,
    /// Periods at the ends of the data that these do not cover wholly, 0 to 2.
    pub incomplete_periods_dropped: f64,
    /// Steps that were given a value.
    pub steps_filled: f64,
    /// Steps that were left out.
    pub steps_dropped: f64,
    /// Values that stand out.
    pub anomalies: PreparedAnomalies,
    /// What the sender should know.
    pub warnings: Vec<EngineWarning>,
}

/// Rows that a filter took out.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct FilteredRowCount {
    /// Of the filter.
    pub column: String,
    /// Of the filter.
    pub op: String,
    /// Of the filter.
    pub values: Vec<String>,
    /// Rows for which it is the first filter that does not hold.
    pub rows: f64,
}

/// Values that stand out.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct PreparedAnomalies {
    /// How many.
    pub found: f64,
    /// How many of them have another value now, or none.
    pub changed: f64,
    /// The first 20.
    pub examples: Vec<PreparedAnomaly>,
}

/// A value that stands out.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct PreparedAnomaly {
    /// Its series.
    pub item_id: String,
    /// Its step, ISO 8601.
    pub timestamp: String,
    /// What it is in the data.
    pub value: f64,
    /// What was used in its place; missing: nothing was.
    pub used_instead: Option<f64>,
}

impl From<Summary> for PrepareSummary {
    fn from(summary: Summary) -> Self {
        Self {
            rows_read: summary.rows_read as f64,
            rows_used: summary.rows_used as f64,
            rows_written: summary.rows_written as f64,
            filtered: summary.filtered.into_iter().map(FilteredRowCount::from).collect(),
            series_before: summary.series_before as f64,
            series_after: summary.series_after as f64,
            rows_combined: summary.rows_combined as f64,
            rows_combined_across: summary.rows_combined_across as f64,
            incomplete_periods_dropped: summary.incomplete_periods_dropped as f64,
            steps_filled: summary.steps_filled as f64,
            steps_dropped: summary.steps_dropped as f64,
            anomalies: PreparedAnomalies {
                found: summary.anomalies.found as f64,
                changed: summary.anomalies.changed as f64,
                examples: summary.anomalies.examples.into_iter().map(PreparedAnomaly::from).collect(),
            },
            warnings: summary.warnings.into_iter().map(EngineWarning::from).collect(),
        }
    }
}

impl From<FilteredRows> for FilteredRowCount {
    fn from(FilteredRows { column, op, values, rows }: FilteredRows) -> Self {
        Self { column, op: op.name().to_owned(), values, rows: rows as f64 }
    }
}

impl From<AnomalyExample> for PreparedAnomaly {
    fn from(AnomalyExample { item_id, timestamp, value, used_instead }: AnomalyExample) -> Self {
        let mut text = Vec::new();
        write_iso8601(timestamp, &mut text);
        Self { item_id, timestamp: String::from_utf8_lossy(&text).into_owned(), value, used_instead }
    }
}

/// The request that the two options are.
pub(crate) fn request(dataset: DatasetOptions, preparation: PreparationOptions, output: &str) -> Request {
    let hierarchy = dataset.reconciliation.as_ref().filter(|options| !options.hierarchy_columns.is_empty());
    let hierarchy = hierarchy.map(|options| HierarchyColumns {
        columns: options.hierarchy_columns.clone(),
        separator: options.separator.clone(),
        total_label: options.total_label.clone(),
    });
    let options = dataset.options(None);
    Request {
        input_paths: options.input_paths,
        format: options.format,
        compression: options.compression,
        sheet: options.sheet,
        columns: Columns { hierarchy, ..options.columns },
        freq: options.freq,
        limits: options.limits,
        threads: options.threads,
        filters: preparation
            .filters
            .into_iter()
            .map(|RowFilterOptions { column, op, values }| (column, op, values))
            .collect(),
        series_columns: preparation.series_columns,
        step: preparation.step,
        aggregate: preparation.aggregate,
        across: preparation.across,
        missing: preparation.missing,
        anomalies: preparation.anomalies,
        output: output.into(),
    }
}

/// One call of `prepare`.
#[derive(Debug)]
pub struct PrepareTask {
    work: Option<(DatasetOptions, PreparationOptions, String)>,
    control: Arc<Control>,
}

impl PrepareTask {
    fn work(&mut self) -> Result<PrepareSummary, Box<EngineFailure>> {
        let Some((dataset, preparation, path)) = self.work.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        self.control.enter(Stage::Ingest);
        guarded(|| {
            let options = request(dataset, preparation, &path).resolve(self.control.cancel_flag())?;
            Ok::<_, Failure>(tabcast_preparation::prepare(&options)?.into())
        })
    }
}

#[napi]
impl Task for PrepareTask {
    type Output = PrepareReply;
    type JsValue = PrepareReply;

    fn compute(&mut self) -> napi::Result<PrepareReply> {
        Ok(match self.work() {
            Ok(value) => PrepareReply { value: Some(value), error: None },
            Err(error) => PrepareReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: PrepareReply) -> napi::Result<PrepareReply> {
        Ok(output)
    }
}

/// Writes the prepared rows of the dataset to `path`, as Parquet with the columns of the dataset that are needed.
#[napi(catch_unwind)]
pub fn prepare(
    dataset: DatasetOptions,
    preparation: PreparationOptions,
    path: String,
    task: &TaskHandle,
) -> AsyncTask<PrepareTask> {
    AsyncTask::new(PrepareTask { work: Some((dataset, preparation, path)), control: task.control() })
}
