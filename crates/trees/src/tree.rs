//! One decision tree as a struct of arrays.

/// A decision tree: inner nodes `0..n` and leaves `0..m` with `m = n + 1`; the root is node 0, or leaf 0 without any
/// node.
///
/// A child `c >= 0` is inner node `c`; `c < 0` is leaf `!c` (see [`Tree::to_leaf`]). A parent stands before its
/// children, so that one pass backwards over the nodes goes from the leaves to the root.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    /// Feature of each inner node, an index into [`crate::Ensemble::features`].
    pub feature: Vec<u32>,
    /// A numeric split sends `value <= threshold` left. Infinite is allowed (only missing values part), NaN is not;
    /// unused for a category split, where 0 is usual.
    pub threshold: Vec<f64>,
    /// Whether a missing value (NaN) goes left.
    pub missing_left: Vec<bool>,
    /// Left child of each inner node.
    pub left: Vec<i32>,
    /// Right child of each inner node.
    pub right: Vec<i32>,
    /// Training weight (or count) that reached each inner node: the sum of its children's covers.
    pub cover: Vec<f64>,
    /// Gain of each split in the training loss; 0 where it is not known.
    pub gain: Vec<f64>,
    /// Where the category set of each node starts in `sets`, with the end last (n + 1 numbers); a node without words
    /// has a numeric split. Empty in a tree without category splits.
    pub set_start: Vec<u32>,
    /// Category sets as bits, 64 codes a word: the codes that go left. A code beyond the words goes right.
    pub sets: Vec<u64>,
    /// Training weight that reached each leaf.
    pub leaf_cover: Vec<f64>,
    /// Values of the leaves, leaf after leaf, `width` of them each.
    pub leaf_values: Vec<f64>,
    /// 1: the tree adds to `output` alone; otherwise the number of outputs of the ensemble.
    pub width: u32,
    /// The output that a tree of width 1 adds to; 0 in wider ones.
    pub output: u32,
}

/// How an inner node decides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Split<'a> {
    /// Left when `value <= threshold`.
    Threshold(f64),
    /// Left when the category code is in this set of bits.
    Set(&'a [u64]),
}

impl Tree {
    /// A tree that is one leaf: `values` for all rows, reached by `cover`.
    pub fn constant(values: Vec<f64>, output: u32, cover: f64) -> Self {
        Self {
            width: values.len() as u32,
            leaf_values: values,
            output,
            leaf_cover: vec![cover],
            ..Self::default()
        }
    }

    /// The child that means leaf `leaf`.
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

    /// How inner node `node` decides.
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

    /// The leaf that a row ends in; `value(feature)` gives its values.
    pub fn leaf_of(&self, value: impl Fn(usize) -> f64) -> usize {
        let mut at = if self.nodes() == 0 { Self::to_leaf(0) } else { 0 };
        while at >= 0 {
            let node = at as usize;
            let left = self.goes_left(node, value(self.feature[node] as usize));
            at = if left { self.left[node] } else { self.right[node] };
        }
        !at as usize
    }

    /// Cover of a child: that of its node or leaf.
    pub fn cover_of(&self, child: i32) -> f64 {
        if child >= 0 { self.cover[child as usize] } else { self.leaf_cover[!child as usize] }
    }
}

/// Whether a set of bits has a category code. Codes are cut off towards zero; negative ones are in no set.
pub(crate) fn contains(words: &[u64], code: f64) -> bool {
    // The conversion saturates, so a negative code of -1 or less must be refused before it becomes 0.
    if code <= -1.0 {
        return false;
    }
    let code = code as usize;
    words.get(code / 64).is_some_and(|word| word >> (code % 64) & 1 == 1)
}
