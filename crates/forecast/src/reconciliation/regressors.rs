//! Covariates of a sum, computed from those of the bottom series under it.

use super::Hierarchy;
use crate::Failure;
use crate::dataset::Dataset;
use crate::history::History;
use crate::run::forecaster::history_of;
use crate::run::plan::Plan;

/// The columns of a sum: a value for each step of its history, then for each step of the horizon. Counts are added up.
/// Other columns are averaged over the series that have begun; for a category, this is the share of series that have
/// it.
pub(super) fn columns_of_sum(
    node: usize,
    hierarchy: &Hierarchy,
    dataset: &Dataset,
    plan: &Plan,
) -> Result<(Vec<Vec<f64>>, usize), Failure> {
    let counts = dataset.encoding.counts();
    if counts.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let length = hierarchy.sum(node).len() + plan.horizon;
    // Newest first: the histories end at the same step but begin at different ones.
    let mut sums = vec![vec![0.0; length]; counts.len()];
    let mut begun = vec![0_u32; length];
    let mut drawn_in = 0;
    for series in hierarchy.series_under(node) {
        if plan.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let History { regressors, drawn_in: drawn, .. } =
            history_of(hierarchy.inner() + series, dataset, plan)?;
        drawn_in += drawn;
        for (sum, column) in sums.iter_mut().zip(&regressors) {
            for (sum, value) in sum.iter_mut().zip(column.iter().rev()) {
                *sum += value;
            }
        }
        let steps = regressors.first().map_or(0, Vec::len).min(length);
        for begun in &mut begun[..steps] {
            *begun += 1;
        }
    }
    for (sum, is_count) in sums.iter_mut().zip(counts) {
        if !is_count {
            for (sum, begun) in sum.iter_mut().zip(&begun) {
                *sum /= f64::from((*begun).max(1));
            }
        }
        sum.reverse();
    }
    Ok((sums, drawn_in))
}
