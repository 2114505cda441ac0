//! The shrinkage intensity: the part of a sample covariance that is noise.

use crate::gram::gram;
use crate::residuals::Residuals;

/// Minimum intensity: without shrinkage, a covariance from fewer errors than nodes has no inverse.
const LEAST: f64 = 1e-4;

/// The shrinkage intensity towards the diagonal of Schäfer and Strimmer, A Shrinkage Approach to Large-Scale Covariance
/// Matrix Estimation and Implications for Functional Genomics, Statistical Applications in Genetics and Molecular
/// Biology 4(1), 2005, target D: the summed sampling variance of the correlations over the sum of their squares.
///
/// With `z` the errors, each node's scaled to mean square 1, `T` columns and all sums over pairs of different nodes:
///
/// ```text
/// sum var(r_ij) / sum r_ij^2,    r_ij = 1/T sum_t z_ti z_tj,
/// var(r_ij) = 1 / (T (T - 1)) (sum_t z_ti^2 z_tj^2 - 1/T (sum_t z_ti z_tj)^2)
/// ```
///
/// Both sums come from the columns' inner products, so no array of nodes x nodes is needed. A missing error is a zero
/// in the products, and the node's other errors have correspondingly more weight.
pub(crate) fn intensity(residuals: &Residuals<'_>, nodes: usize) -> f64 {
    let columns = residuals.columns();
    let factor = |node: usize| (columns as f64 / residuals.squares(node).0).sqrt();
    let factors: Vec<f64> =
        (0..nodes).map(factor).map(|factor| if factor.is_finite() { factor } else { 0.0 }).collect();
    let products = gram(nodes, columns, |node, out| {
        for (value, error) in out.iter_mut().zip(residuals.scaled(node, factors[node])) {
            *value = error;
        }
    });
    let length = columns as f64;
    let active = factors.iter().filter(|&&factor| factor > 0.0).count() as f64;
    let fourth: f64 =
        (0..nodes).flat_map(|node| residuals.scaled(node, factors[node])).map(|value| value.powi(4)).sum();
    let (mut all, mut diagonal) = (0.0, 0.0);
    for (column, line) in products.chunks_exact(columns.max(1)).enumerate() {
        diagonal += line[column] * line[column];
        all += 2.0 * line[..column].iter().map(|product| product * product).sum::<f64>();
    }
    let squares = all + diagonal - active * length * length;
    let noise = (diagonal - fourth - squares / length) / (length * (length - 1.0));
    let ratio = noise / (squares / (length * length));
    // With one column, one node, or no correlation at all, only the diagonal can be estimated.
    if squares > 0.0 && ratio.is_finite() { ratio.clamp(LEAST, 1.0) } else { 1.0 }
}
