//! Covariates of a sum, from those of the bottom series under it.

use super::Hierarchy;
use crate::Failure;
use crate::dataset::Dataset;
use crate::history::History;
use crate::run::forecaster::history_of;
use crate::run::plan::Plan;

/// The columns of a sum: a value for each step of its history, then for each step of the horizon. A column that counts
/// something is added up; of any other, the mean over the series that have begun is taken, which for a category is
/// the part of them that have it.
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
    // Newest first: the histories end with the same step, and begin with different ones.
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
