use crate::tree::{Tree, row};

/// The largest |parent - sum of its children| in any lane; 0 for a tree of one node, NaN if any value is NaN.
///
/// # Panics
///
/// If `values` does not have `lanes` values per node.
pub fn max_incoherence(tree: &Tree, values: &[f64], lanes: usize) -> f64 {
    assert_eq!(values.len(), tree.len() * lanes, "not {lanes} values a node");
    let mut sums = vec![0.0; tree.inner_end() * lanes];
    for (node, &parent) in tree.parents().iter().enumerate().skip(1) {
        for (sum, value) in sums[row(parent as usize, lanes)].iter_mut().zip(&values[row(node, lanes)]) {
            *sum += value;
        }
    }
    let inner = (0..tree.inner_end()).filter(|&node| !tree.is_leaf(node));
    inner.flat_map(|node| sums[row(node, lanes)].iter().zip(&values[row(node, lanes)])).fold(
        0.0,
        |largest, (sum, value)| {
            let gap = (value - sum).abs();
            // NaN stays NaN.
            if gap <= largest || f64::is_nan(largest) { largest } else { gap }
        },
    )
}
