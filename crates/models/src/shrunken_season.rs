//! A fading level and a season that is shrunk towards it, for series of few observations.
//!
//! The level is the exponentially weighted mean, in which every observation counts [`FADING`] times as much as the next
//! one. The effect of a position of the season is `c / (c + k)` times the mean deviation of its `c` observations, with
//! `k` = [`PRIOR`]: the empirical Bayes estimate if positions differ as much as single observations do (Efron and
//! Morris, Data analysis using Stein's estimator and its generalizations, Journal of the American Statistical
//! Association 70, 1975). No trend is fitted: fewer than two seasons cannot tell it from the season.
//!
//! The variance is that of the residuals over the remaining degrees of freedom, plus that of the level and of a random
//! walk. Student's distribution is approximated by a wider normal one.

use crate::{Fit, Forecast, Model, Series, Shape, Unfit};

/// The registry entry.
pub(crate) struct ShrunkenSeason;

const FADING: f64 = 0.85;
const PRIOR: f64 = 1.0;
/// Variance of the level's steps as a fraction of the residual variance.
const WALK: f64 = 0.02;
/// First term of the expansion of Student's quantile at the ends of the central 80 % interval: `(z² + 1) / 4`.
const STUDENT: f64 = 0.66;

struct Shrunken {
    level: f64,
    /// The effect of each position of the season, starting with the first step ahead; a single position without a
    /// season.
    season: Vec<f64>,
    variance: f64,
    /// Variance of the level as a fraction of `variance`.
    uncertainty: f64,
    fitted: Vec<f64>,
}

impl Model for ShrunkenSeason {
    fn name(&self) -> &'static str {
        "shrunken_season"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let values = series.values;
        let count = values.len();
        let length = if series.season_length < count { series.season_length.max(1) } else { 1 };
        // A recursion, because a constant must be reproduced exactly.
        let (mut mean, mut level, mut total, mut squares) = (0.0, 0.0, 0.0, 0.0);
        let mut fitted = Vec::with_capacity(count);
        for (at, value) in values.iter().enumerate() {
            fitted.push(if at == 0 { f64::NAN } else { level });
            total = FADING * total + 1.0;
            squares = FADING * FADING * squares + 1.0;
            mean += (value - mean) / (at + 1) as f64;
            level += (value - level) / total;
        }
        let place = |at: usize| (at + length - count % length) % length;
        let (mut sums, mut counts) = (vec![0.0; length], vec![0.0; length]);
        for (at, value) in values.iter().enumerate() {
            sums[place(at)] += value - mean;
            counts[place(at)] += 1.0;
        }
        let is_seasonal = length > 1;
        let season: Vec<f64> = sums
            .iter()
            .zip(&counts)
            .map(|(sum, count)| if is_seasonal { sum / (count + PRIOR) } else { 0.0 })
            .collect();
        let used: f64 =
            if is_seasonal { counts.iter().map(|count| count / (count + PRIOR)).sum() } else { 0.0 };
        let left = (count as f64 - 1.0 - used).max(1.0);
        let missed = |(at, value): (usize, &f64)| (value - mean - season[place(at)]).powi(2);
        let variance = values.iter().enumerate().map(missed).sum::<f64>() / left;
        for (at, fitted) in fitted.iter_mut().enumerate() {
            *fitted += season[place(at)];
        }
        let student = (1.0 + STUDENT / left).powi(2);
        let uncertainty = squares / (total * total);
        Ok(Box::new(Shrunken { level, season, variance: variance * student, uncertainty, fitted }))
    }
}

impl Fit for Shrunken {
    fn forecast(&self, horizon: usize) -> Forecast {
        let mut forecast = Forecast::with_capacity(horizon, Shape::Normal);
        for step in 0..horizon {
            forecast.mean.push(self.level + self.season[step % self.season.len()]);
            let parts = 1.0 + self.uncertainty + WALK * (step + 1) as f64;
            forecast.sd.push((self.variance * parts).sqrt());
        }
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}
