//! A fitted theta model and its forecasts.

use super::recursion::{State, Theta};
use crate::{Forecast, Shape};

/// An estimated model at the end of its series.
pub(super) struct Path {
    theta: Theta,
    end: State,
    variance: f64,
}

impl Path {
    pub(super) fn new(theta: Theta, values: &[f64]) -> Self {
        Self { theta, end: theta.end(values), variance: theta.variance(values.len()) }
    }

    /// Mean and standard deviation of each step, in the units that the model was estimated in.
    ///
    /// Forecasts are linear in the values, so a unit shock at the first step ahead, followed through the recursion of a
    /// series of zeros, shows how much every later step moves with it. For a dynamic model this includes the line,
    /// which is fitted to the shock too.
    pub(super) fn forecast(&self, horizon: usize) -> Forecast {
        let (mut state, mut response) = (self.end, self.end.of_zeros());
        let mut forecast = Forecast::with_capacity(horizon, Shape::Normal);
        let (mut shock, mut sum) = (1.0, 0.0);
        for _ in 0..horizon {
            sum += shock * shock;
            let mean = state.mean(&self.theta);
            forecast.mean.push(mean);
            forecast.sd.push((self.variance * sum).sqrt());
            state.extend(&self.theta, mean);
            response.extend(&self.theta, shock);
            shock = response.mean(&self.theta);
        }
        forecast
    }
}
