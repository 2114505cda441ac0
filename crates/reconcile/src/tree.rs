use crate::error::TreeError;

/// A tree of sums. Node 0 is the root; every node stands behind its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    parents: Vec<u32>,
}

impl Tree {
    /// One path a bottom series, ascending by bytes and distinct; every inner prefix becomes a node. Nodes are numbered
    /// level by level; the bottom series are the last ones, in their order.
    ///
    /// # Errors
    ///
    /// When a path does not fit the others; see [`TreeError`].
    pub fn from_paths<'a, I>(_paths: I, _separator: &str, _total_label: &str) -> Result<Self, TreeError>
    where
        I: Iterator<Item = &'a str> + Clone,
    {
        unimplemented!()
    }

    /// Any tree, with leaves at any depth.
    ///
    /// # Errors
    ///
    /// When node 0 is not the only root, or a node does not stand behind its parent.
    pub fn from_parents(_parents: &[Option<usize>]) -> Result<Self, TreeError> {
        unimplemented!()
    }

    /// Nodes.
    #[allow(clippy::len_without_is_empty)] // A tree has a root.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// None for the root.
    pub fn parent(&self, _node: usize) -> Option<usize> {
        unimplemented!()
    }

    /// The parents of nodes 0, 1, 2...; the root's entry is 0.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Whether the node has no children.
    pub fn is_leaf(&self, _node: usize) -> bool {
        unimplemented!()
    }

    /// Bottom series under the node, itself included.
    pub fn leaf_count(&self, _node: usize) -> usize {
        unimplemented!()
    }

    /// Steps from the root.
    pub fn level(&self, _node: usize) -> usize {
        unimplemented!()
    }

    /// Nodes of each level, the root's first.
    pub fn level_sizes(&self) -> &[usize] {
        unimplemented!()
    }

    /// Leaves.
    pub fn num_bottom(&self) -> usize {
        unimplemented!()
    }

    /// The leaves, ascending.
    pub fn bottom(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.len()).filter(|&node| self.is_leaf(node))
    }

    /// For a tree of paths: a bottom series, by its index, and how many bytes of its path are the node's id. None for the
    /// root, and in other trees.
    pub fn prefix(&self, _node: usize) -> Option<(usize, usize)> {
        unimplemented!()
    }

    /// Overwrites each parent by the sum of its children; nodes x lanes.
    ///
    /// # Panics
    ///
    /// When `values` does not hold `lanes` values a node.
    pub fn sum_up(&self, _values: &mut [f64], _lanes: usize) {
        unimplemented!()
    }
}
