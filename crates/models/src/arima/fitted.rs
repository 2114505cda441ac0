//! A fitted model and its forecast distribution.

use super::differencing::Differencing;
use super::exact::Estimate;
use super::polynomial::Polynomials;
use super::regression::Design;
use super::whitening::Whitening;
use crate::{Fit, Forecast, Shape};

/// The variance of logarithms counts up to this value: beyond it the mean of a log-normal distribution is far
/// outside everything that was seen.
const LARGEST_LOG_VARIANCE: f64 = 0.5;

/// A series as it is modelled.
#[derive(Debug)]
pub(super) struct Modelled<'a> {
    /// The last values of the series, or their logarithms.
    pub(super) values: &'a [f64],
    /// How many values before them are left out.
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
    /// What is known of the differenced series 1, 2, ... steps ahead before the autoregression adds its part.
    state: Vec<f64>,
    /// The last values without what the regressors explain, as many as differencing looks back.
    tail: Vec<f64>,
    /// How many values the model was fitted to.
    length: usize,
    variance: f64,
    fitted: Vec<f64>,
}

impl ArimaFit {
    /// Runs a model over the series; nothing when it is not stationary.
    pub(super) fn new(series: Modelled<'_>, estimate: &Estimate, whitening: &mut Whitening) -> Option<Self> {
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
            tail: rest[rest.len() - differencing.length..].to_vec(),
            length: values.len(),
            variance: estimate.sum_of_squares / degrees as f64,
            fitted,
            differencing,
            design,
        })
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
            for &(lag, coefficient) in &self.polynomials.ar {
                state[lag - 1] += coefficient * next;
            }
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
        let mut responses = vec![0.0; horizon];
        self.polynomials.responses(&mut responses);
        self.differencing.integrate_responses(&mut responses);
        let shape = if self.logarithmic { Shape::LogNormal } else { Shape::Normal };
        let mut forecast = Forecast::with_capacity(horizon, shape);
        let mut sum = 0.0;
        for (mean, response) in means.into_iter().zip(responses) {
            sum += response * response;
            let spread = self.variance * sum;
            if self.logarithmic {
                // Log-normal moments, so that the median is where the logarithms are centred.
                let spread = spread.min(LARGEST_LOG_VARIANCE);
                let mean = (mean + 0.5 * spread).exp();
                forecast.mean.push(mean);
                forecast.sd.push(mean * spread.exp_m1().sqrt());
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
