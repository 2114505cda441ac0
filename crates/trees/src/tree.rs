//! One decision tree as a struct of arrays.

/// A decision tree: inner nodes `0..n` and leaves `0..m` with `m = n + 1`. The root is node 0, or leaf 0 if there are
/// no nodes.
///
/// A child `c >= 0` is inner node `c`; `c < 0` is leaf `!c` (see [`Tree::to_leaf`]). A parent comes before its
/// children, so a single backward pass over the nodes goes from the leaves to the root.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    /// Feature of each inner node, an index into [`crate::Ensemble::features`].
    pub feature: Vec<u32>,
    /// A numeric split sends `value <= threshold` left. Infinity is allowed (it only separates missing values), NaN is
    /// not. Unused in a category split, where it is usually 0.
    pub threshold: Vec<f64>,
    /// Whether a missing value (NaN) goes left.
    pub missing_left: Vec<bool>,
    /// Left child of each inner node.
    pub left: Vec<i32>,
    /// Right child of each inner node.
    pub right: Vec<i32>,
    /// Training weight (or count) that reached each inner node; the sum of its children's covers.
    pub cover: Vec<f64>,
    /// Gain of each split in the training loss; 0 if unknown.
    pub gain: Vec<f64>,
    /// Start of each node's category set in `sets`, followed by the end (n + 1 numbers); a node without words has a
    /// numeric split. Empty in a tree without category splits.
    pub set_start: Vec<u32>,
    /// Category sets as bits, 64 codes per word: the codes that go left. A code beyond the words goes right.
    pub sets: Vec<u64>,
    /// Training weight that reached each leaf.
    pub leaf_cover: Vec<f64>,
    /// Values of the leaves, leaf by leaf, `width` values each.
    pub leaf_values: Vec<f64>,
    /// 1 if the tree only adds to `output`; otherwise the number of outputs of the ensemble.
    pub width: u32,
    /// The output that a tree of width 1 adds to; 0 in wider ones.
    pub output: u32,
}

/// The decision rule of an inner node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Split<'a> {
    /// Left if `value <= threshold`.
    Threshold(f64),
    /// Left if the category code is in this bit set.
    Set(&'a [u64]),
}

impl Tree {
    /// A tree with a single leaf: `values` for all rows, with cover `cover`.
    pub fn constant(values: Vec<f64>, output: u32, cover: f64) -> Self {
        Self {
            width: values.len() as u32,
            leaf_values: values,
            output,
            leaf_cover: vec![cover],
            ..Self::default()
        }
    }

    /// The child number of leaf `leaf`.
    pub fn to_leaf(leaf: usize) -> i32 {
        !(leaf as i32)
    }

    /// Number of inner nodes.
    pub fn nodes(&self) -> usize {
        self.feature.len()
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.leaf_cover.len()
    }

    /// The decision rule of inner node `node`.
    pub fn split(&self, node: usize) -> Split<'_> {
        if self.set_start.is_empty() {
            return Split::Threshold(self.threshold[node]);
        }
        let words = self.set_start[node] as usize..self.set_start[node + 1] as usize;
        if words.is_empty() { Split::Threshold(self.threshold[node]) } else { Split::Set(&self.sets[words]) }
    }

    /// Whether `value` goes left at inner node `node`.
    #[inline]
    pub fn goes_left(&self, node: usize, value: f64) -> bool {
        if value.is_nan() {
            return self.missing_left[node];
        }
        if self.set_start.is_empty() {
            return value <= self.threshold[node];
        }
        match self.split(node) {
            Split::Threshold(threshold) => value <= threshold,
            Split::Set(words) => contains(words, value),
        }
    }

    /// The leaf that a row reaches; `value(feature)` gives its values.
    pub fn leaf_of(&self, value: impl Fn(usize) -> f64) -> usize {
        let mut at = if self.nodes() == 0 { Self::to_leaf(0) } else { 0 };
        while at >= 0 {
            let node = at as usize;
            let left = self.goes_left(node, value(self.feature[node] as usize));
            at = if left { self.left[node] } else { self.right[node] };
        }
        !at as usize
    }

    /// Cover of a child node or leaf.
    pub fn cover_of(&self, child: i32) -> f64 {
        if child >= 0 { self.cover[child as usize] } else { self.leaf_cover[!child as usize] }
    }
}

/// Whether a bit set contains a category code. Codes are truncated towards zero; negative ones are in no set.
pub(crate) fn contains(words: &[u64], code: f64) -> bool {
    // The conversion saturates, so a code of -1 or less must be refused before it becomes 0.
    if code <= -1.0 {
        return false;
    }
    let code = code as usize;
    words.get(code / 64).is_some_and(|word| word >> (code % 64) & 1 == 1)
}
