//! Converts linked nodes, numbered in any order, to a tree in flat arrays.

use crate::Tree;

/// A node of a foreign tree.
pub(super) enum Item {
    Leaf { value: f64, cover: f64 },
    Inner(Inner),
}

/// A foreign inner node; an empty set means a numeric split.
pub(super) struct Inner {
    pub(super) feature: u32,
    pub(super) threshold: f64,
    pub(super) set: Vec<u64>,
    pub(super) missing_left: bool,
    pub(super) gain: f64,
    pub(super) left: i64,
    pub(super) right: i64,
}

/// Follows the links from `root`. There are at most `most` nodes and leaves, so a cycle ends.
pub(super) fn assemble(
    root: i64,
    most: usize,
    output: u32,
    item: impl Fn(i64) -> Result<Item, String>,
) -> Result<Tree, String> {
    let mut tree = Tree { width: 1, output, set_start: vec![0], ..Tree::default() };
    // Foreign number, parent, and whether it is the right child.
    let mut open: Vec<(i64, Option<(usize, bool)>)> = vec![(root, None)];
    while let Some((id, parent)) = open.pop() {
        if tree.nodes() + tree.leaves() >= most {
            return Err("its nodes do not form a tree".to_owned());
        }
        let child = match item(id)? {
            Item::Leaf { value, cover } => {
                tree.leaf_values.push(value);
                tree.leaf_cover.push(cover);
                Tree::to_leaf(tree.leaves() - 1)
            }
            Item::Inner(inner) => {
                let node = tree.nodes();
                // The left child is on top of the stack, so nodes are in depth-first order, left first.
                open.extend([(inner.right, Some((node, true))), (inner.left, Some((node, false)))]);
                push(&mut tree, inner);
                node as i32
            }
        };
        match parent {
            None => {}
            Some((node, false)) => tree.left[node] = child,
            Some((node, true)) => tree.right[node] = child,
        }
    }
    add_covers(&mut tree);
    if tree.sets.is_empty() {
        tree.set_start.clear();
    }
    Ok(tree)
}

fn push(tree: &mut Tree, inner: Inner) {
    tree.feature.push(inner.feature);
    tree.threshold.push(inner.threshold);
    tree.missing_left.push(inner.missing_left);
    tree.gain.push(inner.gain);
    tree.sets.extend(inner.set);
    tree.set_start.push(tree.sets.len() as u32);
    tree.left.push(0);
    tree.right.push(0);
    tree.cover.push(0.0);
}

/// Sums covers from the leaves, because files round those of inner nodes.
fn add_covers(tree: &mut Tree) {
    for node in (0..tree.nodes()).rev() {
        tree.cover[node] = tree.cover_of(tree.left[node]) + tree.cover_of(tree.right[node]);
    }
}
