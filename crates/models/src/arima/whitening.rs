//! The exact Gaussian likelihood: transforms a series into its one-step errors and their variances.
//!
//! The Kalman filter of an ARMA process in Harvey's form starts from the stationary distribution, and its covariance
//! matrix then changes by a matrix of rank one at each step. Chandrasekhar's recursions (Morf, Sidhu and Kailath, Some
//! new algorithms for recursive estimation, IEEE Transactions on Automatic Control 19 (1974); for ARMA processes
//! Pearlman 1980 and Mélard, AS 197, 1984) carry only the vector of that rank. With the gain `k`, the vector `l`, the
//! companion matrix `T` and `g = l[0]`, scaled by the error variance `f` they take the symmetric form
//!
//! ```text
//! a = T·l      f' = f · (1 - g²)      k' = (k - g·a) / (1 - g²)      l' = (a - g·k) / (1 - g²)
//! ```
//!
//! from `k = l`, the regression of the next state on the first value. A step costs a few operations per state instead
//! of their square. As `f` approaches 1 the gain approaches a constant; from there on errors follow the model's own
//! recursion, which has only as many terms as the model.

use super::order::Arma;
use super::polynomial::{Autocovariances, Polynomials};
use crate::Interrupt;

/// The recursions stop when the variance of one-step errors is within this fraction of its limit.
pub(super) const STEADY: f64 = 1e-10;

/// How a one-step error updates the expectations of later steps, and how that gain changes from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Gain {
    /// The autoregression by lag.
    dense: Vec<f64>,
    /// The effect of an error on the state: entry `i` is for the value `i + 1` steps later.
    pub(super) values: Vec<f64>,
    /// One extra entry, which stays zero.
    lead: Vec<f64>,
    /// The variance of one-step errors, in units of its limit.
    pub(super) variance: f64,
}

impl Gain {
    /// Whether the variance has reached its limit.
    pub(super) fn is_steady(&self, tolerance: f64) -> bool {
        self.variance - 1.0 <= tolerance
    }

    /// Advances one step; false if the variance would not be positive.
    pub(super) fn advance(&mut self) -> bool {
        let Self { dense, values, lead, variance } = self;
        let first = lead[0];
        let shrink = 1.0 - first * first;
        if shrink.is_nan() || shrink <= 0.0 {
            return false;
        }
        let inverse = shrink.recip();
        let length = values.len();
        // Slices of lengths known to the compiler, so that it can vectorise the loop.
        let (dense, lead) = (&dense[..length], &mut lead[..=length]);
        for index in 0..length {
            let moved = lead[index + 1] + dense[index] * first;
            let old = values[index];
            values[index] = (old - first * moved) * inverse;
            lead[index] = (moved - first * old) * inverse;
        }
        *variance *= shrink;
        true
    }
}

/// Scratch memory of the recursions, and their results.
#[derive(Debug, Default)]
pub(super) struct Whitening<'a> {
    /// Every search for a model uses this memory. Once the interrupt is set, no model counts as stationary, so all
    /// searches end.
    pub(super) interrupt: Interrupt<'a>,
    pub(super) polynomials: Polynomials,
    autocovariances: Autocovariances,
    responses: Vec<f64>,
    pub(super) gain: Gain,
    /// One state per column, each followed by a zero. After a run to the end, the forecast of each column is read from
    /// it.
    states: Vec<f64>,
    /// The one-step errors of each column divided by their standard deviations, in units of the limiting error.
    pub(super) errors: Vec<Vec<f64>>,
    /// The reciprocal standard deviations.
    weights: Vec<f64>,
    /// The sum of the logarithms of the variances.
    pub(super) log_determinant: f64,
}

impl<'i> Whitening<'i> {
    pub(super) fn new(interrupt: Interrupt<'i>) -> Self {
        Self { interrupt, ..Self::default() }
    }

    /// Whitens columns of equal length by the same model; false when the model is not numerically stationary.
    pub(super) fn run(&mut self, arma: &Arma, columns: &[&[f64]]) -> bool {
        self.run_until(arma, columns, STEADY)
    }

    /// Whitens without switching to the steady state, and leaves the state after the last value of the first column.
    /// Its entry `i` is the expectation `i + 1` steps ahead before the autoregression adds its part.
    pub(super) fn run_to_the_end(&mut self, arma: &Arma, column: &[f64]) -> Option<&[f64]> {
        let stationary = self.run_until(arma, &[column], 0.0);
        stationary.then(|| &self.states[..self.polynomials.length])
    }

    /// The unscaled errors of the first column.
    pub(super) fn one_step_errors(&self) -> impl Iterator<Item = f64> {
        self.errors[0].iter().zip(&self.weights).map(|(error, weight)| error / weight)
    }

    fn run_until(&mut self, arma: &Arma, columns: &[&[f64]], steady: f64) -> bool {
        if self.interrupt.is_set() {
            return false;
        }
        self.polynomials.expand(arma);
        if !self.autocovariances.compute(&self.polynomials) {
            return false;
        }
        let length = self.polynomials.length;
        let count = columns.first().map_or(0, |column| column.len());
        self.start();
        self.states.clear();
        self.states.resize((length + 1) * columns.len(), 0.0);
        self.errors.resize(columns.len().max(self.errors.len()), Vec::new());
        for errors in &mut self.errors {
            errors.clear();
        }
        self.weights.clear();
        // The product of variances; its logarithm is taken before it can overflow.
        let (mut product, mut logarithm) = (1.0_f64, 0.0);
        let mut step = 0;
        while step < count && (step < length || steady == 0.0 || !self.gain.is_steady(steady)) {
            let variance = self.gain.variance;
            self.weights.push(variance.sqrt().recip());
            product *= variance;
            if !(1e-100..1e100).contains(&product) {
                logarithm += product.ln();
                product = 1.0;
            }
            for (index, column) in columns.iter().enumerate() {
                let state = &mut self.states[index * (length + 1)..][..=length];
                let error = column[step] - state[0];
                self.errors[index].push(error);
                advance(state, &self.gain, error);
            }
            if !self.gain.advance() {
                return false;
            }
            step += 1;
        }
        self.log_determinant = logarithm + product.ln();
        for (column, errors) in columns.iter().zip(&mut self.errors) {
            run_steadily(column, errors, &self.polynomials);
            for (error, weight) in errors.iter_mut().zip(&self.weights) {
                *error *= weight;
            }
        }
        self.log_determinant.is_finite()
    }

    /// Sets the gain to its first value, from the stationary distribution.
    fn start(&mut self) {
        let Polynomials { ar, ma, length } = &self.polynomials;
        let covariances = &self.autocovariances.values;
        let Gain { dense, values, lead, variance } = &mut self.gain;
        *variance = covariances[0];
        self.responses.resize(*length, 0.0);
        self.polynomials.responses(&mut self.responses);
        for vector in [&mut *dense, &mut *values] {
            vector.clear();
            vector.resize(*length, 0.0);
        }
        for &(lag, coefficient) in ar {
            dense[lag - 1] += coefficient;
            for (value, covariance) in values[..lag].iter_mut().zip(covariances[..lag].iter().rev()) {
                *value += coefficient * covariance / *variance;
            }
        }
        for &(lag, coefficient) in ma {
            for (value, response) in values[..lag].iter_mut().zip(self.responses[..lag].iter().rev()) {
                *value += coefficient * response / *variance;
            }
        }
        lead.clone_from(values);
        lead.push(0.0);
    }
}

/// One step of the state, which ends with a zero: `T · state + gain · error`.
fn advance(state: &mut [f64], gain: &Gain, error: f64) {
    let first = state[0];
    let length = gain.values.len();
    let (state, dense, values) = (&mut state[..=length], &gain.dense[..length], &gain.values[..length]);
    for index in 0..length {
        state[index] = state[index + 1] + dense[index] * first + values[index] * error;
    }
}

/// Computes the remaining errors by the model's own recursion.
fn run_steadily(column: &[f64], errors: &mut Vec<f64>, polynomials: &Polynomials) {
    for step in errors.len()..column.len() {
        let mut error = column[step];
        for &(lag, coefficient) in &polynomials.ar {
            error -= coefficient * column[step - lag];
        }
        for &(lag, coefficient) in &polynomials.ma {
            error -= coefficient * errors[step - lag];
        }
        errors.push(error);
    }
}
