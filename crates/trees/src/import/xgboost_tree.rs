//! One tree of an `XGBoost` JSON model.

use serde::Deserialize;

use super::assemble::{Inner, Item, assemble};
use crate::Tree;

/// The arrays of the file, in which nodes and leaves are numbered together.
#[derive(Deserialize)]
pub(super) struct Source {
    left_children: Vec<i64>,
    right_children: Vec<i64>,
    split_indices: Vec<u32>,
    /// Thresholds of nodes and values of leaves.
    split_conditions: Vec<f32>,
    default_left: Vec<Flag>,
    sum_hessian: Vec<f64>,
    loss_changes: Vec<f64>,
    /// 1 for a split by categories; absent in old versions.
    #[serde(default)]
    split_type: Vec<u8>,
    #[serde(default)]
    categories: Vec<u32>,
    #[serde(default)]
    categories_nodes: Vec<i64>,
    #[serde(default)]
    categories_segments: Vec<usize>,
    #[serde(default)]
    categories_sizes: Vec<usize>,
    tree_param: Parameters,
}

/// Versions differ in how they write booleans.
#[derive(Deserialize)]
#[serde(untagged)]
enum Flag {
    Truth(bool),
    Number(u8),
}

#[derive(Deserialize)]
struct Parameters {
    #[serde(default)]
    size_leaf_vector: String,
}

/// Codes are bits of sets, so a single large code must not allocate gigabytes.
const MOST_CODES: u32 = 1 << 24;

impl Source {
    pub(super) fn read(&self, output: u32) -> Result<Tree, String> {
        if !matches!(self.tree_param.size_leaf_vector.as_str(), "" | "0" | "1") {
            return Err("leaves with several outputs are not supported".to_owned());
        }
        let nodes = self.left_children.len();
        let lengths = [
            self.right_children.len(),
            self.split_indices.len(),
            self.split_conditions.len(),
            self.default_left.len(),
            self.sum_hessian.len(),
            self.loss_changes.len(),
        ];
        let sets = self.categories_nodes.len();
        if lengths.iter().any(|&length| length != nodes)
            || (!self.split_type.is_empty() && self.split_type.len() != nodes)
            || self.categories_segments.len() != sets
            || self.categories_sizes.len() != sets
        {
            return Err(format!("its arrays do not all have {nodes} values"));
        }
        assemble(0, nodes, output, |id| self.item(id))
    }

    fn item(&self, id: i64) -> Result<Item, String> {
        let node = usize::try_from(id).unwrap_or(usize::MAX);
        let left = *self.left_children.get(node).ok_or_else(|| format!("there is no node {id}"))?;
        if left == -1 {
            return Ok(Item::Leaf {
                value: f64::from(self.split_conditions[node]),
                cover: self.sum_hessian[node],
            });
        }
        let mut inner = Inner {
            feature: self.split_indices[node],
            threshold: last_below(self.split_conditions[node]),
            set: Vec::new(),
            missing_left: matches!(self.default_left[node], Flag::Truth(true) | Flag::Number(1..)),
            gain: self.loss_changes[node],
            left,
            right: self.right_children[node],
        };
        if self.split_type.get(node) == Some(&1) {
            // In the file, the categories of the set go right; here they go left.
            inner.set = self.set(id)?;
            inner.threshold = 0.0;
            inner.missing_left = !inner.missing_left;
            std::mem::swap(&mut inner.left, &mut inner.right);
        }
        Ok(Item::Inner(inner))
    }

    fn set(&self, node: i64) -> Result<Vec<u64>, String> {
        let wrong = || format!("node {node} has no categories");
        let at = self.categories_nodes.iter().position(|&known| known == node).ok_or_else(wrong)?;
        let (from, size) = (self.categories_segments[at], self.categories_sizes[at]);
        let codes = self.categories.get(from..from.saturating_add(size)).ok_or_else(wrong)?;
        let most = codes.iter().copied().max().unwrap_or(0);
        if most >= MOST_CODES {
            return Err(format!("node {node} has category {most}"));
        }
        let mut words = vec![0_u64; most as usize / 64 + 1];
        for &code in codes {
            words[code as usize / 64] |= 1 << (code % 64);
        }
        Ok(words)
    }
}

/// The largest double that rounds to a single below `threshold`.
fn last_below(threshold: f32) -> f64 {
    let below = threshold.next_down();
    // Doubles up to the middle round down; the middle itself rounds to the even neighbour.
    let middle = f64::midpoint(f64::from(below), f64::from(threshold));
    if (middle as f32) < threshold { middle } else { middle.next_down() }
}
