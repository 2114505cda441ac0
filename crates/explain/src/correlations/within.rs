//! Standardises columns within their series.

use std::borrow::Cow;
use std::ops::Range;

use super::numbers::Centre;
use crate::{SeriesRows, Values};

/// Calls `put` with the row and the standardised value of each value in a varying series. Returns whether each series
/// is complete.
pub(super) fn standardise(
    values: &[f64],
    series: impl Iterator<Item = Range<usize>>,
    mut put: impl FnMut(usize, f64),
) -> Vec<bool> {
    let mut of_series = |range: Range<usize>| {
        let known: Vec<f64> =
            values[range.clone()].iter().copied().filter(|value| value.is_finite()).collect();
        let Some(centre) = Centre::of(&known) else { return false };
        let squares: f64 = known.iter().map(|&value| centre.deviation(value).powi(2)).sum();
        let deviation = (squares / known.len() as f64).sqrt();
        for row in range.clone().filter(|&row| values[row].is_finite()) {
            put(row, centre.deviation(values[row]) / deviation);
        }
        known.len() == range.len()
    };
    series.map(&mut of_series).collect()
}

/// Pooled numbers are multiples of 1 / `GRAIN`.
const GRAIN: f64 = (1_u64 << 44) as f64;

/// Numbers standardised within their series, so that several series can be pooled: NaN if a value is missing, or if its
/// series is constant. For a single series, and for categories, the values are unchanged.
pub(super) fn within_series<'a>(values: Cow<'a, Values>, series: Option<&SeriesRows>) -> Cow<'a, Values> {
    match (values.as_ref(), series) {
        (Values::Numbers(numbers), Some(series)) if series.count() > 1 => {
            Cow::Owned(Values::Numbers(numbers_within(numbers, series)))
        }
        _ => values,
    }
}

/// The same for numbers.
pub(super) fn numbers_within(numbers: &[f64], series: &SeriesRows) -> Vec<f64> {
    let mut within = vec![f64::NAN; numbers.len()];
    // Equal values of two series must stay equal, otherwise rounding errors would decide ranks.
    standardise(numbers, series.ranges(), |row, value| within[row] = (value * GRAIN).round() / GRAIN);
    within
}
