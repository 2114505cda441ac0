//! Ridge regression and elastic nets of values, or of their logarithms if that does better.

use rayon::prelude::*;
use tabcast_statistics::{factorise_positive_definite, solve_factorised};

use super::columns::{Columns, dot};
use super::coordinate_descent;
use super::lbfgs::minimise;
use super::path::follow;
use super::penalty::{Penalty, strongest};
use super::{Link, Model};
use crate::members::output::{is_skewed, mean_loss};
use crate::{Fitted, Lesson, Stop};

/// With more columns, the equations are minimised iteratively instead of solved.
const MOST_SOLVED: usize = 500;
/// Maximum number of multiplications for the products of all pairs of columns.
const MOST_WORK: usize = 40_000_000_000;
const MOST_EVALUATIONS: usize = 100;
/// Minimum gain of a step, as a fraction of the variance or of the loss.
const TOLERANCE: f64 = 1e-7;
/// How far predictions may exceed the known values, as a fraction of their range.
const BEYOND: f64 = 0.25;

pub(super) fn fit(
    columns: &Columns<'_>,
    values: &[f64],
    l1_share: f64,
    lesson: &Lesson<'_>,
    stop: Stop<'_>,
) -> Option<Model> {
    let squares = Products::new(columns, stop)?;
    let judge = |model: &Model| mean_loss(lesson.validation_target, &model.predict(lesson.validation));
    let (low, high) = range(values);
    let link = Link::Value { low: low - BEYOND * (high - low), high: high + BEYOND * (high - low) };
    let plain = squares.follow(columns, (values, l1_share), link, &judge, stop)?;
    if !is_skewed(values) {
        return Some(plain.1);
    }
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let (low, high) = range(&logarithms);
    let link = Link::Exponential { low, high, factor: 1.0 };
    let (_, mut other) = squares.follow(columns, (&logarithms, l1_share), link, &judge, stop)?;
    // The exponential of a mean is less than the mean of exponentials (Duan, Smearing estimate, 1983).
    let predicted: f64 = other.predict(lesson.training).iter().sum();
    other.link = Link::Exponential { low, high, factor: values.iter().sum::<f64>() / predicted };
    Some(if judge(&other) < plain.0 { other } else { plain.1 })
}

/// Products that stay the same for all penalties and targets.
pub(super) struct Products {
    /// Products of standardised columns, divided by the number of rows; empty if there are too many columns.
    pub(super) gram: Vec<f64>,
}

impl Products {
    pub(super) fn new(columns: &Columns<'_>, stop: Stop<'_>) -> Option<Self> {
        let width = columns.width();
        if columns.rows == 0 {
            return None;
        }
        if width == 0 || width > MOST_SOLVED || columns.rows * width * width / 2 > MOST_WORK {
            return Some(Self { gram: Vec::new() });
        }
        let sums = columns.sum(width * width, |first, rows, sums| {
            if stop() {
                return;
            }
            for (one, sums) in sums.chunks_exact_mut(width).enumerate() {
                let column = &columns.borrowed[one][first..first + rows];
                for (sum, other) in sums[..=one].iter_mut().zip(&columns.borrowed) {
                    *sum += dot(column, &other[first..first + rows]);
                }
            }
        });
        let rows = columns.rows as f64;
        let mut gram = vec![0.0; width * width];
        for one in 0..width {
            for other in 0..=one {
                let raw = sums[one * width + other] / rows - columns.means[one] * columns.means[other];
                let product = raw * columns.scales[one] * columns.scales[other];
                gram[one * width + other] = product;
                gram[other * width + one] = product;
            }
        }
        (!stop()).then_some(Self { gram })
    }

    /// The model of the best penalty, with its loss.
    fn follow(
        &self,
        columns: &Columns<'_>,
        (values, l1_share): (&[f64], f64),
        link: Link,
        judge: &impl Fn(&Model) -> f64,
        stop: Stop<'_>,
    ) -> Option<(f64, Model)> {
        let width = columns.width();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let centred: Vec<f64> = values.iter().map(|value| value - mean).collect();
        let right = right(columns, &centred);
        let deviation = (dot(&centred, &centred) / values.len() as f64).sqrt();
        let slope = right.iter().fold(0.0_f64, |largest, product| largest.max(product.abs()));
        let mut point = vec![0.0; width];
        follow(strongest(slope, l1_share, deviation), |strength| {
            let penalty = Penalty::new(strength, l1_share, deviation);
            let limits = (MOST_EVALUATIONS, TOLERANCE);
            self.fit(columns, (&centred, &right), penalty, limits, &mut point, stop);
            let mut weights = point.clone();
            let base = mean + columns.to_raw(&mut weights);
            let model = Model { weights, base: vec![base], link };
            (!stop()).then(|| (judge(&model), model))
        })
    }

    /// Moves the weights of standardised columns to the penalised least-squares solution, for this many evaluations or
    /// to a tolerance.
    pub(super) fn fit(
        &self,
        columns: &Columns<'_>,
        (centred, right): (&[f64], &[f64]),
        penalty: Penalty,
        (evaluations, tolerance): (usize, f64),
        point: &mut Vec<f64>,
        stop: Stop<'_>,
    ) {
        if self.gram.is_empty() {
            descend(columns, centred, penalty, (evaluations, tolerance), point, stop);
        } else if penalty.absolute > 0.0 {
            let variance = dot(centred, centred) / centred.len() as f64;
            coordinate_descent::descend(&self.gram, right, penalty, tolerance * variance, point, stop);
        } else {
            self.solve(right, penalty, point);
        }
    }

    fn solve(&self, right: &[f64], penalty: Penalty, point: &mut [f64]) {
        let mut matrix = self.gram.clone();
        matrix.iter_mut().step_by(right.len() + 1).for_each(|value| *value += penalty.square);
        point.copy_from_slice(right);
        if factorise_positive_definite(&mut matrix, right.len()) {
            solve_factorised(&matrix, point);
        } else {
            point.fill(0.0);
        }
    }
}

/// Mean products of standardised columns with the target.
pub(super) fn right(columns: &Columns<'_>, centred: &[f64]) -> Vec<f64> {
    columns
        .borrowed
        .par_iter()
        .zip(&columns.scales)
        .map(|(column, scale)| dot(column, centred) * scale / centred.len() as f64)
        .collect()
}

/// Minimises the mean squared error with its penalty.
fn descend(
    columns: &Columns<'_>,
    centred: &[f64],
    penalty: Penalty,
    (evaluations, tolerance): (usize, f64),
    point: &mut Vec<f64>,
    stop: Stop<'_>,
) {
    let width = columns.width();
    let absolute = vec![penalty.absolute; width];
    minimise(point, &absolute, evaluations, tolerance, |point, gradient| {
        if stop() {
            // Nothing is lower, so the search ends.
            return f64::NEG_INFINITY;
        }
        let mut raw = point.to_vec();
        let base = columns.to_raw(&mut raw);
        let sums = columns.sum(width + 2, |first, rows, sums| {
            let mut residuals: Vec<f64> =
                centred[first..first + rows].iter().map(|value| base - value).collect();
            for (column, weight) in columns.borrowed.iter().zip(&raw).filter(|(_, weight)| **weight != 0.0) {
                for (residual, value) in residuals.iter_mut().zip(&column[first..]) {
                    *residual += weight * value;
                }
            }
            for (column, sum) in columns.borrowed.iter().zip(&mut *sums) {
                *sum += dot(&column[first..first + rows], &residuals);
            }
            sums[width] += residuals.iter().sum::<f64>();
            sums[width + 1] += dot(&residuals, &residuals);
        });
        let rows = columns.rows as f64;
        for place in 0..width {
            let slope = (sums[place] - columns.means[place] * sums[width]) * columns.scales[place];
            gradient[place] = slope / rows + penalty.square * point[place];
        }
        0.5 * sums[width + 1] / rows + 0.5 * penalty.square * dot(point, point)
    });
}

fn range(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)))
}
