//! Metrics of predicted values.

use super::{Metrics, Named};

/// Labels below this fraction of the largest one are too small to divide by.
const SMALL: f64 = 1e-6;

/// Labels and predictions, prepared for many samples of the rows.
#[derive(Debug)]
pub(crate) struct ValueMetrics<'a> {
    values: &'a [f64],
    predictions: &'a [f64],
    /// Rows in ascending order of the absolute error.
    by_error: Vec<u32>,
    /// Ranks of values and predictions; equal ones share their mean rank.
    ranks: (Vec<f64>, Vec<f64>),
    has_percentages: bool,
}

impl<'a> ValueMetrics<'a> {
    pub(crate) fn new(values: &'a [f64], predictions: &'a [f64]) -> Self {
        let error = |row: u32| (values[row as usize] - predictions[row as usize]).abs();
        let mut by_error: Vec<u32> = (0..values.len() as u32).collect();
        by_error.sort_by(|&a, &b| error(a).total_cmp(&error(b)));
        let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        Self {
            values,
            predictions,
            by_error,
            ranks: (ranks(values), ranks(predictions)),
            has_percentages: largest > 0.0 && values.iter().all(|value| value.abs() > SMALL * largest),
        }
    }

    fn error(&self, row: usize) -> f64 {
        self.values[row] - self.predictions[row]
    }
}

impl Metrics for ValueMetrics<'_> {
    fn rows(&self) -> usize {
        self.values.len()
    }

    fn measure(&self, weights: &[f64]) -> Vec<Named> {
        let whole: f64 = weights.iter().sum();
        let mean = |of: &dyn Fn(usize) -> f64| {
            weights.iter().enumerate().map(|(row, weight)| weight * of(row)).sum::<f64>() / whole
        };
        let squared = mean(&|row| self.error(row).powi(2));
        let centre = mean(&|row| self.values[row]);
        let variance = mean(&|row| (self.values[row] - centre).powi(2));
        let mut below = 0.0;
        let median = self.by_error.iter().find(|&&row| {
            below += weights[row as usize];
            below >= whole / 2.0
        });
        let percentage = || 100.0 * mean(&|row| (self.error(row) / self.values[row]).abs());
        vec![
            ("rmse", Some(squared.sqrt())),
            ("mae", Some(mean(&|row| self.error(row).abs()))),
            ("r2", (variance > 0.0).then(|| 1.0 - squared / variance)),
            ("median_absolute_error", median.map(|&row| self.error(row as usize).abs())),
            ("mape", self.has_percentages.then(percentage)),
            ("spearman", correlation(&self.ranks.0, &self.ranks.1, weights, whole)),
        ]
    }
}

/// Weighted correlation; none if one side is constant.
fn correlation(left: &[f64], right: &[f64], weights: &[f64], whole: f64) -> Option<f64> {
    let mean = |of: &dyn Fn(usize) -> f64| {
        weights.iter().enumerate().map(|(row, weight)| weight * of(row)).sum::<f64>() / whole
    };
    let (a, b) = (mean(&|row| left[row]), mean(&|row| right[row]));
    let covariance = mean(&|row| (left[row] - a) * (right[row] - b));
    let spread = mean(&|row| (left[row] - a).powi(2)) * mean(&|row| (right[row] - b).powi(2));
    (spread > 0.0).then(|| covariance / spread.sqrt())
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let same = |&&row: &&u32| values[row as usize] == values[order[from] as usize];
        let count = order[from..].iter().take_while(same).count().max(1);
        order[from..from + count]
            .iter()
            .for_each(|&row| ranks[row as usize] = from as f64 + (count - 1) as f64 / 2.0);
        from += count;
    }
    ranks
}
