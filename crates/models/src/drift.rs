//! Random walk with drift: continues the line through the first and the last value.
//!
//! `y[n+h] = y[n] + h·b` with `b = (y[n] - y[1]) / (n - 1)`; the variance is `s²·h·(1 + h / (n - 1))`, where `s²` is
//! that of the differences around `b` and the second term is the uncertainty of `b` (Hyndman and Athanasopoulos,
//! Forecasting: Principles and Practice, 3rd edition, section 5.5). Seasons are ignored.

use crate::{Fit, Forecast, Model, Series, Shape, Unfit};

/// The registry entry.
pub(crate) struct Drift;

struct RandomWalk {
    last: f64,
    drift: f64,
    variance: f64,
    fitted: Vec<f64>,
}

impl Model for Drift {
    fn name(&self) -> &'static str {
        "drift"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let values = series.values;
        let steps = (values.len() - 1) as f64;
        let (first, last) = (values[0], values[values.len() - 1]);
        let drift = (last - first) / steps;
        let squares: f64 = values.windows(2).map(|pair| (pair[1] - pair[0] - drift).powi(2)).sum();
        let fitted = [f64::NAN]
            .into_iter()
            .chain(values[..values.len() - 1].iter().map(|value| value + drift))
            .collect();
        Ok(Box::new(RandomWalk { last, drift, variance: squares / (steps - 1.0).max(1.0), fitted }))
    }
}

impl Fit for RandomWalk {
    fn forecast(&self, horizon: usize) -> Forecast {
        let steps = (self.fitted.len() - 1) as f64;
        let mut forecast = Forecast::with_capacity(horizon, Shape::Normal);
        for ahead in (1..=horizon).map(|step| step as f64) {
            forecast.mean.push(self.last + ahead * self.drift);
            forecast.sd.push((self.variance * ahead * (1.0 + ahead / steps)).sqrt());
        }
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}
