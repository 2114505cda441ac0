//! Checks that trees are valid.

use crate::{Ensemble, Tree, TreesError};

/// Covers may differ from the sum of those below by this fraction: sums in single precision are no more accurate.
const COVER_TOLERANCE: f64 = 1e-5;

impl Ensemble {
    /// Checks that the trees are valid: array lengths match, features and outputs exist, each node and leaf is the
    /// child of exactly one node before it (so there are no cycles), values are finite, no cover is negative, and
    /// covers add up.
    ///
    /// # Errors
    /// [`TreesError::Invalid`] with the tree and the node.
    pub fn check(&self) -> Result<(), TreesError> {
        if self.outputs == 0 || self.base.len() != self.outputs {
            return Err(TreesError::Invalid(format!(
                "{} base values for {} outputs",
                self.base.len(),
                self.outputs
            )));
        }
        if let Some(output) = self.base.iter().position(|base| !base.is_finite()) {
            return Err(TreesError::Invalid(format!("the base of output {output} is not finite")));
        }
        for (number, tree) in self.trees.iter().enumerate() {
            tree.check(self.features.len(), self.outputs)
                .map_err(|what| TreesError::Invalid(format!("tree {number}: {what}")))?;
        }
        Ok(())
    }
}

impl Tree {
    fn check(&self, features: usize, outputs: usize) -> Result<(), String> {
        self.check_lengths(outputs)?;
        for node in 0..self.nodes() {
            if self.feature[node] as usize >= features {
                return Err(format!("node {node} splits on feature {} of {features}", self.feature[node]));
            }
            if self.threshold[node].is_nan() {
                return Err(format!("the threshold of node {node} is not a number"));
            }
            if !self.gain[node].is_finite() {
                return Err(format!("the gain of node {node} is not finite"));
            }
        }
        if let Some(at) = self.leaf_values.iter().position(|value| !value.is_finite()) {
            return Err(format!("a value of leaf {} is not finite", at / self.width as usize));
        }
        self.check_children()?;
        self.check_covers()
    }

    fn check_lengths(&self, outputs: usize) -> Result<(), String> {
        let (nodes, leaves) = (self.nodes(), self.leaves());
        // Children are signed 32-bit numbers.
        if nodes >= i32::MAX as usize || leaves != nodes + 1 {
            return Err(format!("{nodes} nodes with {leaves} leaves"));
        }
        let lengths = [
            ("threshold", self.threshold.len()),
            ("missing_left", self.missing_left.len()),
            ("left", self.left.len()),
            ("right", self.right.len()),
            ("cover", self.cover.len()),
            ("gain", self.gain.len()),
        ];
        if let Some((name, length)) = lengths.into_iter().find(|(_, length)| *length != nodes) {
            return Err(format!("{length} values of {name} for {nodes} nodes"));
        }
        let width = self.width as usize;
        if (width != 1 && width != outputs)
            || self.output as usize >= outputs
            || (width > 1 && self.output > 0)
        {
            return Err(format!("width {width} at output {} of {outputs}", self.output));
        }
        if self.leaf_values.len() != leaves * width {
            return Err(format!("{} values for {leaves} leaves of width {width}", self.leaf_values.len()));
        }
        let starts = &self.set_start;
        let fits = starts.len() == nodes + 1
            && starts[0] == 0
            && starts[nodes] as usize == self.sets.len()
            && starts.is_sorted();
        if fits || (starts.is_empty() && self.sets.is_empty()) {
            return Ok(());
        }
        Err("the starts of its category sets do not fit".to_owned())
    }

    /// A child comes after its parent, and none is shared. As there are as many children as nodes and leaves need, all
    /// are reached.
    fn check_children(&self) -> Result<(), String> {
        let mut node_seen = vec![false; self.nodes()];
        let mut leaf_seen = vec![false; self.leaves()];
        for node in 0..self.nodes() {
            for child in [self.left[node], self.right[node]] {
                let seen = if child >= 0 {
                    if child as usize <= node {
                        return Err(format!(
                            "node {node} has node {child} as a child, which stands before it"
                        ));
                    }
                    node_seen.get_mut(child as usize)
                } else {
                    leaf_seen.get_mut(!child as usize)
                };
                match seen {
                    Some(seen) if !*seen => *seen = true,
                    Some(_) => return Err(format!("child {child} of node {node} has another parent too")),
                    None => return Err(format!("child {child} of node {node} does not exist")),
                }
            }
        }
        Ok(())
    }

    fn check_covers(&self) -> Result<(), String> {
        let wrong = |cover: &f64| !cover.is_finite() || *cover < 0.0;
        if let Some(leaf) = self.leaf_cover.iter().position(wrong) {
            return Err(format!("the cover of leaf {leaf} is {}", self.leaf_cover[leaf]));
        }
        if let Some(node) = self.cover.iter().position(wrong) {
            return Err(format!("the cover of node {node} is {}", self.cover[node]));
        }
        for node in 0..self.nodes() {
            let below = self.cover_of(self.left[node]) + self.cover_of(self.right[node]);
            if (below - self.cover[node]).abs() > COVER_TOLERANCE * self.cover[node].max(below) {
                return Err(format!("node {node} has a cover of {}, its children {below}", self.cover[node]));
            }
        }
        Ok(())
    }
}
