//! Decomposition into trend and any number of seasons, which are forecast separately.
//!
//! Local regression removes the seasons of all significant lengths (`tabcast_statistics::decompose_seasons`), in
//! logarithms if the series allows. The dynamic optimised theta model (`theta/mod.rs`) forecasts what remains, trend
//! and remainder together. The forecast of a season is its smoothed mean, phase by phase: with `z` the season and the
//! remainder of the last cycle,
//!
//! ```text
//! s = s + g·(z - s)
//! ```
//!
//! once a cycle, where the gain `g` falls from 1 to gamma.
//!
//! Sources: Bandara, Hyndman and Bergmeir, MSTL: a seasonal-trend decomposition algorithm for time series with multiple
//! seasonal patterns, 2021, arXiv:2107.13462; R. B. Cleveland et al., STL: a seasonal-trend decomposition procedure
//! based on loess, Journal of Official Statistics 6 (1990).
//!
//! Differences from the sources:
//!
//! - They repeat the last cycle of the season, which follows the noise of a few cycles and adapts too quickly if the
//!   season is steady. gamma is chosen for each season by its errors one cycle ahead; a season that forecasts its own
//!   cycles worse than zero would is left out of the forecast. OWA: hourly M4 .580 to .539, weekly .820 to .792; sMAPE
//!   of NN5 27.1 to 22.3.
//! - A season must pass the significance test of the theta method.
//! - The error of the season one cycle ahead, as far as it exceeds the remainder, is added to the forecast variance.

use tabcast_statistics::{StlWorkspace, decompose_seasons, has_season};

use crate::logarithm::{log_normal_moments, suits_logarithms};
use crate::phases::{best_phases, squares};
use crate::theta::DynamicOptimisedTheta;
use crate::{Fit, Forecast, Model, Series, Shape, Unfit};

/// Number of rounds, in each of which every season is estimated after removing the others, as in the source.
const ROUNDS: usize = 2;
/// The registry entry.
pub(crate) struct Mstl;

impl Model for Mstl {
    fn name(&self) -> &'static str {
        "mstl"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let logarithmic = suits_logarithms(series.values);
        let mut rest = series.values.to_vec();
        if logarithmic {
            for value in &mut rest {
                *value = value.ln();
            }
        }
        let mut periods = series.usable_periods(3);
        periods.retain(|&period| has_season(&rest, period));
        let mut work = StlWorkspace::default();
        let seasons = decompose_seasons(&mut rest, &periods, ROUNDS, &mut work);
        let remainder: Vec<f64> =
            if periods.is_empty() { Vec::new() } else { difference(&rest, &work.trend).collect() };
        let ahead: Vec<SeasonAhead> = periods
            .iter()
            .zip(&seasons)
            .map(|(&period, season)| SeasonAhead::forecast(season, &remainder, period))
            .collect();
        let trend = DynamicOptimisedTheta.fit(&Series::without_season(&rest))?;
        let mut fitted = trend.fitted().to_vec();
        for season in &seasons {
            for (value, season) in fitted.iter_mut().zip(season) {
                *value += season;
            }
        }
        if logarithmic {
            for value in &mut fitted {
                *value = value.exp();
            }
        }
        Ok(Box::new(MstlFit { trend, ahead, logarithmic, fitted }))
    }
}

fn difference<'a>(values: &'a [f64], less: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    values.iter().zip(less).map(|(value, less)| value - less)
}

/// The forecast of one season.
struct SeasonAhead {
    /// One cycle, from the first step ahead.
    cycle: Vec<f64>,
    /// How much the variance of errors one cycle ahead exceeds that of the remainder.
    variance: f64,
}

impl SeasonAhead {
    fn forecast(season: &[f64], remainder: &[f64], period: usize) -> Self {
        let values: Vec<f64> = season.iter().zip(remainder).map(|(season, noise)| season + noise).collect();
        let (sum, state) = best_phases(&values, period);
        let mean = state.iter().sum::<f64>() / period as f64;
        Self {
            cycle: (0..period).map(|step| state[(values.len() + step) % period] - mean).collect(),
            variance: ((sum - squares(&remainder[period..])) / (values.len() - period) as f64).max(0.0),
        }
    }
}

struct MstlFit {
    trend: Box<dyn Fit>,
    ahead: Vec<SeasonAhead>,
    logarithmic: bool,
    fitted: Vec<f64>,
}

impl Fit for MstlFit {
    fn forecast(&self, horizon: usize) -> Forecast {
        let mut forecast = self.trend.forecast(horizon);
        for (step, (mean, sd)) in forecast.mean.iter_mut().zip(&mut forecast.sd).enumerate() {
            *mean += self.ahead.iter().map(|season| season.cycle[step % season.cycle.len()]).sum::<f64>();
            *sd = sd.hypot(self.ahead.iter().map(|season| season.variance).sum::<f64>().sqrt());
            if self.logarithmic {
                (*mean, *sd) = log_normal_moments(*mean, *sd * *sd);
            }
        }
        if self.logarithmic {
            forecast.shape = Shape::LogNormal;
        }
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half-hourly values with a daily and a weekly season: long seasons in a history of a few weeks.
    #[test]
    fn seasons_of_48_and_336_steps_are_forecast() {
        let noise = |t: usize| ((t * t * 37 + t * 11) % 101) as f64 / 101.0 - 0.5;
        let truth = |t: usize| {
            let day = (t % 48) as f64 * std::f64::consts::TAU / 48.0;
            100.0 + 10.0 * day.sin() - if t / 48 % 7 >= 5 { 30.0 } else { 0.0 }
        };
        let values: Vec<f64> = (0..336 * 5 + 100).map(|t| truth(t) + noise(t)).collect();
        let series = Series { season_length: 48, periods: &[48, 336], ..Series::without_season(&values) };
        let forecast = Mstl.fit(&series).expect("long enough").forecast(336);
        let errors = (0..336).map(|step| (forecast.mean[step] - truth(values.len() + step)).abs());
        let mean = errors.sum::<f64>() / 336.0;
        assert!(mean < 1.0, "{mean}");
    }
}
