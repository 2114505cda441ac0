//! Metrics of predictions, with their uncertainty.

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

/// A named number; none if it is undefined for these rows.
pub(crate) type Named = (&'static str, Option<f64>);

/// Metrics of one set of predictions, for row weights that the bootstrap draws.
pub(crate) trait Metrics: Sync {
    /// All metrics, in the order of reports; one weight per row.
    fn measure(&self, weights: &[f64]) -> Vec<Named>;

    /// Number of rows.
    fn rows(&self) -> usize;
}

/// The metrics for a task.
pub(crate) fn metrics<'a>(target: &'a Target, predictions: &'a [f64]) -> Box<dyn Metrics + 'a> {
    match target {
        Target::Classes { labels, classes } => Box::new(ClassMetrics::new(labels, *classes, predictions)),
        Target::Values(values) => Box::new(ValueMetrics::new(values, predictions)),
    }
}
