//! The forecast table while it is written: its two files, and the chunk that is being filled.

use std::ops::Range;
use std::time::Instant;

use crate::dataset::Dataset;
use crate::explaining::Kept;
use crate::history::History;
use crate::output::table_chunk::TableChunk;
use crate::output::{OutputFiles, TablePaths};
use crate::run::series_forecast::SeriesForecast;
use crate::{Config, Control, Failure};

/// Number of rows held in memory at a time. It does not depend on the number of threads, and therefore neither do the
/// bytes of the files.
const CHUNK_ROWS: usize = 65_536;

#[derive(Debug)]
pub(crate) struct ForecastTable<'a> {
    dataset: &'a Dataset,
    horizon: usize,
    files: OutputFiles,
    rows: TableChunk<'a>,
    /// Forecasts that are kept for the explanations.
    pub(crate) kept: Kept,
    /// Seconds spent on writing.
    pub(crate) writing: f64,
}

impl<'a> ForecastTable<'a> {
    pub(crate) fn create(
        paths: TablePaths<'_>,
        config: &Config,
        dataset: &'a Dataset,
        kept: Kept,
        control: &Control,
    ) -> Result<Self, Failure> {
        Ok(Self {
            dataset,
            horizon: config.horizon,
            files: OutputFiles::create(paths, config, control)?,
            rows: TableChunk::new(config.levels.len()),
            kept,
            writing: 0.0,
        })
    }

    /// Some series of the table, in ranges that are written together.
    pub(crate) fn chunks(&self, series: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let step = (CHUNK_ROWS / self.horizon).max(1);
        series.clone().step_by(step).map(move |first| first..series.end.min(first + step))
    }

    /// Ends a shard; the next one begins in a row group of its own.
    pub(crate) fn end_shard(&mut self) -> Result<(), Failure> {
        let began = Instant::now();
        self.files.end_shard()?;
        self.writing += began.elapsed().as_secs_f64();
        Ok(())
    }

    /// Checks and writes the forecasts of some series.
    pub(crate) fn write<'b>(
        &mut self,
        chunk: Range<usize>,
        forecasts: impl Iterator<Item = (&'b History, &'b SeriesForecast)>,
    ) -> Result<(), Failure> {
        let began = Instant::now();
        self.rows.clear();
        for (index, (history, series_forecast)) in chunk.zip(forecasts) {
            self.rows.push(self.dataset.id(index), history, self.dataset.frequency, series_forecast);
            self.kept.keep(index, series_forecast);
        }
        self.rows.verify(self.horizon)?;
        self.files.write(&self.rows)?;
        self.writing += began.elapsed().as_secs_f64();
        Ok(())
    }

    /// Closes the files; returns the number of rows and whether there is a CSV.
    pub(crate) fn finish(self) -> Result<(u64, bool), Failure> {
        let rows = self.dataset.series() as u64 * self.horizon as u64;
        Ok((rows, self.files.finish(rows)?))
    }
}
