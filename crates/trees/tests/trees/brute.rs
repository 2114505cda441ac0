//! Shapley values by their definition: a sum over all subsets of features.

use tabcast_trees::{Ensemble, Tree};

/// Margin of one output when only the features in `known` (bits) are known: other splits send the row both ways.
fn value(ensemble: &Ensemble, output: usize, row: &[f64], known: usize) -> f64 {
    let trees = ensemble.trees.iter().map(|tree| {
        let at = if tree.width == 1 { 0 } else { output };
        if tree.width == 1 && tree.output as usize != output {
            return 0.0;
        }
        let root = if tree.nodes() == 0 { Tree::to_leaf(0) } else { 0 };
        below(tree, root, at, row, known)
    });
    ensemble.base[output] + trees.sum::<f64>()
}

fn below(tree: &Tree, child: i32, at: usize, row: &[f64], known: usize) -> f64 {
    if child < 0 {
        return tree.leaf_values[!child as usize * tree.width as usize + at];
    }
    let node = child as usize;
    let feature = tree.feature[node] as usize;
    let side = |child| below(tree, child, at, row, known);
    if known >> feature & 1 == 1 {
        return side(if tree.goes_left(node, row[feature]) { tree.left[node] } else { tree.right[node] });
    }
    let (left, right) = (tree.cover_of(tree.left[node]), tree.cover_of(tree.right[node]));
    let ratio = if left + right > 0.0 { left / (left + right) } else { 0.5 };
    ratio * side(tree.left[node]) + (1.0 - ratio) * side(tree.right[node])
}

/// Margins of all subsets.
pub(crate) fn values(ensemble: &Ensemble, output: usize, row: &[f64]) -> Vec<f64> {
    (0..1 << row.len()).map(|known| value(ensemble, output, row, known)).collect()
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|k| k as f64).product()
}

/// The Shapley value of a feature.
pub(crate) fn shapley(values: &[f64], features: usize, feature: usize) -> f64 {
    let without = (0..values.len()).filter(|set| set >> feature & 1 == 0);
    let terms = without.map(|set| {
        let size = set.count_ones() as usize;
        let weight = factorial(size) * factorial(features - size - 1) / factorial(features);
        weight * (values[set | 1 << feature] - values[set])
    });
    terms.sum()
}

/// The Shapley interaction value of two features, one half of the pair's.
pub(crate) fn interaction(values: &[f64], features: usize, one: usize, other: usize) -> f64 {
    let without = (0..values.len()).filter(|set| set >> one & 1 == 0 && set >> other & 1 == 0);
    let terms = without.map(|set| {
        let size = set.count_ones() as usize;
        let weight = factorial(size) * factorial(features - size - 2) / (2.0 * factorial(features - 1));
        let (with_one, with_other) = (set | 1 << one, set | 1 << other);
        weight * (values[with_one | with_other] - values[with_one] - values[with_other] + values[set])
    });
    terms.sum()
}
