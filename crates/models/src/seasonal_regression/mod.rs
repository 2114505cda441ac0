//! Direct ridge regressions of the deviations from the usual season, with measured quantiles.
//!
//! The whole cycles of the primary season are the rows of a table that ends with the series; on hourly data, its days.
//! Each day has a usual course, a mean of the days so far that forgets exponentially, and a usual size of the
//! deviations from it at each phase ([`days`]). A deviation that lies `j` days ahead,
//!
//! ```text
//! z[d + j, p] = (y[d + j, p] - usual[d, p]) / size[d, p]
//! ```
//!
//! is regressed on what is known at the end of day `d` ([`features`]): usual courses with other memories, today and
//! yesterday at the same phase, the same day of earlier weeks, the means of the last steps, and the path of an
//! autoregression of the deviations. There is one regression for each day ahead and each of 24 blocks of phases
//! ([`ridge`]); its penalty is chosen by blocked cross-validation, and the quantiles of the errors of that
//! cross-validation are the quantiles of the forecast. So the forecast returns to the usual course as fast as the data
//! say, and its intervals grow only as far as the errors did.
//!
//! Sources: direct forecasts of each step, Marcellino, Stock and Watson (Journal of Econometrics 135, 2006); ridge
//! regression, Hoerl and Kennard (Technometrics 12, 1970); quantiles of held-back errors, Lei et al. (JASA 113, 2018);
//! the largest penalty within one standard error, Breiman et al. (Classification and regression trees, 1984).

mod days;
mod features;
mod ridge;
mod short_memory;

use self::days::Days;
use self::features::Features;
use self::ridge::regress;
use crate::forecast::LEVELS;
use crate::{Fit, Forecast, Model, Series, Shape, Unfit};

/// Shorter cycles have too few phases.
const SHORTEST_CYCLE: usize = 13;
/// With fewer days, an autoregression is as good: on M4 hourly, 29 to 40 days, a share of this model costs .6 % MASE.
const FEWEST_DAYS: usize = 50;
/// Older steps are not used.
const MOST_STEPS: usize = 60_000;
const MOST_DAYS: usize = 400;
/// Number of blocks of phases in a cycle.
const BLOCKS: usize = 24;
/// Cycles in the longer season of a series without one.
const DEFAULT_WEEK: usize = 7;
/// Forecasts leave the range of the history by at most this share of it.
const BEYOND: f64 = 0.1;

/// The registry entry.
pub(crate) struct SeasonalRegression;

impl Model for SeasonalRegression {
    fn name(&self) -> &'static str {
        "seasonal_regression"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let season = series.season_length;
        let count = (series.len() / season.max(1)).min(MOST_DAYS).min(MOST_STEPS / season.max(1));
        if season < SHORTEST_CYCLE || count < FEWEST_DAYS {
            return Err(Unfit {
                reason: "there is no primary season of thirteen steps or more, fifty times over",
            });
        }
        let longer = series
            .usable_periods(2)
            .into_iter()
            .find(|&period| period > season && period.is_multiple_of(season));
        let values = &series.values[series.len() - count * season..];
        Ok(Box::new(SeasonalRegressionFit {
            days: Days::new(values, season),
            week: longer.map_or(DEFAULT_WEEK, |period| period / season),
            fitted: vec![f64::NAN; series.len()],
        }))
    }
}

struct SeasonalRegressionFit {
    days: Days,
    /// Days in the next longer season.
    week: usize,
    fitted: Vec<f64>,
}

impl Fit for SeasonalRegressionFit {
    fn forecast(&self, horizon: usize) -> Forecast {
        let days = &self.days;
        let season = days.season;
        let features = Features::new(days, self.week, horizon);
        let (lowest, highest) = days.range();
        let slack = (highest - lowest) * BEYOND;
        let floor = if lowest >= 0.0 { 0.0 } else { lowest - slack };
        let hold = |value: f64| value.clamp(floor, highest + slack);
        let mut forecast = Forecast::with_capacity(horizon, Shape::Normal);
        let mut offsets = Vec::with_capacity(horizon * LEVELS.len());
        let width = (season / BLOCKS).max(1);
        let mut step = 0;
        while step < horizon {
            let (ahead, first) = (step / season + 1, step % season);
            let phases = first..(first / width * width + width).min(season).min(first + horizon - step);
            let block = regress(&features, ahead, phases.clone());
            for (phase, centre) in phases.zip(&block.centres) {
                let (usual, size) = days.last(phase);
                let at = |deviation: f64| hold(usual + size * (centre + deviation));
                let mean = at(block.mean);
                forecast.mean.push(mean);
                let quantiles = block.quantiles.map(at);
                let spread = (quantiles[UPPER] - quantiles[LOWER]) / BAND_WIDTH;
                forecast.sd.push(spread);
                offsets.extend(quantiles.map(|quantile| quantile - mean));
                step += 1;
            }
        }
        forecast.shape = Shape::Measured(offsets);
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}

/// Where the levels of the central 80 % interval are.
const LOWER: usize = 2;
const UPPER: usize = LEVELS.len() - 1 - LOWER;
/// Width of the central 80 % interval of a normal distribution in standard deviations.
const BAND_WIDTH: f64 = 2.563_103_131_089_201;
