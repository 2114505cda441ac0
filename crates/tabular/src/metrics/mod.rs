//! How good predictions are, with the uncertainty of so few rows.

mod bootstrap;
mod classification;
mod ranking;
mod regression;

pub(crate) use bootstrap::intervals;
pub(crate) use classification::{ClassMetrics, calibration_curve, confusion, most_likely};
pub(crate) use regression::ValueMetrics;

#[cfg(test)]
mod tests;

use crate::Target;

/// A named number; none where it is not defined for these rows.
pub(crate) type Named = (&'static str, Option<f64>);

/// Measures of one set of predictions, for weights of the rows that the bootstrap draws.
pub(crate) trait Metrics: Sync {
    /// All measures, in the order of reports; a weight a row.
    fn measure(&self, weights: &[f64]) -> Vec<Named>;

    /// Rows.
    fn rows(&self) -> usize;
}

/// The measures for a task.
pub(crate) fn metrics<'a>(target: &'a Target, predictions: &'a [f64]) -> Box<dyn Metrics + 'a> {
    match target {
        Target::Classes { labels, classes } => Box::new(ClassMetrics::new(labels, *classes, predictions)),
        Target::Values(values) => Box::new(ValueMetrics::new(values, predictions)),
    }
}
