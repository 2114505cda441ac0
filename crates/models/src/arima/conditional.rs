//! Conditional least squares: the estimate of the search.
//!
//! Errors follow the model's recursion from zeros before the first value that the autoregression reaches. The
//! derivatives of the errors are the same recursion on other inputs: with `a = e / ar(B)`, the derivative by the
//! coefficient of lag `i` is `-a[t-i]`, and so on for the other three factors. So the errors and four more filtered
//! series give a Gauss-Newton step, damped as in Marquardt, An algorithm for least-squares estimation of nonlinear
//! parameters, SIAM Journal on Applied Mathematics 11 (1963); one step costs about as much as ten evaluations of an
//! autoregression, whatever the number of coefficients. (Box, Jenkins and Reinsel, Time Series Analysis, section 7.2.)

use tabcast_statistics::solve_positive_definite;

use super::order::{Arma, MOST_TOGETHER};

/// Steps of the least-squares search.
const STEPS: usize = 12;
/// The search ends when the sum of squares falls by less than this fraction.
const TOLERANCE: f64 = 1e-5;
/// Roots stay outside the circle of this radius during the search.
const SEARCH_RADIUS: f64 = 1.000_1;

/// Scratch memory of the search.
#[derive(Debug, Default)]
pub(super) struct Conditional {
    /// The series filtered by the short, the seasonal, and both autoregressive factors.
    short: Vec<f64>,
    seasonal: Vec<f64>,
    errors: Vec<f64>,
    trial: Vec<f64>,
    /// The errors filtered by the inverse of one more moving-average factor.
    short_inverse: Vec<f64>,
    seasonal_inverse: Vec<f64>,
}

impl Conditional {
    /// The sum of squared errors of a model, infinite if its errors diverge.
    pub(super) fn sum_of_squares(&mut self, series: &[f64], arma: &Arma) -> f64 {
        let start = first_error(arma);
        filter(series, arma.ar(), 1, 0, &mut self.short);
        filter(&self.short, arma.seasonal_ar(), arma.season, start, &mut self.trial);
        divide(&mut self.trial, arma.ma(), 1, start);
        divide(&mut self.trial, arma.seasonal_ma(), arma.season, start);
        let sum = dot(&self.trial, &self.trial);
        if sum.is_nan() { f64::INFINITY } else { sum }
    }

    /// Improves a stationary and invertible model, and keeps it so.
    pub(super) fn improve(&mut self, series: &[f64], start: Arma) -> Arma {
        let count = start.order.len();
        let mut best = start;
        let mut sum = self.sum_of_squares(series, &best);
        let mut damping = 1e-3;
        let mut normal = [0.0; MOST_TOGETHER * MOST_TOGETHER];
        let mut gradient = [0.0; MOST_TOGETHER];
        if count == 0 || !sum.is_finite() {
            return best;
        }
        'steps: for _ in 0..STEPS {
            self.differentiate(series, &best);
            self.normal_equations(&best, &mut normal[..count * count], &mut gradient[..count]);
            loop {
                let mut matrix = normal;
                let mut step = gradient;
                for index in 0..count {
                    matrix[index * (count + 1)] *= 1.0 + damping;
                }
                let solved = solve_positive_definite(&mut matrix[..count * count], &mut step[..count]);
                let mut trial = best;
                for (coefficient, step) in trial.coefficients[..count].iter_mut().zip(&step) {
                    *coefficient += step;
                }
                if solved && trial.has_roots_beyond(SEARCH_RADIUS) {
                    let trial_sum = self.sum_of_squares(series, &trial);
                    if trial_sum < sum {
                        let enough = sum - trial_sum > TOLERANCE * sum;
                        (best, sum) = (trial, trial_sum);
                        damping *= 0.1;
                        if enough {
                            continue 'steps;
                        }
                        break 'steps;
                    }
                }
                damping *= 10.0;
                if damping > 1e4 {
                    break 'steps;
                }
            }
        }
        best
    }

    /// Computes the errors of a model and the series whose lags are the derivatives of the errors.
    fn differentiate(&mut self, series: &[f64], arma: &Arma) {
        let start = first_error(arma);
        let Arma { season, order, .. } = *arma;
        filter(series, arma.ar(), 1, 0, &mut self.short);
        filter(&self.short, arma.seasonal_ar(), season, start, &mut self.errors);
        divide(&mut self.errors, arma.ma(), 1, start);
        divide(&mut self.errors, arma.seasonal_ma(), season, start);
        if order.seasonal_p > 0 {
            divide(&mut self.short, arma.ma(), 1, order.p);
            divide(&mut self.short, arma.seasonal_ma(), season, order.p);
        }
        if order.p > 0 {
            let first = order.seasonal_p * season;
            filter(series, arma.seasonal_ar(), season, first, &mut self.seasonal);
            divide(&mut self.seasonal, arma.ma(), 1, first);
            divide(&mut self.seasonal, arma.seasonal_ma(), season, first);
        }
        if order.q > 0 {
            self.short_inverse.clone_from(&self.errors);
            divide(&mut self.short_inverse, arma.ma(), 1, start);
        }
        if order.seasonal_q > 0 {
            self.seasonal_inverse.clone_from(&self.errors);
            divide(&mut self.seasonal_inverse, arma.seasonal_ma(), season, start);
        }
    }

    /// The products of the derivatives with each other and with the errors, over the errors that are not zero by
    /// definition.
    fn normal_equations(&self, arma: &Arma, normal: &mut [f64], gradient: &mut [f64]) {
        let start = first_error(arma);
        let Arma { season, order, .. } = *arma;
        let length = self.errors.len();
        let mut columns: [&[f64]; MOST_TOGETHER] = [&[]; MOST_TOGETHER];
        let mut starts = [0; MOST_TOGETHER];
        let mut count = 0;
        for (source, terms, lag) in [
            (&self.seasonal, order.p, 1),
            (&self.short, order.seasonal_p, season),
            (&self.short_inverse, order.q, 1),
            (&self.seasonal_inverse, order.seasonal_q, season),
        ] {
            for term in 1..=terms {
                // A moving-average term that reaches before the first error starts later.
                starts[count] = start.max(term * lag).min(length);
                let first = starts[count] - (term * lag).min(starts[count]);
                columns[count] = &source[first..first + length - starts[count]];
                count += 1;
            }
        }
        for row in 0..count {
            gradient[row] = dot(columns[row], &self.errors[starts[row]..]);
            for other in 0..=row {
                let from = starts[row].max(starts[other]);
                normal[row * count + other] =
                    dot(&columns[row][from - starts[row]..], &columns[other][from - starts[other]..]);
            }
        }
    }
}

/// The first step whose error is not zero by definition.
pub(super) const fn first_error(arma: &Arma) -> usize {
    arma.order.p + arma.order.seasonal_p * arma.season
}

/// `output[t] = input[t] - sum of coefficients · input[t - step·i]`, zero before `start`.
fn filter(input: &[f64], coefficients: &[f64], step: usize, start: usize, output: &mut Vec<f64>) {
    output.clear();
    output.extend_from_slice(input);
    for (index, &coefficient) in coefficients.iter().enumerate() {
        let lag = (index + 1) * step;
        for (value, past) in output.iter_mut().skip(lag).zip(input) {
            *value -= coefficient * past;
        }
    }
    let start = start.max(coefficients.len() * step).min(output.len());
    output[..start].fill(0.0);
}

/// `values[t] -= sum of coefficients · values[t - step·i]`, one step after the other from `start`, with zeros before.
fn divide(values: &mut [f64], coefficients: &[f64], step: usize, start: usize) {
    if coefficients.is_empty() {
        return;
    }
    let warm = (start + coefficients.len() * step).min(values.len());
    for now in start..warm {
        for (index, coefficient) in coefficients.iter().enumerate() {
            let lag = (index + 1) * step;
            if now >= start + lag {
                values[now] -= coefficient * values[now - lag];
            }
        }
    }
    for now in warm..values.len() {
        let mut value = values[now];
        for (index, coefficient) in coefficients.iter().enumerate() {
            value -= coefficient * values[now - (index + 1) * step];
        }
        values[now] = value;
    }
}

/// The inner product over the shorter length. Four sums avoid a single chain of additions.
pub(super) fn dot(left: &[f64], right: &[f64]) -> f64 {
    let length = left.len().min(right.len());
    let (left, right) = (&left[..length], &right[..length]);
    let mut sums = [0.0; 4];
    let (left_chunks, right_chunks) = (left.chunks_exact(4), right.chunks_exact(4));
    let rest: f64 = left_chunks.remainder().iter().zip(right_chunks.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in left_chunks.zip(right_chunks) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
