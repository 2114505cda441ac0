//! The average of damped growth and of an autoregression around a trend.
//!
//! With `x` the seasonally adjusted series, in logarithms where it allows, and `d` its changes,
//!
//! ```text
//! growth:         x[n+h] = x[n] + g·(phi + phi² + ... + phi^h)
//! autoregression: x[t] = a + b·t + rho·x[t-1]
//! ```
//!
//! where `g` is the mean of the average change (clipped) and the recent average change. Unless rho is small, the
//! autoregression is replaced by a random walk with the average change, damped in the same way. The forecast is the
//! mean of the two. The variance grows by a step's share of the spread over four steps.
//!
//! Source: after Castle, Doornik and Hendry, Forecasting principles from experience with forecasting competitions,
//! Forecasting 3 (2021), 138-165, whose "Delta" and "Rho" these two follow.
//!
//! Differences from the source: `adjustment.rs` removes the season; the rules for choosing among growth rates are
//! reduced to one average; and there is no last step that fits an autoregression to series and forecasts together.

use crate::adjustment::Adjustment;
use crate::logarithm::{log_normal_moments, suits_logarithms};
use crate::{Fit, Forecast, Model, Series, Shape, Unfit};

/// The share of the growth that remains one step later.
const DAMPING: f64 = 0.9;
/// Changes are clipped at this many median absolute deviations from their median.
const FARTHEST: f64 = 3.0;
/// Number of changes that count as recent.
const RECENT: usize = 5;
/// Number of steps over which the spread of the series is measured.
const FEW: usize = 4;
/// If the autoregression's coefficient is above this, a random walk replaces it. With four recent changes, bounds of
/// .7, .5, .3 and 0 (no autoregression at all) give OWA .853, .845, .832 and .822 on 2,000 yearly M4 series, and .970,
/// .966, .971 and .988 on 1,500 quarterly.
const UNIT_ROOT: f64 = 0.3;
/// The registry entry.
pub(crate) struct DampedGrowth;

impl Model for DampedGrowth {
    fn name(&self) -> &'static str {
        "damped_growth"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let (adjustment, mut values) = Adjustment::remove(series.values, &series.usable_periods(3));
        let logarithmic = suits_logarithms(&values);
        if logarithmic {
            for value in &mut values {
                *value = value.ln();
            }
        }
        let changes: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let typical = winsorised(&changes);
        let average = mean(&typical);
        let recent = mean(&typical[typical.len().saturating_sub(RECENT)..]);
        let growth = f64::midpoint(average, recent);
        let mut fitted = vec![f64::NAN];
        fitted.extend(values[..values.len() - 1].iter().map(|value| {
            let forecast = value + DAMPING * average;
            if logarithmic { forecast.exp() } else { forecast }
        }));
        adjustment.restore_fitted(&mut fitted);
        let spread = |width: usize| {
            let sums = typical.windows(width).map(|part| part.iter().sum::<f64>() - width as f64 * average);
            sums.map(|sum| sum * sum).sum::<f64>() / (typical.len() - width).max(1) as f64
        };
        let variance = spread(1);
        // If changes cancel each other, as noise around a level does, the spread grows more slowly than that of a
        // random walk.
        let width = FEW.min(typical.len());
        let drift = if width > 1 {
            ((spread(width) - variance) / (width - 1) as f64).clamp(0.0, variance)
        } else {
            variance
        };
        let line = Trend::fit(&values).filter(|line| line.persistence < UNIT_ROOT);
        Ok(Box::new(GrowthFit {
            adjustment,
            last: values[values.len() - 1],
            average,
            growth,
            line,
            variance,
            drift,
            logarithmic,
            fitted,
        }))
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The values, with those far from the median moved towards it.
fn winsorised(values: &[f64]) -> Vec<f64> {
    let median = |mut sorted: Vec<f64>| {
        sorted.sort_by(f64::total_cmp);
        f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2])
    };
    let centre = median(values.to_vec());
    let distance = median(values.iter().map(|value| (value - centre).abs()).collect());
    // More than half of the values are equal, so only the others are informative.
    if distance <= 0.0 {
        return values.to_vec();
    }
    let farthest = FARTHEST * distance;
    values.iter().map(|value| value.clamp(centre - farthest, centre + farthest)).collect()
}

/// `x[t] = level + slope·t + persistence·x[t-1]`, with `t` counted from the last value.
struct Trend {
    level: f64,
    slope: f64,
    persistence: f64,
}

impl Trend {
    /// Least squares: regresses the residuals of `x[t]` around a line on those of `x[t-1]` (Frisch and Waugh,
    /// Econometrica 1 (1933)).
    fn fit(values: &[f64]) -> Option<Self> {
        if values.len() < 8 {
            return None;
        }
        let (now, before) = (Line::fit(&values[1..]), Line::fit(&values[..values.len() - 1]));
        let (mut cross, mut square) = (0.0, 0.0);
        for (index, pair) in values.windows(2).enumerate() {
            let back = index as f64 - (values.len() - 2) as f64;
            let rest = pair[0] - before.at(back);
            cross += rest * (pair[1] - now.at(back));
            square += rest * rest;
        }
        let persistence = (cross / square).max(0.0);
        persistence.is_finite().then_some(Self {
            level: now.end - persistence * before.end,
            slope: now.slope - persistence * before.slope,
            persistence,
        })
    }
}

/// A least-squares line, by its value at the last step.
struct Line {
    end: f64,
    slope: f64,
}

impl Line {
    fn fit(values: &[f64]) -> Self {
        let centre = 0.5 * (values.len() - 1) as f64;
        let level = mean(values);
        let (mut cross, mut square) = (0.0, 0.0);
        for (index, value) in values.iter().enumerate() {
            let time = index as f64 - centre;
            cross += time * (value - level);
            square += time * time;
        }
        let slope = cross / square;
        Self { end: level + slope * centre, slope }
    }

    fn at(&self, steps_after_end: f64) -> f64 {
        self.end + self.slope * steps_after_end
    }
}

struct GrowthFit {
    adjustment: Adjustment,
    last: f64,
    average: f64,
    growth: f64,
    /// None for a random walk.
    line: Option<Trend>,
    /// The variance of a step, and the addition of each further step.
    variance: f64,
    drift: f64,
    logarithmic: bool,
    fitted: Vec<f64>,
}

impl Fit for GrowthFit {
    fn forecast(&self, horizon: usize) -> Forecast {
        let shape = if self.logarithmic { Shape::LogNormal } else { Shape::Normal };
        let mut forecast = Forecast::with_capacity(horizon, shape);
        let (mut damped, mut damping, mut regressed) = (0.0, 1.0, self.last);
        for ahead in (1..=horizon).map(|step| step as f64) {
            damping *= DAMPING;
            damped += damping;
            regressed = match &self.line {
                Some(line) => line.level + line.slope * ahead + line.persistence * regressed,
                None => self.last + self.average * damped,
            };
            let centre = f64::midpoint(self.last + self.growth * damped, regressed);
            let variance = self.variance + (ahead - 1.0) * self.drift;
            if self.logarithmic {
                let (mean, sd) = log_normal_moments(centre, variance);
                forecast.mean.push(mean);
                forecast.sd.push(sd);
            } else {
                forecast.mean.push(centre);
                forecast.sd.push(variance.sqrt());
            }
        }
        self.adjustment.restore(&mut forecast);
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A series that returns to its trend: the regression is exact.
    #[test]
    fn a_trend_with_persistence_is_found() {
        let mut values = vec![5.0];
        for t in 1..40 {
            values.push(2.0 + 0.3 * f64::from(t) + 0.6 * values[values.len() - 1]);
        }
        let trend = Trend::fit(&values).expect("long enough");
        let expected = (2.0 + 0.3 * 39.0, 0.3, 0.6);
        assert!((trend.persistence - expected.2).abs() < 1e-6, "{}", trend.persistence);
        assert!((trend.level - expected.0).abs() < 1e-4 && (trend.slope - expected.1).abs() < 1e-4);
    }

    #[test]
    fn one_jump_does_not_become_growth() {
        let values: Vec<f64> =
            (0..30).map(|t| f64::from(t % 3) * 0.1 + if t < 15 { 10.0 } else { 30.0 }).collect();
        let forecast = DampedGrowth.fit(&Series::without_season(&values)).expect("long enough").forecast(6);
        assert!((forecast.mean[5] - 30.0).abs() < 3.0, "{:?}", forecast.mean);
    }
}
