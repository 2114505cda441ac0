//! A fitted model and its forecast distribution.

use super::differencing::Differencing;
use super::exact::Estimate;
use super::polynomial::Polynomials;
use super::regression::Design;
use super::whitening::{Gain, STEADY, Whitening};
use crate::logarithm::log_normal_moments;
use crate::{Fit, Forecast, Shape};

/// The series in the form in which it is modelled.
#[derive(Debug)]
pub(super) struct Modelled<'a> {
    /// The last values of the series, or their logarithms.
    pub(super) values: &'a [f64],
    /// Number of earlier values that are left out.
    pub(super) skipped: usize,
    pub(super) logarithmic: bool,
    pub(super) differencing: Differencing,
    pub(super) design: Design,
}

pub(super) struct ArimaFit {
    logarithmic: bool,
    differencing: Differencing,
    design: Design,
    /// The coefficients of the regressors, without the constant.
    coefficients: Vec<f64>,
    constant: f64,
    polynomials: Polynomials,
    /// The expectations of the differenced series 1, 2, ... steps ahead, before the autoregression adds its part.
    state: Vec<f64>,
    /// The gain of the error one step ahead.
    gain: Gain,
    /// The last values minus the effect of the regressors, as many as differencing looks back.
    tail: Vec<f64>,
    /// Number of values that the model was fitted to.
    length: usize,
    variance: f64,
    fitted: Vec<f64>,
}

impl ArimaFit {
    /// Runs a model over the series; none if it is not stationary.
    pub(super) fn new(
        series: Modelled<'_>,
        estimate: &Estimate,
        whitening: &mut Whitening<'_>,
    ) -> Option<Self> {
        let Modelled { values, skipped, logarithmic, differencing, design } = series;
        let order = estimate.arma.order;
        let own = usize::from(order.constant);
        let constant = if order.constant { estimate.regression[0] } else { 0.0 };
        let coefficients = estimate.regression[own..].to_vec();
        let rest: Vec<f64> = values
            .iter()
            .enumerate()
            .map(|(step, value)| value - design.explained(&coefficients, step))
            .collect();
        let mut differenced = differencing.apply(&rest);
        for value in &mut differenced {
            *value -= constant;
        }
        let state = whitening.run_to_the_end(&estimate.arma, &differenced)?.to_vec();
        let degrees = differenced.len().saturating_sub(order.len() + estimate.regression.len()).max(1);
        let mut fitted = vec![f64::NAN; skipped + differencing.length];
        for (value, error) in values[differencing.length..].iter().zip(whitening.one_step_errors()) {
            let forecast = value - error;
            fitted.push(if logarithmic { forecast.exp() } else { forecast });
        }
        Some(Self {
            logarithmic,
            coefficients,
            constant,
            polynomials: whitening.polynomials.clone(),
            state,
            gain: whitening.gain.clone(),
            tail: rest[rest.len() - differencing.length..].to_vec(),
            length: values.len(),
            variance: estimate.sum_of_squares / degrees as f64,
            fitted,
            differencing,
            design,
        })
    }

    /// Adds a value's contribution to the following steps.
    fn feed_back(&self, value: f64, state: &mut [f64]) {
        for &(lag, coefficient) in &self.polynomials.ar {
            state[lag - 1] += coefficient * value;
        }
    }

    /// The variance of each step in units of one error's variance: the sum over all errors up to that step of their
    /// variance times their squared response. If the filter has not reached its steady state by the end of the series,
    /// each of the next errors has its own response.
    fn spreads(&self, horizon: usize) -> Vec<f64> {
        let mut spreads = vec![0.0; horizon];
        let mut gain = self.gain.clone();
        let mut responses = vec![0.0; horizon];
        for first in 0..horizon {
            if gain.is_steady(STEADY) {
                self.polynomials.responses(&mut responses[..horizon - first]);
                self.differencing.integrate_responses(&mut responses[..horizon - first]);
                let mut sum = 0.0;
                for (spread, response) in spreads[first..].iter_mut().zip(&responses) {
                    sum += response * response;
                    *spread += sum;
                }
                break;
            }
            responses[0] = 1.0;
            let mut state = gain.values.clone();
            let last = state.len() - 1;
            for response in &mut responses[1..horizon - first] {
                *response = state[0];
                state.copy_within(1.., 0);
                state[last] = 0.0;
                self.feed_back(*response, &mut state);
            }
            self.differencing.integrate_responses(&mut responses[..horizon - first]);
            for (spread, response) in spreads[first..].iter_mut().zip(&responses) {
                *spread += gain.variance * response * response;
            }
            if !gain.advance() {
                gain.variance = 1.0;
            }
        }
        spreads
    }

    /// The mean of each step, in the units of the modelled values.
    fn means(&self, horizon: usize) -> Vec<f64> {
        let mut state = self.state.clone();
        let last = state.len() - 1;
        let mut path = self.tail.clone();
        let known = path.len();
        for ahead in 0..horizon {
            let next = state[0];
            state.copy_within(1.., 0);
            state[last] = 0.0;
            self.feed_back(next, &mut state);
            let past = self.differencing.past(&path, known + ahead);
            path.push(next + self.constant + past);
        }
        let explained = |ahead: usize| self.design.explained(&self.coefficients, self.length + ahead);
        path[known..].iter().enumerate().map(|(ahead, value)| value + explained(ahead)).collect()
    }
}

impl Fit for ArimaFit {
    fn forecast(&self, horizon: usize) -> Forecast {
        let means = self.means(horizon);
        let shape = if self.logarithmic { Shape::LogNormal } else { Shape::Normal };
        let mut forecast = Forecast::with_capacity(horizon, shape);
        for (mean, spread) in means.into_iter().zip(self.spreads(horizon)) {
            let spread = self.variance * spread;
            if self.logarithmic {
                let (mean, sd) = log_normal_moments(mean, spread);
                forecast.mean.push(mean);
                forecast.sd.push(sd);
            } else {
                forecast.mean.push(mean);
                forecast.sd.push(spread.sqrt());
            }
        }
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}
