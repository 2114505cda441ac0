//! Nonlinear least squares with bounds.

use std::mem::swap;

use crate::solve_positive_definite;

/// A sum of squared residuals as a function of a point.
pub trait SumOfSquares {
    /// Whether derivatives cost little more than the value alone, so that every step computes both at once.
    const CHEAP_DERIVATIVES: bool = false;

    /// The sum of squares at `point`; infinite or NaN if the point is not allowed.
    fn value(&mut self, point: &[f64]) -> f64;

    /// The sum of squares at an allowed `point`, with the products of the residuals' Jacobian: with itself into the
    /// lower triangle of `matrix` (row by row), and with the residuals into `gradient`.
    fn linearise(&mut self, point: &[f64], matrix: &mut [f64], gradient: &mut [f64]) -> f64;
}

/// Stopping rules of a search for the smallest sum of squares.
#[derive(Debug, Clone, Copy)]
pub struct Stop {
    /// Stops when a step is expected to reduce the sum by no more than this fraction.
    pub reduction: f64,
    /// Stops after this many steps, including rejected ones.
    pub steps: usize,
}

/// The initial damping of a step, as a fraction of the matrix' diagonal.
const FIRST_DAMPING: f64 = 1e-3;
/// With more damping than this, a search no longer moves.
const MOST_DAMPING: f64 = 1e8;
/// Keeps directions without effect on the residuals at rest.
const SMALLEST_DIAGONAL: f64 = 1e-12;

/// Searches for a least-squares point between `lower` and `upper`, and keeps its working memory between searches.
///
/// Source: Levenberg (1944) and Marquardt, An algorithm for least-squares estimation of nonlinear parameters, SIAM
/// Journal 11 (1963), damped in proportion to the diagonal; damping updates of Nielsen, Damping parameter in
/// Marquardt's method, report IMM-REP-1999-05. Difference from the source: a variable whose step leaves the box stops
/// at the face, and the step of the others is then solved again.
#[derive(Debug, Default)]
pub struct LeastSquares {
    matrix: Vec<f64>,
    gradient: Vec<f64>,
    damped: Vec<f64>,
    right: Vec<f64>,
    step: Vec<f64>,
    free: Vec<usize>,
    trial: Vec<f64>,
    trial_matrix: Vec<f64>,
    trial_gradient: Vec<f64>,
}

impl LeastSquares {
    /// A search without allocated memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves `point`, which lies in the box, to a local minimum of `sum`, and returns the value there.
    ///
    /// # Panics
    ///
    /// If `lower` or `upper` is shorter than `point`.
    pub fn search<S: SumOfSquares>(
        &mut self,
        sum: &mut S,
        point: &mut [f64],
        lower: &[f64],
        upper: &[f64],
        stop: Stop,
    ) -> f64 {
        let order = point.len();
        for (storage, length) in [
            (&mut self.matrix, order * order),
            (&mut self.gradient, order),
            (&mut self.step, order),
            (&mut self.trial, order),
            (&mut self.trial_matrix, order * order),
            (&mut self.trial_gradient, order),
        ] {
            storage.clear();
            storage.resize(length, 0.0);
        }
        let mut value = sum.linearise(point, &mut self.matrix, &mut self.gradient);
        let (mut damping, mut growth) = (FIRST_DAMPING, 2.0);
        for _ in 0..stop.steps {
            if value.is_nan() || value <= 0.0 {
                break;
            }
            let expected = self.solve_step(point, lower, upper, damping);
            if expected <= stop.reduction * value {
                break;
            }
            for index in 0..order {
                let moved = point[index] + self.step[index];
                self.trial[index] = moved.clamp(lower[index], upper[index]);
            }
            let reduction = value
                - if S::CHEAP_DERIVATIVES {
                    sum.linearise(&self.trial, &mut self.trial_matrix, &mut self.trial_gradient)
                } else {
                    sum.value(&self.trial)
                };
            if reduction > 0.0 {
                point.copy_from_slice(&self.trial);
                if S::CHEAP_DERIVATIVES {
                    swap(&mut self.matrix, &mut self.trial_matrix);
                    swap(&mut self.gradient, &mut self.trial_gradient);
                    value -= reduction;
                } else {
                    value = sum.linearise(point, &mut self.matrix, &mut self.gradient);
                }
                let surplus = 2.0 * (reduction / expected) - 1.0;
                damping *= (1.0 - surplus * surplus * surplus).max(0.1);
                growth = 2.0;
                if reduction <= stop.reduction * value {
                    break;
                }
            } else {
                damping *= growth;
                growth *= 2.0;
                if damping > MOST_DAMPING {
                    break;
                }
            }
        }
        value
    }

    /// Solves for the damped step within the box, and returns the reduction that the linearised residuals predict.
    fn solve_step(&mut self, point: &[f64], lower: &[f64], upper: &[f64], damping: f64) -> f64 {
        let order = point.len();
        self.step.fill(0.0);
        self.free.clear();
        for index in 0..order {
            let slope = self.gradient[index];
            let blocked = lower[index] >= upper[index]
                || (slope > 0.0 && point[index] <= lower[index])
                || (slope < 0.0 && point[index] >= upper[index]);
            if !blocked {
                self.free.push(index);
            }
        }
        while !self.free.is_empty() {
            self.damped.clear();
            self.right.clear();
            for (row, &index) in self.free.iter().enumerate() {
                // Steps of variables that stopped at a face enter the right side.
                let stopped: f64 = (0..order)
                    .filter(|other| self.step[*other] != 0.0)
                    .map(|other| self.product(index, other) * self.step[other])
                    .sum();
                self.right.push(-self.gradient[index] - stopped);
                for &other in &self.free {
                    self.damped.push(self.product(index, other));
                }
                let diagonal = &mut self.damped[row * self.free.len() + row];
                *diagonal += damping * *diagonal + SMALLEST_DIAGONAL;
            }
            if !solve_positive_definite(&mut self.damped, &mut self.right) {
                return 0.0;
            }
            let mut inside = 0;
            for row in 0..self.free.len() {
                let index = self.free[row];
                let (down, up) = (lower[index] - point[index], upper[index] - point[index]);
                if (down..=up).contains(&self.right[row]) {
                    self.free[inside] = index;
                    self.right[inside] = self.right[row];
                    inside += 1;
                } else {
                    self.step[index] = self.right[row].clamp(down, up);
                }
            }
            if inside == self.free.len() {
                for (&index, &step) in self.free.iter().zip(&self.right) {
                    self.step[index] = step;
                }
                break;
            }
            self.free.truncate(inside);
        }
        let mut expected = 0.0;
        for row in 0..order {
            let along: f64 = (0..order).map(|column| self.product(row, column) * self.step[column]).sum();
            expected -= self.step[row] * (2.0 * self.gradient[row] + along);
        }
        expected
    }

    fn product(&self, a: usize, b: usize) -> f64 {
        self.matrix[a.max(b) * self.gradient.len() + a.min(b)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Residuals 10 · (y - x²) and 1 - x: the banana function.
    struct Banana;

    impl SumOfSquares for Banana {
        fn value(&mut self, point: &[f64]) -> f64 {
            100.0 * (point[1] - point[0] * point[0]).powi(2) + (1.0 - point[0]).powi(2)
        }

        fn linearise(&mut self, point: &[f64], matrix: &mut [f64], gradient: &mut [f64]) -> f64 {
            let (x, bend) = (point[0], 10.0 * (point[1] - point[0] * point[0]));
            matrix.copy_from_slice(&[400.0 * x * x + 1.0, 0.0, -200.0 * x, 100.0]);
            gradient.copy_from_slice(&[-20.0 * x * bend - (1.0 - x), 10.0 * bend]);
            self.value(point)
        }
    }

    const STOP: Stop = Stop { reduction: 1e-14, steps: 200 };

    #[test]
    fn finds_the_minimum_of_the_banana_function() {
        let mut point = [-1.2, 1.0];
        let value = LeastSquares::new().search(&mut Banana, &mut point, &[-5.0; 2], &[5.0; 2], STOP);
        assert!(value < 1e-12 && (point[0] - 1.0).abs() < 1e-6, "{point:?} {value}");
    }

    #[test]
    fn stops_at_the_best_point_of_a_face() {
        let mut point = [-1.2, 1.0];
        LeastSquares::new().search(&mut Banana, &mut point, &[-5.0; 2], &[0.5, 5.0], STOP);
        assert!((point[0] - 0.5).abs() < 1e-9 && (point[1] - 0.25).abs() < 1e-6, "{point:?}");
    }
}
