use crate::tree::Tree;

/// The largest |parent - sum of its children| in any lane; 0 for a tree of one node, NaN when a value is none.
pub fn max_incoherence(_tree: &Tree, _values: &[f64], _lanes: usize) -> f64 {
    unimplemented!()
}
