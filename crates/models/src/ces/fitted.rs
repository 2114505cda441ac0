//! A fitted form and its forecast distribution.

use super::form::{Form, Parameters};
use super::recursion::{Direction, Dual, States};
use crate::adjustment::Adjustment;
use crate::{Fit, Forecast, Shape};

pub(crate) struct ComplexFit {
    form: Form,
    parameters: Parameters,
    /// The states after the last value.
    end: States<0>,
    /// The variance of one-step errors.
    variance: f64,
    adjustment: Adjustment,
    fitted: Vec<f64>,
}

impl ComplexFit {
    /// Runs the form over the series from its starting states.
    pub(crate) fn run(
        form: Form,
        parameters: Parameters,
        start: States<0>,
        values: &[f64],
        adjustment: Adjustment,
    ) -> Self {
        let mut end = start;
        let mut fitted = Vec::with_capacity(values.len());
        let mut squares = 0.0;
        end.pass(values, form, &parameters, Direction::Forward, |step, error| {
            squares += error.value * error.value;
            fitted.push(values[step] - error.value);
        });
        adjustment.restore_fitted(&mut fitted);
        let variance = squares / values.len().saturating_sub(form.counted()).max(1) as f64;
        Self { form, parameters, end, variance, adjustment, fitted }
    }

    /// The response of each later forecast to a unit error: the recursions run on from that error alone.
    fn responses(&self, horizon: usize) -> impl Iterator<Item = f64> {
        let Self { form, parameters, .. } = *self;
        let nothing = |states: &[_]| vec![[Dual::<0>::constant(0.0); 2]; states.len()];
        let mut states = States { level: nothing(&self.end.level), season: nothing(&self.end.season) };
        states.pass(&[1.0], form, &parameters, Direction::Forward, |_, _| {});
        (1..horizon).map(move |step| states.forecast(form, &parameters, step))
    }
}

impl Fit for ComplexFit {
    fn forecast(&self, horizon: usize) -> Forecast {
        let mut forecast = Forecast::with_capacity(horizon, Shape::Normal);
        let mut states = self.end.clone();
        let next = self.fitted.len();
        for step in next..next + horizon {
            forecast.mean.push(states.forecast(self.form, &self.parameters, step));
        }
        let mut sum = 1.0;
        if horizon > 0 {
            forecast.sd.push(self.variance.sqrt());
        }
        for response in self.responses(horizon) {
            sum += response * response;
            forecast.sd.push((self.variance * sum).sqrt());
        }
        self.adjustment.restore(&mut forecast);
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}
