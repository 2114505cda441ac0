//! The windows of one series.

use std::ops::Range;

use super::RollingRegressionOptions;
use super::window::{Fit, RIDGE, fit};
use crate::correlations::Centre;
use crate::{Features, MIN_ROWS, Values};

/// State shared by all series.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    /// The features, then the target.
    columns: Vec<&'a [f64]>,
    pub(super) window: usize,
    most_windows: usize,
}

/// The results for a series.
#[derive(Debug)]
pub(super) struct Regressed {
    /// The table rows of each window, in chronological order.
    pub(super) windows: Vec<(Range<usize>, Fit)>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        features: &'a Features,
        target: &'a [f64],
        chosen: &[usize],
        options: &RollingRegressionOptions,
    ) -> Self {
        let numbers = chosen.iter().filter_map(|&place| match &features.columns()[place].values {
            Values::Numbers(numbers) => Some(numbers.as_slice()),
            Values::Levels { .. } => None,
        });
        let columns: Vec<&[f64]> = numbers.chain([target]).collect();
        let season = if options.season > 1 { options.season } else { 0 };
        Self {
            window: (3 * season).max(10 * columns.len()).max(24),
            columns,
            most_windows: options.max_windows.max(1),
        }
    }
}

/// None if the series is too short or constant.
pub(super) fn regress(plan: &Plan<'_>, range: Range<usize>) -> Option<Regressed> {
    let (window, width, length) = (plan.window, plan.columns.len(), range.len());
    let present: Vec<bool> =
        range.clone().map(|row| plan.columns.iter().all(|column| column[row].is_finite())).collect();
    if length < window || present.iter().filter(|&&is_present| is_present).count() < MIN_ROWS {
        return None;
    }
    let rows = standardised(plan, range.clone(), &present);
    let step = (window / 4).max((length - window) / plan.most_windows + 1);
    let starts = ((length - window) % step..=length - window).step_by(step);
    let windows = starts.filter_map(|start| {
        let inside = start..start + window;
        let present = &present[inside.clone()];
        let is_enough = 4 * present.iter().filter(|&&is_present| is_present).count() >= 3 * window;
        let fit =
            is_enough.then(|| fit(&rows[inside.start * width..inside.end * width], present, width, RIDGE))?;
        Some((range.start + inside.start..range.start + inside.end, fit?))
    });
    let windows: Vec<_> = windows.collect();
    (!windows.is_empty()).then_some(Regressed { windows })
}

/// The columns row by row, standardised over the series, with zeros in incomplete rows and in constant columns.
fn standardised(plan: &Plan<'_>, range: Range<usize>, present: &[bool]) -> Vec<f64> {
    let width = plan.columns.len();
    let mut rows = vec![0.0; range.len() * width];
    for (place, column) in plan.columns.iter().enumerate() {
        let column = &column[range.clone()];
        let whole = || column.iter().zip(present).enumerate().filter(|(_, (_, is_present))| **is_present);
        let known: Vec<f64> = whole().map(|(_, (&value, _))| value).collect();
        let Some(centre) = Centre::of(&known) else { continue };
        let squares: f64 = known.iter().map(|&value| centre.deviation(value).powi(2)).sum();
        let deviation = (squares / known.len() as f64).sqrt();
        for (row, (&value, _)) in whole() {
            rows[row * width + place] = centre.deviation(value) / deviation;
        }
    }
    rows
}
