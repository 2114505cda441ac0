//! The correlation ratio of grouped numbers.

use tabcast_statistics::f_upper_tail;

use super::association::{Association, Method};
use super::column::{Cells, Column};
use super::numbers::Centre;

/// The square root of the share of the variance of `values` that lies between the levels of `groups`.
///
/// None if the values, or the levels of the rows with both, are constant, or if no level has two rows. The p value is
/// that of a one-way analysis of variance.
///
/// Source: Fisher, Statistical Methods for Research Workers (1925), section 45; Pearson (1905) for eta.
pub(super) fn correlation_ratio(groups: &Column<'_>, values: &[f64]) -> Option<Association> {
    let Cells::Codes { codes, .. } = &groups.cells else { return None };
    let (mut sorted, mut ends) = (Vec::with_capacity(groups.present()), Vec::new());
    for group in groups.order.chunk_by(|&a, &b| codes[a as usize] == codes[b as usize]) {
        let before = sorted.len();
        sorted.extend(group.iter().map(|&row| values[row as usize]).filter(|value| value.is_finite()));
        if sorted.len() > before {
            ends.push(sorted.len());
        }
    }
    let (n, levels) = (sorted.len(), ends.len());
    let centre = Centre::of(&sorted)?;
    if levels < 2 || levels >= n {
        return None;
    }
    let (mut between, mut within, mut start) = (0.0, 0.0, 0);
    for end in ends {
        let group = &sorted[start..end];
        let mean = group.iter().map(|&value| centre.deviation(value)).sum::<f64>() / group.len() as f64;
        between += group.len() as f64 * mean * mean;
        within += group.iter().map(|&value| (centre.deviation(value) - mean).powi(2)).sum::<f64>();
        start = end;
    }
    let (upper, lower) = ((levels - 1) as f64, (n - levels) as f64);
    let value = (between / (between + within)).sqrt();
    let p_value = f_upper_tail(between / upper / (within / lower), upper, lower);
    Some(Association { method: Method::CorrelationRatio, value, n, p_value })
}
