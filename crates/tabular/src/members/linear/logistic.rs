//! Logistic regression of two or more classes.

use super::columns::{Columns, dot};
use super::lbfgs::minimise;
use super::path::follow;
use super::penalty::{Penalty, strongest};
use super::{Link, Model};
use crate::members::output::mean_loss;
use crate::{Fitted, Lesson, Stop};

/// Maximum number of multiplications in all evaluations of one penalty.
const MOST_WORK: usize = 12_000_000_000;
const MOST_EVALUATIONS: usize = 100;
/// Fewer evaluations give no useful result.
const LEAST_EVALUATIONS: usize = 20;
const TOLERANCE: f64 = 1e-6;

pub(super) fn fit(
    columns: &Columns<'_>,
    labels: &[u32],
    (classes, l1_share): (usize, f64),
    lesson: &Lesson<'_>,
    stop: Stop<'_>,
) -> Option<Model> {
    let outputs = if classes == 2 { 1 } else { classes };
    let length = outputs * (columns.width() + 1);
    let evaluations = MOST_WORK / (2 * columns.rows * length).max(1);
    if evaluations < LEAST_EVALUATIONS || columns.rows == 0 {
        return None;
    }
    let mut point = start(labels, classes, outputs, columns.width());
    let evaluations = evaluations.min(MOST_EVALUATIONS);
    let mut gradient = vec![0.0; length];
    let free = Penalty::new(0.0, l1_share, 1.0);
    loss(columns, labels, outputs, free, &point, &mut gradient);
    let of_weights = gradient.chunks_exact(columns.width() + 1).flat_map(|part| &part[..columns.width()]);
    let slope = of_weights.fold(0.0_f64, |largest, slope| largest.max(slope.abs()));
    let (_, model) = follow(strongest(slope, l1_share, 1.0), |strength| {
        let penalty = Penalty::new(strength, l1_share, 1.0);
        descend(columns, labels, outputs, penalty, (evaluations, TOLERANCE), &mut point, stop);
        let model = to_model(columns, &point, outputs);
        let loss = mean_loss(lesson.validation_target, &model.predict(lesson.validation));
        (!stop()).then_some((loss, model))
    })?;
    Some(model)
}

/// Minimises the mean log loss with its penalty, for this many evaluations or to a tolerance.
pub(super) fn descend(
    columns: &Columns<'_>,
    labels: &[u32],
    outputs: usize,
    penalty: Penalty,
    (evaluations, tolerance): (usize, f64),
    point: &mut Vec<f64>,
    stop: Stop<'_>,
) {
    let mut absolute = vec![penalty.absolute; point.len()];
    absolute.iter_mut().skip(columns.width()).step_by(columns.width() + 1).for_each(|base| *base = 0.0);
    minimise(point, &absolute, evaluations, tolerance, |point, gradient| {
        // Nothing is lower, so the search ends.
        if stop() { f64::NEG_INFINITY } else { loss(columns, labels, outputs, penalty, point, gradient) }
    });
}

/// Zero weights, and bases for the shares of the classes. Each output has its weights, then its base.
fn start(labels: &[u32], classes: usize, outputs: usize, width: usize) -> Vec<f64> {
    let mut counts = vec![0.5; classes];
    for &label in labels {
        counts[label as usize] += 1.0;
    }
    let mut point = vec![0.0; outputs * (width + 1)];
    for (output, weights) in point.chunks_exact_mut(width + 1).enumerate() {
        let count: &f64 = &counts[if outputs == 1 { 1 } else { output }];
        let others = if outputs == 1 { counts[0] } else { labels.len() as f64 };
        weights[width] = (count / others).ln();
    }
    point
}

fn to_model(columns: &Columns<'_>, point: &[f64], outputs: usize) -> Model {
    let width = columns.width();
    let (mut weights, mut base) = (Vec::with_capacity(point.len()), Vec::with_capacity(outputs));
    for part in point.chunks_exact(width + 1) {
        let mut raw = part[..width].to_vec();
        base.push(part[width] + columns.to_raw(&mut raw));
        weights.extend(raw);
    }
    Model { weights, base, link: if outputs == 1 { Link::Logistic } else { Link::Softmax } }
}

/// The mean log loss plus the squared penalty on standardised columns, and the gradient.
pub(super) fn loss(
    columns: &Columns<'_>,
    labels: &[u32],
    outputs: usize,
    penalty: Penalty,
    point: &[f64],
    gradient: &mut [f64],
) -> f64 {
    let width = columns.width();
    let raw = to_model(columns, point, outputs);
    // For each output the products of residuals with raw columns and the sum of residuals; then the loss.
    let sums = columns.sum(outputs * (width + 1) + 1, |first, rows, sums| {
        let mut margins = vec![0.0; outputs * rows];
        for (output, margins) in margins.chunks_exact_mut(rows).enumerate() {
            margins.fill(raw.base[output]);
            let weights = &raw.weights[output * width..];
            for (column, weight) in columns.borrowed.iter().zip(weights).filter(|(_, weight)| **weight != 0.0)
            {
                for (margin, value) in margins.iter_mut().zip(&column[first..]) {
                    *margin += weight * value;
                }
            }
        }
        let labels = &labels[first..first + rows];
        let loss = if outputs == 1 { binary(labels, &mut margins) } else { several(labels, &mut margins) };
        for (residuals, sums) in margins.chunks_exact(rows).zip(sums.chunks_exact_mut(width + 1)) {
            for (column, sum) in columns.borrowed.iter().zip(&mut *sums) {
                *sum += dot(&column[first..first + rows], residuals);
            }
            sums[width] += residuals.iter().sum::<f64>();
        }
        sums[outputs * (width + 1)] += loss;
    });
    let rows = columns.rows as f64;
    let mut value = sums[outputs * (width + 1)] / rows;
    for ((gradient, sums), point) in gradient
        .chunks_exact_mut(width + 1)
        .zip(sums.chunks_exact(width + 1))
        .zip(point.chunks_exact(width + 1))
    {
        let whole = sums[width];
        for place in 0..width {
            let slope = (sums[place] - columns.means[place] * whole) * columns.scales[place];
            gradient[place] = slope / rows + penalty.square * point[place];
        }
        gradient[width] = whole / rows;
        value += 0.5 * penalty.square * dot(&point[..width], &point[..width]);
    }
    value
}

/// The log loss of two classes; replaces margins by residuals.
fn binary(labels: &[u32], margins: &mut [f64]) -> f64 {
    let mut loss = 0.0;
    for (margin, &label) in margins.iter_mut().zip(labels) {
        let label = f64::from(label);
        loss += margin.max(0.0) + (-margin.abs()).exp().ln_1p() - label * *margin;
        *margin = 1.0 / (1.0 + (-*margin).exp()) - label;
    }
    loss
}

/// The log loss of more classes; replaces margins (output by output) by residuals.
fn several(labels: &[u32], margins: &mut [f64]) -> f64 {
    let rows = labels.len();
    let mut loss = 0.0;
    for (row, &label) in labels.iter().enumerate() {
        let places = || (row..).step_by(rows);
        let count = margins.len() / rows;
        let largest = places().take(count).map(|at| margins[at]).fold(f64::NEG_INFINITY, f64::max);
        let of_label = margins[label as usize * rows + row];
        let mut sum = 0.0;
        for at in places().take(count) {
            margins[at] = (margins[at] - largest).exp();
            sum += margins[at];
        }
        for at in places().take(count) {
            margins[at] /= sum;
        }
        margins[label as usize * rows + row] -= 1.0;
        loss += sum.ln() + largest - of_label;
    }
    loss
}
