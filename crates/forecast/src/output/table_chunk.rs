use tabcast_calendar::{Frequency, Micros};
use tabcast_table::{Chunk, Run};

use crate::Failure;
use crate::history::History;
use crate::run::series_forecast::SeriesForecast;

/// Forecast rows of consecutive series, stored by column, ready to write.
#[derive(Debug)]
pub(crate) struct TableChunk<'a> {
    runs: Vec<Run<'a>>,
    timestamps: Vec<Micros>,
    /// `mean`, then one column per quantile level.
    columns: Vec<Vec<f64>>,
}

impl<'a> TableChunk<'a> {
    /// An empty chunk with `levels` quantile columns.
    pub(crate) fn new(levels: usize) -> Self {
        Self { runs: Vec::new(), timestamps: Vec::new(), columns: vec![Vec::new(); levels + 1] }
    }

    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        self.timestamps.clear();
        for column in &mut self.columns {
            column.clear();
        }
    }

    /// Appends the forecast of series `id`.
    pub(crate) fn push(
        &mut self,
        id: &'a str,
        history: &History,
        frequency: Frequency,
        series_forecast: &SeriesForecast,
    ) {
        let rows = series_forecast.mean.len();
        self.runs.push(Run { id, rows });
        self.timestamps.extend((1..=rows).map(|step| history.future(step, frequency)));
        self.columns[0].extend_from_slice(&series_forecast.mean);
        let levels = self.columns.len() - 1;
        for (level, column) in self.columns[1..].iter_mut().enumerate() {
            column.extend(series_forecast.quantiles.iter().skip(level).step_by(levels));
        }
    }

    /// The check before publishing: `horizon` rows per series, ascending stamps, finite numbers, ascending quantiles.
    pub(crate) fn verify(&self, horizon: usize) -> Result<(), Failure> {
        let rows = self.runs.len() * horizon;
        let whole = self.runs.iter().all(|run| run.rows == horizon)
            && self.timestamps.len() == rows
            && self.columns.iter().all(|column| column.len() == rows);
        if !whole {
            return Err(Failure::InvalidForecast(format!("a chunk does not have {rows} rows")));
        }
        for (run, stamps) in self.runs.iter().zip(self.timestamps.chunks(horizon)) {
            if !stamps.is_sorted_by(|a, b| a < b) {
                return Err(Failure::InvalidForecast(format!(
                    "timestamps of item {:?} do not ascend",
                    run.id
                )));
            }
        }
        for row in 0..rows {
            let finite = self.columns.iter().all(|column| column[row].is_finite());
            if !finite || !self.columns[1..].is_sorted_by(|lower, upper| lower[row] <= upper[row]) {
                let (id, step) = (self.runs[row / horizon].id, row % horizon + 1);
                let fault = if finite { "quantiles do not ascend" } else { "a value is not finite" };
                return Err(Failure::InvalidForecast(format!("{fault} at step {step} of item {id:?}")));
            }
        }
        Ok(())
    }

    /// Passes the columns to `write`.
    pub(crate) fn with<R>(&self, write: impl FnOnce(&Chunk<'_>) -> R) -> R {
        let values: Vec<&[f64]> = self.columns.iter().map(Vec::as_slice).collect();
        write(&Chunk { runs: &self.runs, timestamps: &self.timestamps, values: &values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(mean: &[f64], quantiles: &[f64]) -> TableChunk<'static> {
        let mut chunk = TableChunk::new(2);
        let daily = Frequency::parse("D").expect("D is a frequency");
        let series_forecast = SeriesForecast {
            mean: mean.to_vec(),
            quantiles: quantiles.to_vec(),
            ..SeriesForecast::default()
        };
        chunk.push("a", &History::default(), daily, &series_forecast);
        chunk
    }

    #[test]
    fn a_sound_chunk_passes() {
        assert!(chunk(&[1.0, 2.0], &[0.5, 1.5, 1.5, 2.5]).verify(2).is_ok());
    }

    #[test]
    fn what_must_not_be_published_is_named() {
        let fault = |chunk: TableChunk<'_>, horizon| match chunk.verify(horizon) {
            Err(Failure::InvalidForecast(message)) => message,
            other => panic!("expected an invalid forecast, got {other:?}"),
        };
        assert!(fault(chunk(&[1.0, 2.0], &[0.5, 1.5, 1.5, 2.5]), 3).contains("3 rows"));
        assert!(fault(chunk(&[1.0, f64::NAN], &[0.5, 1.5, 1.5, 2.5]), 2).contains("step 2 of item \"a\""));
        assert!(fault(chunk(&[1.0, 2.0], &[1.5, 0.5, 1.5, 2.5]), 2).contains("do not ascend at step 1"));
    }
}
