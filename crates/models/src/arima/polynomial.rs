//! The two polynomials of an ARMA model with their factors multiplied out, and the quantities derived from them.

use super::order::Arma;

/// `u[t] = sum of ar · u[t - lag] + e[t] + sum of ma · e[t - lag]`, as lists of lags and coefficients, because products
/// of seasonal factors have few terms and long lags.
#[derive(Debug, Clone, Default)]
pub(super) struct Polynomials {
    pub(super) ar: Vec<(usize, f64)>,
    pub(super) ma: Vec<(usize, f64)>,
    /// The longest lag of both, at least 1.
    pub(super) length: usize,
}

impl Polynomials {
    /// Multiplies the factors of `arma` out, reusing this value's memory.
    pub(super) fn expand(&mut self, arma: &Arma) {
        multiply(arma.ar(), arma.seasonal_ar(), arma.season, -1.0, &mut self.ar);
        multiply(arma.ma(), arma.seasonal_ma(), arma.season, 1.0, &mut self.ma);
        let order = arma.order;
        let ar = order.p + order.seasonal_p * arma.season;
        let ma = order.q + order.seasonal_q * arma.season;
        self.length = ar.max(ma).max(1);
    }

    /// The responses of `u` to a unit error 0, 1, ... steps before, into all of `responses`.
    pub(super) fn responses(&self, responses: &mut [f64]) {
        responses.fill(0.0);
        if let Some(first) = responses.first_mut() {
            *first = 1.0;
        }
        for &(lag, coefficient) in &self.ma {
            if lag < responses.len() {
                responses[lag] += coefficient;
            }
        }
        for step in 1..responses.len() {
            let past: f64 = self
                .ar
                .iter()
                .filter(|(lag, _)| *lag <= step)
                .map(|(lag, coefficient)| coefficient * responses[step - lag])
                .sum();
            responses[step] += past;
        }
    }
}

/// The product of two factors; `sign` is the sign of the terms of both in their polynomial, -1 or 1.
fn multiply(short: &[f64], seasonal: &[f64], season: usize, sign: f64, product: &mut Vec<(usize, f64)>) {
    product.clear();
    product.extend(short.iter().enumerate().map(|(index, &c)| (index + 1, c)));
    for (index, &outer) in seasonal.iter().enumerate() {
        let lag = (index + 1) * season;
        product.push((lag, outer));
        product
            .extend(short.iter().enumerate().map(|(index, &inner)| (lag + index + 1, sign * inner * outer)));
    }
}

/// The autocovariances of an ARMA process with unit error variance.
#[derive(Debug, Default)]
pub(super) struct Autocovariances {
    /// The coefficients of the autoregressions of order 1, 2, ... that share the process's autocovariances, in
    /// sequence.
    triangle: Vec<f64>,
    /// Autocovariances of the pure autoregression.
    pure: Vec<f64>,
    /// Products of the moving average with itself, by lag.
    products: Vec<f64>,
    /// Autocovariances of the whole process, at lags 0, 1, ... below the length of the polynomials.
    pub(super) values: Vec<f64>,
}

impl Autocovariances {
    /// Computes the autocovariances; false if the process is not numerically stationary.
    ///
    /// The Durbin-Levinson recursion backwards gives the autoregression of every lower order, and the Yule-Walker
    /// equation of order `k` then gives the autocovariance at lag `k`. The moving average is applied afterwards.
    pub(super) fn compute(&mut self, polynomials: &Polynomials) -> bool {
        let order = polynomials.ar.iter().map(|(lag, _)| *lag).max().unwrap_or(0);
        let longest = polynomials.ma.iter().map(|(lag, _)| *lag).max().unwrap_or(0);
        let row = |length: usize| length * (length - 1) / 2;
        self.triangle.clear();
        self.triangle.resize(row(order + 1), 0.0);
        for &(lag, coefficient) in &polynomials.ar {
            self.triangle[row(order) + lag - 1] += coefficient;
        }
        let mut variance = 1.0;
        for length in (1..=order).rev() {
            let (before, current) = self.triangle[..row(length + 1)].split_at_mut(row(length));
            let partial = current[length - 1];
            let rest = 1.0 - partial * partial;
            if rest.is_nan() || rest <= 0.0 {
                return false;
            }
            variance /= rest;
            if length > 1 {
                let before = &mut before[row(length - 1)..];
                for index in 0..length - 1 {
                    before[index] = (current[index] + partial * current[length - 2 - index]) / rest;
                }
            }
        }
        self.pure.clear();
        self.pure.push(variance);
        for lag in 1..polynomials.length + longest {
            let value: f64 = if lag <= order {
                let equation = &self.triangle[row(lag)..row(lag + 1)];
                equation.iter().zip(self.pure.iter().rev()).map(|(c, past)| c * past).sum()
            } else {
                polynomials.ar.iter().map(|(back, c)| c * self.pure[lag - back]).sum()
            };
            self.pure.push(value);
        }
        self.apply_moving_average(polynomials, longest);
        self.values[0].is_finite() && self.values[0] > 0.0
    }

    fn apply_moving_average(&mut self, polynomials: &Polynomials, longest: usize) {
        self.values.clear();
        if longest == 0 {
            self.values.extend_from_slice(&self.pure[..polynomials.length]);
            return;
        }
        self.products.clear();
        self.products.resize(longest + 1, 0.0);
        let terms = || polynomials.ma.iter().copied().chain([(0, 1.0)]);
        for (lag, coefficient) in terms() {
            for (other_lag, other) in terms() {
                if lag >= other_lag {
                    self.products[lag - other_lag] += coefficient * other;
                }
            }
        }
        for lag in 0..polynomials.length {
            let mut value = self.products[0] * self.pure[lag];
            for (shift, product) in self.products.iter().enumerate().skip(1) {
                if *product != 0.0 {
                    value += product * (self.pure[lag + shift] + self.pure[lag.abs_diff(shift)]);
                }
            }
            self.values.push(value);
        }
    }
}
