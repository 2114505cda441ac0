//! Grows a tree by always splitting the leaf with the largest gain.

use std::ops::Range;

use super::grown::{Grown, GrownNode};
use super::histogram::Histogram;
use super::params::Monotone;
use super::partition::partition;
use super::round::Round;
use crate::Tree;
use crate::boosting::candidate::{Bounds, Candidate, Node};

/// Memory for the histograms of open leaves. The children of a leaf beyond it are counted from their rows when the leaf
/// is split.
const MOST_BYTES: usize = 512 << 20;

/// The limits of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) leaves: usize,
    pub(crate) depth: usize,
    pub(crate) min_rows: usize,
}

/// A leaf that can be split.
struct Leaf {
    rows: Range<usize>,
    depth: usize,
    node: Node,
    histogram: Option<Histogram>,
    best: Option<Candidate>,
    /// The parent node, and whether this is its left child.
    above: Option<(usize, bool)>,
}

/// Grows on `rows`, which are partitioned in place. `pool` keeps histograms between trees.
pub(crate) fn grow_leaf_wise(
    round: &Round<'_>,
    limits: Limits,
    rows: &mut [u32],
    scratch: &mut [u32],
    pool: &mut Vec<Histogram>,
) -> Grown {
    let mut grower = Grower { round, limits, pool, held: 0, nodes: Vec::new() };
    let mut leaves = vec![grower.root(rows)];
    while leaves.len() < limits.leaves {
        let Some(at) = largest_gain(&leaves) else { break };
        let children = grower.split(&mut leaves, at, rows, scratch);
        leaves[at] = children.0;
        leaves.push(children.1);
    }
    let nodes = grower.nodes;
    pool.extend(leaves.iter_mut().filter_map(|leaf| leaf.histogram.take()));
    Grown { nodes, leaves: leaves.into_iter().map(|leaf| leaf.rows).collect() }
}

struct Grower<'a, 'b> {
    round: &'a Round<'b>,
    limits: Limits,
    pool: &'a mut Vec<Histogram>,
    /// Number of histograms that leaves hold.
    held: usize,
    nodes: Vec<GrownNode>,
}

impl Grower<'_, '_> {
    fn root(&mut self, rows: &[u32]) -> Leaf {
        let node = Node { packed: 0, bounds: Bounds::NONE };
        let mut leaf = Leaf { rows: 0..rows.len(), depth: 0, node, histogram: None, best: None, above: None };
        if self.is_splittable(&leaf) {
            let mut histogram = self.take();
            self.round.fill(rows, &mut histogram);
            leaf.node.packed = self.round.sum(&histogram);
            leaf.best = self.round.best(&mut histogram, &leaf.node);
            leaf.histogram = Some(histogram);
        }
        leaf
    }

    fn is_splittable(&self, leaf: &Leaf) -> bool {
        leaf.depth < self.limits.depth && leaf.rows.len() >= 2 * self.limits.min_rows.max(1)
    }

    /// Splits leaf `at` by its best candidate; its children take its index and the next free one.
    fn split(
        &mut self,
        leaves: &mut [Leaf],
        at: usize,
        rows: &mut [u32],
        scratch: &mut [u32],
    ) -> (Leaf, Leaf) {
        let count = leaves.len();
        let leaf = &mut leaves[at];
        let (range, depth, parent) = (leaf.rows.clone(), leaf.depth + 1, leaf.node);
        let (histogram, above) = (leaf.histogram.take(), leaf.above);
        self.held -= usize::from(histogram.is_some());
        let Some(best) = leaf.best.take() else { unreachable!("only a leaf with a candidate is chosen") };
        let bin = self.round.table.column(best.feature);
        let lefts = partition(&mut rows[range.clone()], &mut scratch[range.clone()], &best.left_bins, &bin);
        let node = self.add_node(&best, above, at, count);
        let middle = range.start + lefts;
        let (low, high) = self.bounds(&best, parent.bounds);
        let child = |rows, packed, bounds, is_left| Leaf {
            rows,
            depth,
            node: Node { packed, bounds },
            histogram: None,
            best: None,
            above: Some((node, is_left)),
        };
        let mut left = child(range.start..middle, best.left, low, true);
        let mut right = child(middle..range.end, parent.packed - best.left, high, false);
        if count + 1 < self.limits.leaves && (self.is_splittable(&left) || self.is_splittable(&right)) {
            self.make_room(leaves);
            let (small, large) = if left.rows.len() <= right.rows.len() {
                (&mut left, &mut right)
            } else {
                (&mut right, &mut left)
            };
            self.search_children(rows, histogram, small, large);
        } else {
            self.pool.extend(histogram);
        }
        (left, right)
    }

    fn search_children(
        &mut self,
        rows: &[u32],
        parent: Option<Histogram>,
        small: &mut Leaf,
        large: &mut Leaf,
    ) {
        let mut few = self.take();
        let mut many = if let Some(mut parent) = parent {
            self.held += 1;
            self.round.fill_children(&rows[small.rows.clone()], &mut few, &mut parent);
            parent
        } else {
            let mut many = self.take();
            self.round.fill(&rows[small.rows.clone()], &mut few);
            self.round.fill(&rows[large.rows.clone()], &mut many);
            many
        };
        for (leaf, histogram) in [(&mut *small, &mut few), (&mut *large, &mut many)] {
            if self.is_splittable(leaf) {
                leaf.best = self.round.best(histogram, &leaf.node);
            }
        }
        small.histogram = Some(few);
        large.histogram = Some(many);
    }

    fn add_node(
        &mut self,
        best: &Candidate,
        above: Option<(usize, bool)>,
        left: usize,
        right: usize,
    ) -> usize {
        let node = self.nodes.len();
        self.nodes.push(GrownNode {
            feature: best.feature,
            left_bins: best.left_bins,
            left: Tree::to_leaf(left),
            right: Tree::to_leaf(right),
            gain: best.gain,
        });
        if let Some((parent, is_left)) = above {
            let parent = &mut self.nodes[parent];
            *(if is_left { &mut parent.left } else { &mut parent.right }) = node as i32;
        }
        node
    }

    /// The bounds of the left and the right child.
    fn bounds(&self, best: &Candidate, bounds: Bounds) -> (Bounds, Bounds) {
        let Some(middle) = best.middle else { return (bounds, bounds) };
        let (below, above) = (Bounds { high: middle, ..bounds }, Bounds { low: middle, ..bounds });
        match self.round.search.params.direction(best.feature) {
            Monotone::Falling => (above, below),
            _ => (below, above),
        }
    }

    fn take(&mut self) -> Histogram {
        self.held += 1;
        self.pool.pop().unwrap_or_else(|| vec![[0; 256]; self.round.allowed.len()])
    }

    /// Frees the histograms of the leaves that are least likely to be split while there are too many.
    fn make_room(&mut self, leaves: &mut [Leaf]) {
        let most = (MOST_BYTES / (2048 * self.round.allowed.len().max(1))).max(4);
        while self.held + 2 > most {
            let gain = |leaf: &Leaf| leaf.best.map_or(0.0, |best| best.gain);
            let held = leaves.iter_mut().filter(|leaf| leaf.histogram.is_some());
            let Some(least) = held.min_by(|a, b| gain(a).total_cmp(&gain(b))) else { break };
            self.pool.extend(least.histogram.take());
            self.held -= 1;
        }
    }
}

/// The first leaf with the largest gain.
fn largest_gain(leaves: &[Leaf]) -> Option<usize> {
    let gains = leaves.iter().enumerate().filter_map(|(at, leaf)| Some((at, leaf.best?.gain)));
    gains.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(at, _)| at)
}
