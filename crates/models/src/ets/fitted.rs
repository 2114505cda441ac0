//! A fitted exponential smoothing form and its forecast distribution.

use super::form::{Form, Season, Smoothing};
use super::state::State;
use crate::adjustment::Adjustment;
use crate::{Fit, Forecast, Shape};

pub(crate) struct Fitted {
    form: Form,
    smoothing: Smoothing,
    /// The state after the last value.
    end: State,
    /// The variance of one-step errors: absolute for additive errors, relative for multiplicative ones.
    variance: f64,
    adjustment: Adjustment,
    fitted: Vec<f64>,
}

impl Fitted {
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
            let error =
                if form.season == Season::Multiplicative { value / forecast - 1.0 } else { value - forecast };
            squares += error * error;
            fitted.push(forecast);
            state.observe(form, &smoothing, step, value);
        }
        adjustment.restore_fitted(&mut fitted);
        let variance = squares / values.len().saturating_sub(degrees).max(1) as f64;
        Self { form, smoothing, end: state, variance, adjustment, fitted }
    }

    /// How much an error moves the forecast `ahead` steps later, apart from its phase: `alpha + beta · (phi + ... +
    /// phi^ahead)`.
    fn responses(&self, horizon: usize) -> impl Iterator<Item = f64> {
        let Smoothing { alpha, beta, phi, .. } = self.smoothing;
        (0..horizon).scan((1.0, 0.0), move |(power, sum), _| {
            *power *= phi;
            *sum += *power;
            Some(alpha + beta * *sum)
        })
    }

    /// Class 1 of the source: linear, with homoscedastic errors; the variance is a sum of squared responses.
    fn additive_sds(&self, horizon: usize) -> Vec<f64> {
        let period = self.end.season.len();
        let mut sum = 1.0;
        let mut sds = Vec::with_capacity(horizon);
        for (before, response) in self.responses(horizon).enumerate() {
            sds.push((self.variance * sum).sqrt());
            let seasonal = period > 0 && (before + 1).is_multiple_of(period);
            let moved = response + if seasonal { self.smoothing.gamma } else { 0.0 };
            sum += moved * moved;
        }
        sds
    }

    /// Class 3 of the source: the variance of the adjusted series follows a recursion, the season's own
    /// uncertainty multiplies it once a cycle.
    fn multiplicative_sds(&self, trends: &[f64], means: &[f64]) -> Vec<f64> {
        let horizon = means.len();
        let squares: Vec<f64> = self.responses(horizon).map(|response| response * response).collect();
        let mut second_moments: Vec<f64> = Vec::with_capacity(horizon);
        let mut sds = Vec::with_capacity(horizon);
        for step in 0..horizon {
            let spread: f64 =
                (0..step).map(|before| squares[before] * second_moments[step - 1 - before]).sum();
            let moment = trends[step] * trends[step] + self.variance * spread;
            second_moments.push(moment);
            let cycles = (step / self.end.season.len()) as i32;
            let seasonal = (1.0 + self.smoothing.gamma * self.smoothing.gamma * self.variance).powi(cycles);
            let relative = moment * (1.0 + self.variance) * seasonal / (trends[step] * trends[step]) - 1.0;
            sds.push(means[step].abs() * relative.max(0.0).sqrt());
        }
        sds
    }
}

impl Fit for Fitted {
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
        let (mean, sd, shape) = match self.form.season {
            Season::None => (trends, self.additive_sds(horizon), Shape::Normal),
            Season::Additive => {
                let means = trends.iter().enumerate().map(|(step, trend)| trend + season(step)).collect();
                (means, self.additive_sds(horizon), Shape::Normal)
            }
            Season::Multiplicative => {
                let means: Vec<f64> =
                    trends.iter().enumerate().map(|(step, trend)| trend * season(step)).collect();
                let sds = self.multiplicative_sds(&trends, &means);
                (means, sds, Shape::LogNormal)
            }
        };
        let mut forecast = Forecast { mean, sd, shape };
        self.adjustment.restore(&mut forecast);
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}
