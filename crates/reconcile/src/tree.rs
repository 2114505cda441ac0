use std::ops::Range;

use crate::error::TreeError;
use crate::paths::{Layout, survey};

/// A tree of sums. Node 0 is the root; every node comes after its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The root's entry is 0, like that of its children.
    parents: Vec<u32>,
    children: Vec<u32>,
    leaf_counts: Vec<u32>,
    levels: Vec<u32>,
    level_sizes: Vec<usize>,
    /// One past the last node with children; in a tree of paths, the number of such nodes.
    inner_end: usize,
    /// In a tree of paths, for every node: a bottom series under it, and how many bytes of its path are the node's id.
    prefixes: Vec<(u32, u32)>,
}

impl Tree {
    /// Builds the tree from one path per bottom series, ascending by bytes and distinct; every inner prefix becomes a
    /// node. Nodes are numbered level by level; the bottom series come last, in their order.
    ///
    /// ```
    /// use tabcast_reconcile::Tree;
    ///
    /// let paths = ["north/a", "north/b", "south/a"];
    /// let tree = Tree::from_paths(paths.iter().copied(), "/", "total").unwrap();
    /// assert_eq!(tree.level_sizes(), [1, 2, 3]);
    /// assert_eq!(tree.parent(5), Some(2));
    /// let (series, bytes) = tree.prefix(2).unwrap();
    /// assert_eq!(&paths[series][..bytes], "south");
    /// ```
    ///
    /// # Errors
    ///
    /// If a path does not match the others; see [`TreeError`].
    pub fn from_paths<'a, I>(paths: I, separator: &str, total_label: &str) -> Result<Self, TreeError>
    where
        I: Iterator<Item = &'a str> + Clone,
    {
        let depth = survey(paths.clone(), separator, total_label)?;
        let Layout { parents, prefixes } = Layout::of(paths, separator, depth)?;
        Ok(Self::build(parents, prefixes))
    }

    /// Builds any tree, with leaves at any depth.
    ///
    /// # Errors
    ///
    /// If node 0 is not the only root, or a node does not come after its parent.
    pub fn from_parents(parents: &[Option<usize>]) -> Result<Self, TreeError> {
        if u32::try_from(parents.len()).is_err() {
            return Err(TreeError::TooManyNodes);
        }
        let number = |(node, parent): (usize, &Option<usize>)| match *parent {
            None if node == 0 => Ok(0),
            None => Err(TreeError::SecondRoot(node)),
            Some(_) if node == 0 => Err(TreeError::NoRoot),
            Some(parent) if parent < node => Ok(parent as u32),
            Some(_) => Err(TreeError::ParentNotBefore(node)),
        };
        let parents: Vec<u32> = parents.iter().enumerate().map(number).collect::<Result<_, _>>()?;
        if parents.is_empty() { Err(TreeError::Empty) } else { Ok(Self::build(parents, Vec::new())) }
    }

    fn build(parents: Vec<u32>, prefixes: Vec<(u32, u32)>) -> Self {
        let nodes = parents.len();
        let (mut children, mut leaf_counts, mut levels) = (vec![0; nodes], vec![0; nodes], vec![0; nodes]);
        let mut level_sizes = vec![1];
        for node in 1..nodes {
            let parent = parents[node] as usize;
            children[parent] += 1;
            let level = levels[parent] + 1;
            levels[node] = level;
            if level as usize == level_sizes.len() {
                level_sizes.push(0);
            }
            level_sizes[level as usize] += 1;
        }
        for node in (0..nodes).rev() {
            leaf_counts[node] = leaf_counts[node].max(1);
            if node > 0 {
                leaf_counts[parents[node] as usize] += leaf_counts[node];
            }
        }
        let inner_end = children.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        Self { parents, children, leaf_counts, levels, level_sizes, inner_end, prefixes }
    }

    /// Number of nodes, at least one.
    #[expect(clippy::len_without_is_empty, reason = "a tree has a root")]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// None for the root.
    pub fn parent(&self, node: usize) -> Option<usize> {
        (node > 0).then(|| self.parents[node] as usize)
    }

    /// The parents of nodes 0, 1, 2...; the root's entry is 0.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Whether the node has no children.
    pub fn is_leaf(&self, node: usize) -> bool {
        self.children[node] == 0
    }

    /// Number of bottom series under the node, including itself.
    pub fn leaf_count(&self, node: usize) -> usize {
        self.leaf_counts[node] as usize
    }

    /// Number of steps from the root.
    pub fn level(&self, node: usize) -> usize {
        self.levels[node] as usize
    }

    /// Number of nodes at each level, starting with the root's.
    pub fn level_sizes(&self) -> &[usize] {
        &self.level_sizes
    }

    /// Number of leaves.
    pub fn num_bottom(&self) -> usize {
        self.leaf_count(0)
    }

    /// The leaves, ascending.
    pub fn bottom(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.len()).filter(|&node| self.is_leaf(node))
    }

    /// In a tree of paths: a bottom series, by its index, and how many bytes of its path are the node's id. None for
    /// the root, and in other trees.
    pub fn prefix(&self, node: usize) -> Option<(usize, usize)> {
        let (series, bytes) = *self.prefixes.get(node)?;
        (node > 0).then_some((series as usize, bytes as usize))
    }

    /// Replaces each parent by the sum of its children; nodes x lanes.
    ///
    /// # Panics
    ///
    /// If `values` does not have `lanes` values per node.
    pub fn sum_up(&self, values: &mut [f64], lanes: usize) {
        assert_eq!(values.len(), self.len() * lanes, "not {lanes} values a node");
        for node in (0..self.inner_end).filter(|&node| !self.is_leaf(node)) {
            values[row(node, lanes)].fill(0.0);
        }
        for node in (1..self.len()).rev() {
            let (before, from) = values.split_at_mut(node * lanes);
            let sums = &mut before[row(self.parents[node] as usize, lanes)];
            for (sum, value) in sums.iter_mut().zip(&from[..lanes]) {
                *sum += value;
            }
        }
    }

    /// One past the last node with children: arrays of inner nodes need no more rows.
    pub(crate) fn inner_end(&self) -> usize {
        self.inner_end
    }
}

/// The position of a node's values.
pub(crate) fn row(node: usize, lanes: usize) -> Range<usize> {
    node * lanes..(node + 1) * lanes
}
