//! Computes the leaf values of a grown tree from unrounded derivatives or residuals.

use rayon::prelude::*;

use super::grown::Grown;
use super::loss::Loss;
use super::objective::Labels;
use super::packing::{Gradients, Sums};
use super::params::Params;
use super::quantile::{quantile, weighted_quantile};
use super::search::leaf_value;

/// One value per leaf, or one per leaf and quantile level. `rows` are partitioned as in `grown`;
/// `margins[output * rows + row]`.
pub(crate) fn leaf_values(
    params: &Params,
    labels: &Labels<'_>,
    margins: &[f64],
    gradients: &Gradients,
    grown: &Grown,
    rows: &[u32],
) -> Vec<f64> {
    let of_leaf = |range: &std::ops::Range<usize>| {
        let rows = &rows[range.clone()];
        match &params.loss {
            Loss::Pinball { levels } => residual_quantiles(levels, labels, margins, rows),
            _ => vec![newton_step(gradients, rows, params.l2)],
        }
    };
    grown.leaves.par_iter().map(of_leaf).collect::<Vec<_>>().concat()
}

fn newton_step(gradients: &Gradients, rows: &[u32], l2: f64) -> f64 {
    let gradient = rows.iter().map(|&row| gradients.first[row as usize]).sum();
    let hessian = if gradients.second.is_empty() {
        rows.len() as f64
    } else {
        rows.iter().map(|&row| gradients.second[row as usize]).sum()
    };
    leaf_value(&Sums { gradient, hessian, rows: rows.len() as f64 }, l2)
}

fn residual_quantiles(levels: &[f64], labels: &Labels<'_>, margins: &[f64], rows: &[u32]) -> Vec<f64> {
    let all = labels.target.len();
    let at = |(place, &level): (usize, &f64)| {
        let residual = |row: u32| labels.target[row as usize] - margins[place * all + row as usize];
        if labels.weights.is_none() {
            return quantile(&mut rows.iter().map(|&row| residual(row)).collect::<Vec<_>>(), level);
        }
        let weighted = |&row: &u32| (residual(row), labels.weight(row as usize));
        weighted_quantile(&mut rows.iter().map(weighted).collect::<Vec<_>>(), level)
    };
    levels.iter().enumerate().map(at).collect()
}
