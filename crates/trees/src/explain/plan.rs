//! Precomputed data for the passes over one tree: ratios, previous splits on the same feature, quadrature constants.

use super::quadrature::unit_points;
use crate::Tree;

/// Maximum number of points in one pass. More are split into several passes, each of which adds its part of the
/// integral.
pub(super) const MOST_POINTS: usize = 8;

/// A tree prepared for explanations.
pub(super) struct Plan<'a> {
    pub(super) tree: &'a Tree,
    pub(super) nodes: Vec<Node>,
    /// The nodes that split on a feature which already occurs above on the path.
    pub(super) repeated: Vec<usize>,
    pub(super) groups: Vec<Group>,
}

/// An inner node.
pub(super) struct Node {
    pub(super) threshold: f64,
    /// Share of the node's cover that goes left; the rest goes right.
    pub(super) ratio: f64,
    /// Product of the ratios of this feature's edges on the path: to the left child and to the right one.
    pub(super) shares: [f64; 2],
    pub(super) feature: u32,
    pub(super) left: i32,
    pub(super) right: i32,
    /// The nearest edge above on the same feature: its node, and whether the path goes right there.
    pub(super) previous: Option<(u32, bool)>,
    pub(super) missing_left: bool,
    pub(super) in_sets: bool,
}

/// Quadrature points handled in one pass.
pub(super) struct Group {
    pub(super) points: Vec<f64>,
    pub(super) weights: Vec<f64>,
    /// Three runs of `points.len()` constants per node: see [`Group::new`].
    pub(super) constants: Vec<f64>,
}

impl<'a> Plan<'a> {
    /// Prepares a valid tree, with `more` points beyond those that exactness needs.
    pub(super) fn new(tree: &'a Tree, more: usize) -> Self {
        let paths = Paths::new(tree);
        let mut nodes: Vec<Node> = Vec::with_capacity(tree.nodes());
        for n in 0..tree.nodes() {
            let (left, right) = (tree.cover_of(tree.left[n]), tree.cover_of(tree.right[n]));
            // If no training row reached a split, both sides count equally.
            let ratio = if left + right > 0.0 { left / (left + right) } else { 0.5 };
            let previous = paths.previous(tree, n);
            let share = previous.map_or(1.0, |(at, right)| nodes[at as usize].shares[usize::from(right)]);
            nodes.push(Node {
                threshold: tree.threshold[n],
                ratio,
                shares: [share * ratio, share * (1.0 - ratio)],
                feature: tree.feature[n],
                left: tree.left[n],
                right: tree.right[n],
                previous,
                missing_left: tree.missing_left[n],
                in_sets: matches!(tree.split(n), crate::Split::Set(_)),
            });
        }
        let (points, weights) = unit_points(paths.most_distinct(&nodes).div_ceil(2).max(1) + more);
        let groups = points
            .chunks(MOST_POINTS)
            .zip(weights.chunks(MOST_POINTS))
            .map(|(points, weights)| Group::new(&nodes, points, weights))
            .collect();
        let repeated = (0..nodes.len()).filter(|&n| nodes[n].previous.is_some()).collect();
        Self { tree, nodes, repeated, groups }
    }

    /// Mean over the training rows of leaf value `at`.
    pub(super) fn mean(&self, at: usize) -> f64 {
        let width = self.tree.width as usize;
        let mut means = vec![0.0; self.nodes.len()];
        let of = |child: i32, means: &[f64]| match child {
            0.. => means[child as usize],
            _ => self.tree.leaf_values[!child as usize * width + at],
        };
        for (n, node) in self.nodes.iter().enumerate().rev() {
            means[n] = node.ratio * of(node.left, &means) + (1.0 - node.ratio) * of(node.right, &means);
        }
        means.first().copied().unwrap_or_else(|| self.tree.leaf_values[at])
    }

    /// For each node, the edges above that are the last of their feature, on other features: node, and whether to the
    /// right.
    pub(super) fn others_above(&self) -> Vec<Vec<(u32, bool)>> {
        let paths = Paths::new(self.tree);
        (0..self.nodes.len())
            .map(|n| {
                let mut edges: Vec<(u32, bool)> = Vec::new();
                for (at, right) in paths.above(n) {
                    let feature = self.nodes[at].feature;
                    let seen = edges.iter().any(|&(at, _)| self.nodes[at as usize].feature == feature);
                    if feature != self.nodes[n].feature && !seen {
                        edges.push((at as u32, right));
                    }
                }
                edges
            })
            .collect()
    }
}

impl Group {
    /// With r the ratio of a node, p the share of the previous edge on its feature (1 without one), t a point and
    /// w = t + (1 - t) p the factor of that edge for a row that follows it, the constants are
    /// (1 - t) p r / w and t / w, whose sum (the first alone when the row goes right) multiplies products on the way to
    /// the left, and p / w^2, which weighs the difference of the two sides.
    fn new(nodes: &[Node], points: &[f64], weights: &[f64]) -> Self {
        let mut constants = Vec::with_capacity(nodes.len() * points.len() * 3);
        for node in nodes {
            let share =
                node.previous.map_or(1.0, |(at, right)| nodes[at as usize].shares[usize::from(right)]);
            // In this form, the factor of a feature met for the first time is exactly 1.
            let factor = |t: f64| if node.previous.is_some() { t + (1.0 - t) * share } else { 1.0 };
            constants.extend(points.iter().map(|&t| (1.0 - t) * share * node.ratio / factor(t)));
            constants.extend(points.iter().map(|&t| t / factor(t)));
            constants.extend(points.iter().map(|&t| share / (factor(t) * factor(t))));
        }
        Self { points: points.to_vec(), weights: weights.to_vec(), constants }
    }
}

/// The path from each node to the root.
struct Paths {
    /// Parent, and whether the node is its right child.
    parents: Vec<Option<(usize, bool)>>,
}

impl Paths {
    fn new(tree: &Tree) -> Self {
        let mut parents = vec![None; tree.nodes()];
        for n in 0..tree.nodes() {
            for (child, right) in [(tree.left[n], false), (tree.right[n], true)] {
                if child >= 0 {
                    parents[child as usize] = Some((n, right));
                }
            }
        }
        Self { parents }
    }

    /// The edges above a node, nearest first.
    fn above(&self, node: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        std::iter::successors(self.parents[node], |&(at, _)| self.parents[at])
    }

    fn previous(&self, tree: &Tree, node: usize) -> Option<(u32, bool)> {
        let found = self.above(node).find(|&(at, _)| tree.feature[at] == tree.feature[node]);
        found.map(|(at, right)| (at as u32, right))
    }

    /// The largest number of distinct features on a path, which is the degree of the integrand plus one.
    fn most_distinct(&self, nodes: &[Node]) -> usize {
        let mut counts: Vec<usize> = Vec::with_capacity(nodes.len());
        for (n, node) in nodes.iter().enumerate() {
            let above = self.parents[n].map_or(0, |(at, _)| counts[at]);
            counts.push(above + usize::from(node.previous.is_none()));
        }
        counts.into_iter().max().unwrap_or(0)
    }
}
