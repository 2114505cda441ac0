//! The files of a run: the table as Parquet and CSV, and `report.json`.

pub(crate) mod forecast_table;
pub(crate) mod report;
pub(crate) mod table_chunk;

use std::path::PathBuf;

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

/// The two files while they are written.
#[derive(Debug)]
pub(crate) struct OutputFiles {
    parquet: ParquetWriter,
    csv: CsvWriter,
}

impl OutputFiles {
    pub(crate) fn create(output: &Output, config: &Config, control: &Control) -> Result<Self, Failure> {
        let layout = Layout {
            item_id: "item_id".to_owned(),
            timestamp: "timestamp".to_owned(),
            values: std::iter::once("mean".to_owned()).chain(config.quantile_columns()).collect(),
            timestamp_format: config.timestamp_format,
        };
        Ok(Self {
            parquet: ParquetWriter::create(&output.parquet_path, &layout)?
                .unless(control.shared_cancel_flag()),
            csv: CsvWriter::create(&output.csv_path, &layout, output.max_csv_bytes)?
                .unless(control.shared_cancel_flag()),
        })
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
