//! Functions that members share: the losses by which settings are chosen, probabilities of two classes, and whether
//! values are skewed.

use crate::Target;

/// Lower limit of probabilities in the loss.
const LEAST: f64 = 1e-15;
/// Minimum skewness of positive values for which logarithms are tried.
const SKEWED: f64 = 1.0;

/// `[1 - p, p]` for each probability p of class 1.
pub(super) fn both_classes(ones: &[f64]) -> Vec<f64> {
    ones.iter()
        .flat_map(|&one| {
            let one = one.clamp(0.0, 1.0);
            [1.0 - one, one]
        })
        .collect()
}

/// Rescales the probabilities of each row to sum to 1.
pub(super) fn normalise(probabilities: &mut [f64], classes: usize) {
    for row in probabilities.chunks_exact_mut(classes) {
        let sum: f64 = row.iter().sum();
        for value in row.iter_mut() {
            *value = if sum > 0.0 { *value / sum } else { 1.0 / classes as f64 };
        }
    }
}

/// Mean log loss of probabilities, or mean squared error of values; infinite if any prediction is not a number.
pub(super) fn mean_loss(target: &Target, predictions: &[f64]) -> f64 {
    let rows = target.len().max(1) as f64;
    let sum: f64 = match target {
        Target::Classes { labels, classes } => labels
            .iter()
            .zip(predictions.chunks_exact(*classes))
            .map(|(&label, row)| -row[label as usize].max(LEAST).ln())
            .sum(),
        Target::Values(values) => {
            values.iter().zip(predictions).map(|(value, prediction)| (value - prediction).powi(2)).sum()
        }
    };
    if sum.is_finite() { sum / rows } else { f64::INFINITY }
}

/// Whether values are positive and so skewed that their logarithms may be easier to learn.
pub(super) fn is_skewed(values: &[f64]) -> bool {
    values.iter().all(|value| *value > 0.0) && skewness(values) >= SKEWED
}

fn skewness(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let moment = |power: i32| values.iter().map(|value| (value - mean).powi(power)).sum::<f64>() / count;
    let variance = moment(2);
    if variance > 0.0 { moment(3) / variance.powf(1.5) } else { 0.0 }
}
