//! Error variances of the base forecasts, made positive and finite so that formulas can divide by them.

use crate::tree::Tree;

/// One variance per node, relative to their median, all positive and finite.
pub(crate) struct Weights {
    pub(crate) values: Vec<f64>,
    /// The median by which the values were divided.
    pub(crate) unit: f64,
    pub(crate) floored: usize,
    pub(crate) unknown: usize,
}

impl Weights {
    /// A node without errors would be fixed and leave the others no freedom; with this fraction of the median it is
    /// nearly fixed.
    const FLOOR: f64 = 1e-10;
    /// Beyond this, a base forecast has no weight in double precision; below it, sums of variances stay finite.
    pub(crate) const CEILING: f64 = 1e100;

    pub(crate) fn equal(tree: &Tree) -> Self {
        Self { values: vec![1.0; tree.len()], unit: 1.0, floored: 0, unknown: 0 }
    }

    pub(crate) fn structural(tree: &Tree) -> Self {
        let values = (0..tree.len()).map(|node| tree.leaf_count(node) as f64).collect();
        Self { values, unit: 1.0, floored: 0, unknown: 0 }
    }

    pub(crate) fn from_variances(tree: &Tree, mut variances: Vec<f64>) -> Self {
        let unknown = estimate_unknown(tree, &mut variances);
        let Some(unit) = median(variances.iter().copied().filter(|&variance| variance > 0.0)) else {
            return Self { floored: tree.len() - unknown, unknown, ..Self::structural(tree) };
        };
        let mut floored = 0;
        for variance in &mut variances {
            let relative = *variance / unit;
            floored += usize::from(relative < Self::FLOOR);
            *variance = relative.clamp(Self::FLOOR, Self::CEILING);
        }
        Self { values: variances, unit, floored, unknown }
    }
}

/// Replaces invalid variances by the node's leaf count times the median of variance / leaf count; returns their number.
pub(crate) fn estimate_unknown(tree: &Tree, variances: &mut [f64]) -> usize {
    let known = |variance: f64| variance.is_finite() && variance >= 0.0;
    let ratio = |(node, &variance): (usize, &f64)| variance / tree.leaf_count(node) as f64;
    let ratios = variances.iter().enumerate().filter(|&(_, &variance)| known(variance) && variance > 0.0);
    let typical = median(ratios.map(ratio)).unwrap_or(1.0);
    let mut unknown = 0;
    for (node, variance) in variances.iter_mut().enumerate() {
        if !known(*variance) {
            *variance = (tree.leaf_count(node) as f64 * typical).min(f64::MAX);
            unknown += 1;
        }
    }
    unknown
}

/// The median; the upper of the two middle values for an even number.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    let middle = values.len() / 2;
    if values.is_empty() {
        return None;
    }
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}
