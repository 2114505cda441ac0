//! Chooses the measures of association for two columns.

use super::association::Association;
use super::categories::cramers_v;
use super::column::{Cells, Column};
use super::numbers::{pearson, spearman};
use super::ratio::correlation_ratio;
use crate::MIN_ROWS;

/// Every measure that suits the types of two columns of the same rows; empty if fewer than [`MIN_ROWS`] rows have both
/// values, or if one column is constant in these.
pub(super) fn associations(a: &Column<'_>, b: &Column<'_>) -> Vec<Association> {
    let found = match (&a.cells, &b.cells) {
        (Cells::Numbers(_), Cells::Numbers(_)) => vec![pearson(a, b), spearman(a, b)],
        (Cells::Codes { .. }, Cells::Codes { .. }) => vec![cramers_v(a, b)],
        (Cells::Codes { .. }, Cells::Numbers(values)) => vec![correlation_ratio(a, values)],
        (Cells::Numbers(values), Cells::Codes { .. }) => vec![correlation_ratio(b, values)],
    };
    found.into_iter().flatten().filter(|found| found.n >= MIN_ROWS).collect()
}
