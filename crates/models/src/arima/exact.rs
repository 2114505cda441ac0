//! Maximum likelihood.

use tabcast_statistics::solve_positive_definite;

use super::conditional::dot;
use super::order::{Arma, MOST_TOGETHER};
use super::whitening::Whitening;

/// Steps of the search, each with a new generalised least-squares estimate of the regression.
const STEPS: usize = 25;
/// The search ends when a step gains less than this much log-likelihood.
const TOLERANCE: f64 = 1e-6;
/// The step of numerical derivatives.
const DIFFERENCE: f64 = 1e-5;
/// Lower limit of the sum of squares, as a fraction of the series' own.
const SMALLEST_PART: f64 = 1e-22;

/// The series to be explained, after differencing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Problem<'a> {
    pub(super) values: &'a [f64],
    /// Regressors of the mean: a column of ones first if there is a constant, then the others.
    pub(super) columns: &'a [&'a [f64]],
}

/// A model with the coefficients of its regression.
#[derive(Debug, Clone)]
pub(super) struct Estimate {
    pub(super) arma: Arma,
    pub(super) regression: Vec<f64>,
    pub(super) sum_of_squares: f64,
    pub(super) log_likelihood: f64,
}

/// The concentrated Gaussian log-likelihood.
fn log_likelihood(count: usize, sum_of_squares: f64, log_determinant: f64) -> f64 {
    let count = count as f64;
    let variance = sum_of_squares / count;
    -0.5 * (count * ((std::f64::consts::TAU * variance).ln() + 1.0) + log_determinant)
}

impl Problem<'_> {
    /// The likelihood of a model with the regression that maximises it; none if the model is not stationary or the
    /// columns are degenerate.
    pub(super) fn evaluate(&self, arma: &Arma, whitening: &mut Whitening<'_>) -> Option<Estimate> {
        let count = self.columns.len();
        let mut columns = Vec::with_capacity(count + 1);
        columns.push(self.values);
        columns.extend_from_slice(self.columns);
        if !whitening.run(arma, &columns) {
            return None;
        }
        let (target, whitened) = whitening.errors.split_at_mut(1);
        let target = &mut target[0];
        let mut regression = vec![0.0; count];
        if count > 0 {
            let mut normal = vec![0.0; count * count];
            for row in 0..count {
                regression[row] = dot(&whitened[row], target);
                for other in 0..=row {
                    normal[row * count + other] = dot(&whitened[row], &whitened[other]);
                }
            }
            if !solve_positive_definite(&mut normal, &mut regression) {
                return None;
            }
            for (column, coefficient) in whitened.iter().zip(&regression) {
                for (value, x) in target.iter_mut().zip(column) {
                    *value -= coefficient * x;
                }
            }
        }
        let floor = SMALLEST_PART * dot(self.values, self.values) + f64::MIN_POSITIVE;
        let sum_of_squares = dot(target, target).max(floor);
        let log_likelihood = log_likelihood(self.values.len(), sum_of_squares, whitening.log_determinant);
        let usable = log_likelihood.is_finite() && regression.iter().all(|value| value.is_finite());
        usable.then_some(Estimate { arma: *arma, regression, sum_of_squares, log_likelihood })
    }

    /// The residuals of the regression.
    pub(super) fn residuals(&self, regression: &[f64]) -> Vec<f64> {
        let mut residuals = self.values.to_vec();
        for (column, coefficient) in self.columns.iter().zip(regression) {
            for (value, x) in residuals.iter_mut().zip(*column) {
                *value -= coefficient * x;
            }
        }
        residuals
    }

    /// Climbs to the maximum of the likelihood from a start.
    ///
    /// With `f` the variances of the one-step errors `v`, the likelihood is a decreasing function of the sum of squares
    /// of `v / sqrt(f)`, each times the geometric mean of all `sqrt(f)`: a least-squares problem, solved by damped
    /// Gauss-Newton steps on numerical derivatives. The regression is kept fixed during a step and estimated anew
    /// between steps; both hardly interact, because their information matrix is block diagonal. Moving averages may
    /// leave the invertible region on the way, where the likelihood is just as well defined; at the edge it is flat.
    pub(super) fn maximise(&self, start: &Arma, whitening: &mut Whitening<'_>) -> Option<Estimate> {
        let mut best = self.evaluate(start, whitening)?;
        let count = start.order.len();
        if count == 0 {
            return Some(best);
        }
        let mut damping = 1e-4;
        let mut derivatives = vec![Vec::new(); count];
        let mut errors = Vec::new();
        let mut residuals = self.residuals(&best.regression);
        let mut fresh = false;
        for _ in 0..STEPS {
            if !fresh {
                if !weighted_errors(&best.arma, &residuals, whitening, &mut errors) {
                    break;
                }
                if !differentiate(&best.arma, &residuals, whitening, &errors, &mut derivatives) {
                    break;
                }
                fresh = true;
            }
            let mut normal = [0.0; MOST_TOGETHER * MOST_TOGETHER];
            let mut step = [0.0; MOST_TOGETHER];
            for row in 0..count {
                step[row] = dot(&derivatives[row], &errors);
                for other in 0..=row {
                    normal[row * count + other] = dot(&derivatives[row], &derivatives[other]);
                }
                normal[row * count + row] *= 1.0 + damping;
            }
            let solved = solve_positive_definite(&mut normal[..count * count], &mut step[..count]);
            let mut trial = best.arma;
            for (coefficient, step) in trial.coefficients[..count].iter_mut().zip(&step) {
                *coefficient += step;
            }
            let better = if solved && trial.is_stationary() {
                self.evaluate(&trial, whitening).filter(|trial| trial.log_likelihood > best.log_likelihood)
            } else {
                None
            };
            if let Some(better) = better {
                let gain = better.log_likelihood - best.log_likelihood;
                best = better;
                if gain < TOLERANCE {
                    break;
                }
                damping *= 0.1;
                residuals = self.residuals(&best.regression);
                fresh = false;
            } else {
                damping = (damping * 10.0).max(1e-3);
                if damping > 1e3 {
                    break;
                }
            }
        }
        Some(best)
    }
}

/// The negative derivatives of the errors by each coefficient. False if they cannot be computed.
fn differentiate(
    arma: &Arma,
    residuals: &[f64],
    whitening: &mut Whitening<'_>,
    errors: &[f64],
    derivatives: &mut [Vec<f64>],
) -> bool {
    for (index, derivative) in derivatives.iter_mut().enumerate() {
        let mut moved = *arma;
        // Moves towards zero, away from the edge of the admissible region.
        let step = -DIFFERENCE.copysign(moved.coefficients[index]);
        moved.coefficients[index] += step;
        if !weighted_errors(&moved, residuals, whitening, derivative) {
            return false;
        }
        for (value, error) in derivative.iter_mut().zip(errors) {
            *value = (error - *value) / step;
        }
    }
    true
}

/// The one-step errors divided by their standard deviations, times the geometric mean of the latter.
fn weighted_errors(
    arma: &Arma,
    residuals: &[f64],
    whitening: &mut Whitening<'_>,
    errors: &mut Vec<f64>,
) -> bool {
    if !whitening.run(arma, &[residuals]) {
        return false;
    }
    let factor = (0.5 * whitening.log_determinant / residuals.len() as f64).exp();
    errors.clear();
    errors.extend(whitening.errors[0].iter().map(|error| error * factor));
    true
}
