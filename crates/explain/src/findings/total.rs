//! The sum of the series.

use serde::Serialize;

use super::input::usable;
use super::{Counts, Forecast, Series, SeriesFindings, find};

/// The findings in the sum of the series that reach the newest step; intervals and backtests are not added up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Total {
    /// Number of series in the sum.
    pub series: usize,
    /// The findings in the sum.
    pub findings: SeriesFindings,
}

/// A step only counts if this share of the series has begun; later starts would look like growth.
const BEGUN: f64 = 0.95;
/// Maximum number of steps of the sum, back from the newest.
const LONGEST: usize = 4096;

/// A sum under construction.
#[derive(Debug, Default)]
pub(super) struct Sum {
    /// By steps back from the newest: the sum, and its number of series.
    back: Vec<(f64, usize)>,
    forecast: Vec<f64>,
    /// Regressors by steps back, each centred and multiplied by the size of its series.
    regressors: Vec<Vec<f64>>,
    series: usize,
    newest: usize,
    season_length: usize,
}

impl Sum {
    /// Adds a series that reaches the newest step and has a forecast of the same length as the others.
    pub(super) fn add(&mut self, series: &Series<'_>) {
        let (history, mean) = (series.history, series.forecast.mean);
        let last = (series.start + history.len()).wrapping_sub(1);
        let Some(first) = history.iter().position(|value| usable(*value)) else { return };
        let fits = self.series == 0 || mean.len() == self.forecast.len();
        let is_known = mean.iter().all(|mean| usable(*mean));
        if last != series.newest || !history.last().is_some_and(|last| usable(*last)) || !fits || !is_known {
            return;
        }
        if self.series == 0 {
            self.forecast = vec![0.0; mean.len()];
            self.regressors = vec![Vec::new(); series.regressors.len()];
            (self.newest, self.season_length) = (series.newest, series.season_length);
        }
        self.series += 1;
        let length = (history.len() - first).min(LONGEST);
        if self.back.len() < length {
            self.back.resize(length, (0.0, 0));
        }
        // A missing value counts as the next observed one.
        let mut known = 0.0;
        for (sum, value) in self.back.iter_mut().zip(history[first..].iter().rev()) {
            known = if usable(*value) { *value } else { known };
            sum.0 += known;
            sum.1 += 1;
        }
        for (sum, mean) in self.forecast.iter_mut().zip(mean) {
            *sum += mean;
        }
        self.add_regressors(series, first, length);
    }

    fn add_regressors(&mut self, series: &Series<'_>, first: usize, length: usize) {
        let history = &series.history[first..];
        let steps = history.len() as f64;
        let size =
            history.iter().filter(|value| usable(**value)).map(|value| value.abs() / steps).sum::<f64>();
        for (sums, column) in self.regressors.iter_mut().zip(series.regressors) {
            let Some(column) = column.get(first..series.history.len()) else { continue };
            let mean = column.iter().map(|value| value / steps).sum::<f64>();
            if sums.len() < length {
                sums.resize(length, 0.0);
            }
            for (sum, value) in sums.iter_mut().zip(column.iter().rev()) {
                *sum += (value - mean) * size;
            }
        }
    }

    /// None for fewer than two series.
    pub(super) fn finish(&self) -> Option<Total> {
        if self.series < 2 {
            return None;
        }
        let least = BEGUN * self.series as f64;
        let length = self.back.iter().take_while(|(_, series)| *series as f64 >= least).count();
        let history: Vec<f64> = self.back[..length].iter().rev().map(|(sum, _)| *sum).collect();
        let newest_last = |sums: &Vec<f64>| -> Vec<f64> {
            (0..length).rev().map(|back| sums.get(back).copied().unwrap_or(0.0)).collect()
        };
        let regressors: Vec<Vec<f64>> = self.regressors.iter().map(newest_last).collect();
        let findings = find(&Series {
            start: self.newest + 1 - length,
            history: &history,
            regressors: &regressors,
            season_length: self.season_length,
            newest: self.newest,
            counts: Counts::default(),
            forecast: Forecast { mean: &self.forecast, ..Forecast::default() },
            backtest: None,
        });
        Some(Total { series: self.series, findings })
    }
}
