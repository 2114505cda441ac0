//! Linear models: ridge regression, logistic regression of two or more classes, and elastic nets of both. The penalty
//! is the one that does best on the held-back rows.

mod columns;
mod coordinate_descent;
mod lbfgs;
mod logistic;
mod path;
mod penalty;
mod ridge;
#[cfg(test)]
mod tests;

pub(super) use columns::Columns;

use super::LINEAR;
use super::output::{both_classes, normalise};
use crate::{Fitted, Learner, Lesson, Matrix, Stop, Target, View};

/// Share of the absolute values in the elastic net's penalty.
const L1_SHARE: f64 = 0.5;

/// Ridge or logistic regression.
pub(super) struct Linear;

impl Learner for Linear {
    fn name(&self) -> &'static str {
        LINEAR
    }

    fn view(&self) -> View {
        View::Dense
    }

    fn fit(&self, lesson: &Lesson<'_>, stop: Stop<'_>) -> Option<Box<dyn Fitted>> {
        fit(lesson, 0.0, stop)
    }
}

/// The same with a penalty that removes useless columns (Zou and Hastie, *Regularization and variable selection via the
/// elastic net*, 2005).
pub(super) struct ElasticNet;

impl Learner for ElasticNet {
    fn name(&self) -> &'static str {
        "elastic_net"
    }

    fn view(&self) -> View {
        View::Dense
    }

    fn fit(&self, lesson: &Lesson<'_>, stop: Stop<'_>) -> Option<Box<dyn Fitted>> {
        fit(lesson, L1_SHARE, stop)
    }
}

fn fit(lesson: &Lesson<'_>, l1_share: f64, stop: Stop<'_>) -> Option<Box<dyn Fitted>> {
    let columns = Columns::new(lesson.training);
    let model = match lesson.target {
        Target::Values(values) => ridge::fit(&columns, values, l1_share, lesson, stop)?,
        Target::Classes { labels, classes } => {
            logistic::fit(&columns, labels, (*classes, l1_share), lesson, stop)?
        }
    };
    Some(Box::new(model))
}

/// Weights of raw columns, and how sums become predictions.
#[derive(Debug, Clone)]
pub(super) struct Model {
    /// One number per column for each output, output by output.
    weights: Vec<f64>,
    /// The base of each output.
    base: Vec<f64>,
    link: Link,
}

#[derive(Debug, Clone, Copy)]
enum Link {
    /// The sum, clamped.
    Value { low: f64, high: f64 },
    /// `factor` times the exponential of the clamped sum.
    Exponential { low: f64, high: f64, factor: f64 },
    /// The probability of class 1 of two.
    Logistic,
    /// Probabilities of more classes.
    Softmax,
}

impl Fitted for Model {
    fn predict(&self, rows: &Matrix) -> Vec<f64> {
        if rows.rows == 0 {
            return Vec::new();
        }
        let outputs = self.base.len();
        let mut out = self.base.repeat(rows.rows);
        for (output, weights) in self.weights.chunks_exact(rows.columns.len().max(1)).enumerate() {
            for (column, weight) in rows.columns.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
                for (out, value) in out[output..].iter_mut().step_by(outputs).zip(column) {
                    *out += weight * value;
                }
            }
        }
        match self.link {
            Link::Value { low, high } => out.iter_mut().for_each(|value| *value = value.clamp(low, high)),
            Link::Exponential { low, high, factor } => {
                for value in &mut out {
                    *value = factor * value.clamp(low, high).exp();
                }
            }
            Link::Logistic => {
                for value in &mut out {
                    *value = 1.0 / (1.0 + (-*value).exp());
                }
                return both_classes(&out);
            }
            Link::Softmax => {
                for row in out.chunks_exact_mut(outputs) {
                    let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    for value in row.iter_mut() {
                        *value = (*value - largest).exp();
                    }
                }
                normalise(&mut out, outputs);
            }
        }
        out
    }
}
