//! Metrics of class probabilities.

use super::ranking::Ranking;
use super::{Metrics, Named};
use crate::loss::SMALLEST;

/// Number of bins of the calibration error, as in Guo et al. (2017).
const BINS: usize = 15;
/// With more classes, ranking metrics cost more than they are worth.
const MOST_RANKED: usize = 50;

/// Labels and probabilities, prepared for many samples of the rows.
#[derive(Debug)]
pub(crate) struct ClassMetrics<'a> {
    labels: &'a [u32],
    classes: usize,
    probabilities: &'a [f64],
    predicted: Vec<u32>,
    /// One per ranked class: the second of two, or each of several.
    rankings: Vec<(u32, Ranking)>,
}

impl<'a> ClassMetrics<'a> {
    pub(crate) fn new(labels: &'a [u32], classes: usize, probabilities: &'a [f64]) -> Self {
        let ranked = match classes {
            2 => 1..2,
            3..=MOST_RANKED => 0..classes as u32,
            _ => 0..0,
        };
        let score = |class: u32| move |row: usize| probabilities[row * classes + class as usize];
        Self {
            labels,
            classes,
            probabilities,
            predicted: probabilities.chunks_exact(classes).map(most_likely).collect(),
            rankings: ranked.map(|class| (class, Ranking::new(score(class), labels.len()))).collect(),
        }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.probabilities[row * self.classes..][..self.classes]
    }

    /// Mean over the ranked classes for which the metric is defined.
    fn ranked(
        &self,
        weights: &[f64],
        measure: impl Fn(&Ranking, &dyn Fn(usize) -> bool, &[f64]) -> Option<f64>,
    ) -> Option<f64> {
        let of =
            |(class, ranking): &(u32, Ranking)| measure(ranking, &|row| self.labels[row] == *class, weights);
        let values: Vec<f64> = self.rankings.iter().filter_map(of).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    fn calibration_error(&self, weights: &[f64], whole: f64) -> f64 {
        let mut bins = [(0.0, 0.0); BINS];
        for (row, &weight) in weights.iter().enumerate() {
            let (right, confidence) = (self.predicted[row] == self.labels[row], self.confidence(row));
            let bin = &mut bins[bin_of(confidence)];
            bin.0 += weight * f64::from(u8::from(right));
            bin.1 += weight * confidence;
        }
        bins.iter().map(|(right, confidence)| (right - confidence).abs()).sum::<f64>() / whole
    }

    fn confidence(&self, row: usize) -> f64 {
        self.row(row)[self.predicted[row] as usize]
    }
}

impl Metrics for ClassMetrics<'_> {
    fn rows(&self) -> usize {
        self.labels.len()
    }

    fn measure(&self, weights: &[f64]) -> Vec<Named> {
        let whole: f64 = weights.iter().sum();
        let mean = |of: &dyn Fn(usize) -> f64| {
            weights.iter().enumerate().map(|(row, weight)| weight * of(row)).sum::<f64>() / whole
        };
        let counts = Counts::of(self, weights);
        let brier = |row: usize| {
            let label = self.labels[row] as usize;
            let square = |(class, p): (usize, &f64)| (p - f64::from(u8::from(class == label))).powi(2);
            self.row(row).iter().enumerate().map(square).sum::<f64>()
        };
        vec![
            ("accuracy", Some(mean(&|row| f64::from(u8::from(self.predicted[row] == self.labels[row]))))),
            ("balanced_accuracy", counts.balanced_accuracy()),
            // A certain prediction has a loss of 0 rather than -0.
            (
                "log_loss",
                Some(0.0 - mean(&|row| self.row(row)[self.labels[row] as usize].max(SMALLEST).ln())),
            ),
            ("roc_auc", self.ranked(weights, Ranking::roc_auc)),
            ("pr_auc", self.ranked(weights, Ranking::average_precision)),
            ("brier", Some(mean(&brier))),
            ("calibration_error", Some(self.calibration_error(weights, whole))),
            ("macro_f1", counts.macro_f1()),
            ("mcc", counts.correlation()),
        ]
    }
}

/// Weights by class: of the labels, of the predictions, and of the correct predictions.
struct Counts {
    actual: Vec<f64>,
    predicted: Vec<f64>,
    right: Vec<f64>,
}

impl Counts {
    fn of(metrics: &ClassMetrics<'_>, weights: &[f64]) -> Self {
        let empty = vec![0.0; metrics.classes];
        let mut counts = Self { actual: empty.clone(), predicted: empty.clone(), right: empty };
        for (row, &weight) in weights.iter().enumerate() {
            let (label, predicted) = (metrics.labels[row] as usize, metrics.predicted[row] as usize);
            counts.actual[label] += weight;
            counts.predicted[predicted] += weight;
            if label == predicted {
                counts.right[label] += weight;
            }
        }
        counts
    }

    /// Mean recall of the classes that occur.
    fn balanced_accuracy(&self) -> Option<f64> {
        let recalls: Vec<f64> = self
            .actual
            .iter()
            .zip(&self.right)
            .filter(|(all, _)| **all > 0.0)
            .map(|(all, right)| right / all)
            .collect();
        (!recalls.is_empty()).then(|| recalls.iter().sum::<f64>() / recalls.len() as f64)
    }

    /// Mean over the classes that occur or are predicted.
    fn macro_f1(&self) -> Option<f64> {
        let scores: Vec<f64> = (0..self.actual.len())
            .filter(|&class| self.actual[class] + self.predicted[class] > 0.0)
            .map(|class| 2.0 * self.right[class] / (self.actual[class] + self.predicted[class]))
            .collect();
        (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    }

    /// Correlation of labels and predictions (Gorodkin, 2004), which is Matthews' correlation for two classes.
    fn correlation(&self) -> Option<f64> {
        let whole: f64 = self.actual.iter().sum();
        let right: f64 = self.right.iter().sum();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let square = whole * whole;
        let spread =
            (square - dot(&self.predicted, &self.predicted)) * (square - dot(&self.actual, &self.actual));
        (spread > 0.0).then(|| (right * whole - dot(&self.actual, &self.predicted)) / spread.sqrt())
    }
}

/// Index of the largest probability, the first among equals.
pub(crate) fn most_likely(row: &[f64]) -> u32 {
    let mut best = 0;
    for (class, p) in row.iter().enumerate() {
        if *p > row[best] {
            best = class;
        }
    }
    best as u32
}

fn bin_of(confidence: f64) -> usize {
    ((confidence * BINS as f64) as usize).min(BINS - 1)
}

/// Predicted and observed shares and numbers of rows, by bins of the prediction: of the second class of two, otherwise
/// of the predicted class.
pub(crate) fn calibration_curve(
    labels: &[u32],
    classes: usize,
    probabilities: &[f64],
) -> Vec<(f64, f64, u64)> {
    let mut bins = vec![(0.0, 0.0, 0_u64); BINS];
    for (&label, row) in labels.iter().zip(probabilities.chunks_exact(classes)) {
        let class = if classes == 2 { 1 } else { most_likely(row) };
        let predicted = row[class as usize];
        let bin = &mut bins[bin_of(predicted)];
        bin.0 += predicted;
        bin.1 += f64::from(u8::from(label == class));
        bin.2 += 1;
    }
    bins.retain(|bin| bin.2 > 0);
    bins.iter()
        .map(|&(predicted, observed, rows)| (predicted / rows as f64, observed / rows as f64, rows))
        .collect()
}

/// Number of rows by actual and predicted class; classes from `most` on share the last row and column.
pub(crate) fn confusion(labels: &[u32], classes: usize, probabilities: &[f64], most: usize) -> Vec<Vec<u64>> {
    let shown = if classes > most { most + 1 } else { classes };
    let place = |class: u32| (class as usize).min(shown - 1);
    let mut counts = vec![vec![0; shown]; shown];
    for (&label, row) in labels.iter().zip(probabilities.chunks_exact(classes)) {
        counts[place(label)][place(most_likely(row))] += 1;
    }
    counts
}
