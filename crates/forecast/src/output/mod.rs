//! The files of a run: the table as Parquet and CSV, and `report.json`.

pub(crate) mod forecast_table;
pub(crate) mod report;
pub(crate) mod table_chunk;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tabcast_table::{CsvWriter, Layout, ParquetWriter, WriteError};

use crate::output::table_chunk::TableChunk;
use crate::{Config, Control, Failure};

/// Where the forecast table goes.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[ts(rename = "ForecastOutput")]
pub struct Output {
    /// The table as Parquet; always written.
    pub parquet_path: PathBuf,
    /// The table as CSV.
    pub csv_path: PathBuf,
    /// The CSV is abandoned, and its file removed, once it would exceed this size in bytes.
    pub max_csv_bytes: u64,
    /// The report as JSON; always written.
    pub report_path: PathBuf,
    /// What stands out in the data and the forecasts, as JSON; none: no findings.
    pub findings_path: Option<PathBuf>,
    /// An existing folder for `analyses.json` and the files of the analyses; none: no analyses.
    pub analyses_dir: Option<PathBuf>,
}

/// Where the two files of the table go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TablePaths<'a> {
    pub(crate) parquet: &'a Path,
    pub(crate) csv: &'a Path,
    /// The CSV is abandoned beyond this size in bytes.
    pub(crate) max_csv_bytes: u64,
}

impl Output {
    pub(crate) fn table(&self) -> TablePaths<'_> {
        TablePaths { parquet: &self.parquet_path, csv: &self.csv_path, max_csv_bytes: self.max_csv_bytes }
    }
}

/// The columns of the table.
pub(crate) fn layout(config: &Config) -> Layout {
    Layout {
        item_id: "item_id".to_owned(),
        timestamp: "timestamp".to_owned(),
        values: std::iter::once("mean".to_owned()).chain(config.quantile_columns()).collect(),
        timestamp_format: config.timestamp_format,
    }
}

/// The two files while they are written.
#[derive(Debug)]
pub(crate) struct OutputFiles {
    parquet: ParquetWriter,
    csv: CsvWriter,
}

impl OutputFiles {
    pub(crate) fn create(paths: TablePaths<'_>, config: &Config, control: &Control) -> Result<Self, Failure> {
        let layout = layout(config);
        let TablePaths { parquet, csv, max_csv_bytes } = paths;
        Ok(Self {
            parquet: ParquetWriter::create(parquet, &layout)?.unless(control.shared_cancel_flag()),
            csv: CsvWriter::create(csv, &layout, max_csv_bytes)?.unless(control.shared_cancel_flag()),
        })
    }

    /// Appends the files of a shard; without its CSV there is none of the whole.
    pub(crate) fn append(&mut self, parquet: &Path, csv: &Path, rows: u64) -> Result<(), Failure> {
        self.parquet.append(parquet)?;
        if csv.exists() {
            self.csv.append(csv, rows)?;
        } else {
            self.csv.abandon()?;
        }
        Ok(())
    }

    /// Ends the row group, because another process may write the next shard.
    pub(crate) fn end_shard(&mut self) -> Result<(), Failure> {
        Ok(self.parquet.end_group()?)
    }

    pub(crate) fn write(&mut self, chunk: &TableChunk<'_>) -> Result<(), Failure> {
        chunk.with(|chunk| {
            self.parquet.write(chunk)?;
            self.csv.write(chunk)
        })?;
        Ok(())
    }

    /// Closes both files, checks their row counts against `rows`, and returns whether there is a CSV.
    pub(crate) fn finish(self, rows: u64) -> Result<bool, Failure> {
        let parquet = self.parquet.finish()?;
        let csv = self.csv.finish()?;
        let counts = std::iter::once(parquet.rows).chain(csv.map(|csv| csv.rows));
        for count in counts {
            if count != rows {
                return Err(Failure::InvalidForecast(format!("a file has {count} rows instead of {rows}")));
            }
        }
        Ok(csv.is_some())
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Io(source) => Self::Io { during: "writing the forecast", source },
            WriteError::Cancelled => Self::Cancelled,
            WriteError::Invalid(message) => Self::InvalidForecast(message),
        }
    }
}
