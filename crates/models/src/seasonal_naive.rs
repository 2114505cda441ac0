//! Seasonal naive: the last season repeats; without a season the last value stays (random walk).
//!
//! `y[n+h] = y[n + h - m·k]`, with `k` the smallest whole number for which the index lies inside the series. Errors are
//! those of a seasonal random walk, so the variance is `s²·k`, where `s²` is the mean squared seasonal difference
//! (Hyndman and Athanasopoulos, Forecasting: Principles and Practice, 3rd edition, section 5.5).
//!
//! Difference from the textbook: a series shorter than one season plus one value uses the random walk instead of
//! failing, so that this model always exists as the last resort.

use crate::{Fit, Forecast, Model, Series, Shape, Unfit};

/// The registry entry.
pub(crate) struct SeasonalNaive;

struct LastSeason {
    season: Vec<f64>,
    sd: f64,
    fitted: Vec<f64>,
}

impl Model for SeasonalNaive {
    fn name(&self) -> &'static str {
        "seasonal_naive"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let values = series.values;
        let lag = if series.season_length < values.len() { series.season_length.max(1) } else { 1 };
        let squares: f64 =
            values.iter().zip(&values[lag..]).map(|(before, now)| (now - before).powi(2)).sum();
        let mut fitted = vec![f64::NAN; lag];
        fitted.extend_from_slice(&values[..values.len() - lag]);
        Ok(Box::new(LastSeason {
            season: values[values.len() - lag..].to_vec(),
            sd: (squares / (values.len() - lag) as f64).sqrt(),
            fitted,
        }))
    }
}

impl Fit for LastSeason {
    fn forecast(&self, horizon: usize) -> Forecast {
        let lag = self.season.len();
        Forecast {
            mean: (0..horizon).map(|step| self.season[step % lag]).collect(),
            sd: (0..horizon).map(|step| self.sd * ((step / lag + 1) as f64).sqrt()).collect(),
            shape: Shape::Normal,
        }
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}
