//! A tree over bins, as the growers make it.

use std::ops::Range;

use super::binning::{BinKind, Binning};
use super::table::Table;
use crate::Tree;
use crate::boosting::candidate::{BinSet, has};

/// The structure of a tree and the rows of its leaves. Children are numbered as in [`Tree`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Grown {
    pub(crate) nodes: Vec<GrownNode>,
    /// The range of each leaf in the partitioned array of rows.
    pub(crate) leaves: Vec<Range<usize>>,
}

#[derive(Debug, Clone)]
pub(crate) struct GrownNode {
    pub(crate) feature: usize,
    pub(crate) left_bins: BinSet,
    pub(crate) left: i32,
    pub(crate) right: i32,
    pub(crate) gain: f64,
}

impl Grown {
    /// The leaf of a row of binned values.
    pub(crate) fn leaf_of(&self, table: &Table, row: u32) -> usize {
        let mut at = if self.nodes.is_empty() { Tree::to_leaf(0) } else { 0 };
        while at >= 0 {
            let node = &self.nodes[at as usize];
            let bin = table.column(node.feature)(row);
            at = if has(&node.left_bins, bin) { node.left } else { node.right };
        }
        !at as usize
    }

    /// Converts the tree from bins to values. `values` and `covers` are those of the leaves, `width` values each.
    pub(crate) fn to_tree(
        &self,
        binnings: &[Binning],
        values: Vec<f64>,
        covers: Vec<f64>,
        output: u32,
    ) -> Tree {
        let nodes = self.nodes.len();
        let mut tree = Tree {
            feature: self.nodes.iter().map(|node| node.feature as u32).collect(),
            left: self.nodes.iter().map(|node| node.left).collect(),
            right: self.nodes.iter().map(|node| node.right).collect(),
            gain: self.nodes.iter().map(|node| node.gain).collect(),
            threshold: vec![0.0; nodes],
            missing_left: vec![false; nodes],
            cover: vec![0.0; nodes],
            width: (values.len() / covers.len().max(1)) as u32,
            output,
            leaf_cover: covers,
            leaf_values: values,
            ..Tree::default()
        };
        if self.nodes.iter().any(|node| binnings[node.feature].is_categorical()) {
            tree.set_start.push(0);
        }
        for (at, node) in self.nodes.iter().enumerate() {
            let binning = &binnings[node.feature];
            tree.missing_left[at] = has(&node.left_bins, binning.values as u8);
            match &binning.kind {
                BinKind::Numeric(borders) => {
                    let bins = (0..binning.values).take_while(|&bin| has(&node.left_bins, bin as u8)).count();
                    tree.threshold[at] =
                        if bins == binning.values { f64::INFINITY } else { borders[bins - 1] };
                }
                BinKind::Categorical(bins) => tree.sets.extend(codes(bins, &node.left_bins)),
            }
            if !tree.set_start.is_empty() {
                tree.set_start.push(tree.sets.len() as u32);
            }
        }
        for at in (0..nodes).rev() {
            tree.cover[at] = tree.cover_of(tree.left[at]) + tree.cover_of(tree.right[at]);
        }
        tree
    }
}

/// The codes of the bins of a set, as bits. At least one word, which distinguishes the split from a threshold.
fn codes(bins: &[u8], set: &BinSet) -> Vec<u64> {
    let mut words = vec![0; 1];
    for (code, _) in bins.iter().enumerate().filter(|&(_, &bin)| has(set, bin)) {
        if code / 64 >= words.len() {
            words.resize(code / 64 + 1, 0);
        }
        words[code / 64] |= 1 << (code % 64);
    }
    words
}
