//! A fitted exponential smoothing form and its forecast distribution.

use super::form::{Error, Form, Season, Smoothing};
use super::state::State;
use crate::adjustment::Adjustment;
use crate::{Fit, Forecast, Shape};

pub(crate) struct SmoothingFit {
    form: Form,
    smoothing: Smoothing,
    /// The state after the last value.
    end: State,
    /// The variance of one-step errors: absolute for additive errors, relative for multiplicative ones.
    variance: f64,
    adjustment: Adjustment,
    fitted: Vec<f64>,
}

impl SmoothingFit {
    /// Runs the form over the series; `degrees` is the number of quantities that were estimated for it.
    pub(crate) fn run(
        form: Form,
        smoothing: Smoothing,
        start: State,
        values: &[f64],
        adjustment: Adjustment,
        degrees: usize,
    ) -> Self {
        let mut state = start;
        let mut fitted = Vec::with_capacity(values.len());
        let mut squares = 0.0;
        for (step, &value) in values.iter().enumerate() {
            let forecast = state.forecast(form, &smoothing, step);
            let error = match form.error {
                Error::Additive => value - forecast,
                Error::Multiplicative => value / forecast - 1.0,
            };
            squares += error * error;
            fitted.push(forecast);
            state.observe(form, &smoothing, step, value);
        }
        adjustment.restore_fitted(&mut fitted);
        let variance = squares / values.len().saturating_sub(degrees).max(1) as f64;
        Self { form, smoothing, end: state, variance, adjustment, fitted }
    }

    /// The squared effect of an error on the forecast 1, 2, ... steps later: `alpha + beta · (phi + ... + phi^j)`, plus
    /// gamma when the same phase returns.
    fn squared_responses(&self, horizon: usize) -> impl Iterator<Item = f64> {
        let Smoothing { alpha, beta, gamma, phi } = self.smoothing;
        let period = self.end.season.len();
        (1..=horizon).scan((1.0, 0.0), move |(power, sum), later| {
            *power *= phi;
            *sum += *power;
            let same_phase = period > 0 && later.is_multiple_of(period);
            let response = alpha + beta * *sum + if same_phase { gamma } else { 0.0 };
            Some(response * response)
        })
    }

    /// Class 1 of the source: linear, with errors of one variance.
    fn additive_sds(&self, horizon: usize) -> Vec<f64> {
        let mut sum = 1.0;
        self.squared_responses(horizon)
            .map(|square| {
                let sd = (self.variance * sum).sqrt();
                sum += square;
                sd
            })
            .collect()
    }

    /// Classes 2 (factors of 1) and 3 of the source: the second moment of the adjusted series follows a recursion. For
    /// class 3 the source multiplies it by the season's own uncertainty once per cycle. Here, an error's effect on the
    /// season a cycle later is added to its effect on the level, because they are the same error and move the forecast
    /// in the same way.
    fn multiplicative_sds(&self, trends: &[f64], factors: &[f64]) -> Vec<f64> {
        let squares: Vec<f64> = self.squared_responses(trends.len()).collect();
        let mut moments: Vec<f64> = Vec::with_capacity(trends.len());
        let mut sds = Vec::with_capacity(trends.len());
        for (trend, factor) in trends.iter().zip(factors) {
            let spread: f64 =
                squares.iter().zip(moments.iter().rev()).map(|(square, moment)| square * moment).sum();
            let moment = trend * trend + self.variance * spread;
            moments.push(moment);
            let variance = moment * (1.0 + self.variance) - trend * trend;
            sds.push(factor.abs() * variance.max(0.0).sqrt());
        }
        sds
    }
}

impl Fit for SmoothingFit {
    fn forecast(&self, horizon: usize) -> Forecast {
        let mut trends = Vec::with_capacity(horizon);
        let (mut level, mut slope) = (self.end.level, self.end.slope);
        for _ in 0..horizon {
            slope *= self.smoothing.phi;
            level += slope;
            trends.push(level);
        }
        let next = self.fitted.len();
        let season = |step: usize| self.end.season[(next + step) % self.end.season.len()];
        let ones = || vec![1.0; horizon];
        let (trends, factors) = match self.form.season {
            Season::None => (trends, ones()),
            Season::Additive => {
                (trends.iter().enumerate().map(|(step, trend)| trend + season(step)).collect(), ones())
            }
            Season::Multiplicative => (trends, (0..horizon).map(season).collect()),
        };
        let (sd, shape) = match self.form.error {
            Error::Additive => (self.additive_sds(horizon), Shape::Normal),
            Error::Multiplicative => (self.multiplicative_sds(&trends, &factors), Shape::LogNormal),
        };
        let mean = trends.iter().zip(&factors).map(|(trend, factor)| trend * factor).collect();
        let mut forecast = Forecast { mean, sd, shape };
        self.adjustment.restore(&mut forecast);
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}
