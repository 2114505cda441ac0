//! Makes leaf values obey the monotone features.

use super::grown::Grown;
use super::params::{Monotone, Params};

/// The contents of a subtree, over leaves with cover.
#[derive(Debug, Clone, Copy)]
struct Below {
    cover: f64,
    mean: f64,
    least: f64,
    most: f64,
}

const NOTHING: Below = Below { cover: 0.0, mean: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY };

/// Bounds the leaves, `width` values each: at each split on a monotone feature, a number between the means of both
/// subtrees separates their values. If the growers kept to the directions, little or nothing changes.
pub(crate) fn keep_directions(params: &Params, grown: &Grown, covers: &[f64], values: &mut [f64]) {
    if params.monotone.iter().all(|&direction| direction == Monotone::Free) {
        return;
    }
    let width = values.len() / covers.len().max(1);
    for place in 0..width {
        let mut here: Vec<f64> = values.iter().skip(place).step_by(width).copied().collect();
        bound(params, grown, covers, &mut here);
        values.iter_mut().skip(place).step_by(width).zip(here).for_each(|(value, here)| *value = here);
    }
}

fn bound(params: &Params, grown: &Grown, covers: &[f64], values: &mut [f64]) {
    let below = subtrees(grown, covers, values);
    let of = |child: i32, leaf: Below| if child >= 0 { below[child as usize] } else { leaf };
    let mut bounds = vec![(f64::NEG_INFINITY, f64::INFINITY); grown.nodes.len()];
    for (at, node) in grown.nodes.iter().enumerate() {
        let [left, right] = [node.left, node.right].map(|child| of(child, leaf(child, covers, values)));
        let (low, high) = bounds[at];
        let sides = match params.direction(node.feature) {
            Monotone::Free => [(low, high); 2],
            Monotone::Rising => {
                let middle = middle(left, right).clamp(low, high);
                [(low, middle), (middle, high)]
            }
            Monotone::Falling => {
                let middle = middle(right, left).clamp(low, high);
                [(middle, high), (low, middle)]
            }
        };
        for (child, (low, high)) in [node.left, node.right].into_iter().zip(sides) {
            if child >= 0 {
                bounds[child as usize] = (low, high);
            } else {
                let value = &mut values[!child as usize];
                *value = value.clamp(low, high);
            }
        }
    }
}

/// The number that separates the lower side from the higher one. A side without rows does not affect the other.
fn middle(lower: Below, higher: Below) -> f64 {
    match (lower.cover > 0.0, higher.cover > 0.0) {
        (true, true) => f64::midpoint(lower.mean, higher.mean),
        (true, false) => lower.most,
        (false, true) => higher.least,
        (false, false) => 0.0,
    }
}

fn leaf(child: i32, covers: &[f64], values: &[f64]) -> Below {
    match usize::try_from(!child) {
        Ok(leaf) if covers[leaf] > 0.0 => {
            let value = values[leaf];
            Below { cover: covers[leaf], mean: value, least: value, most: value }
        }
        _ => NOTHING,
    }
}

fn subtrees(grown: &Grown, covers: &[f64], values: &[f64]) -> Vec<Below> {
    let mut below = vec![NOTHING; grown.nodes.len()];
    for (at, node) in grown.nodes.iter().enumerate().rev() {
        let of = |child: i32| if child >= 0 { below[child as usize] } else { leaf(child, covers, values) };
        let (left, right) = (of(node.left), of(node.right));
        let cover = left.cover + right.cover;
        let sum = left.mean * left.cover + right.mean * right.cover;
        below[at] = Below {
            cover,
            mean: if cover > 0.0 { sum / cover } else { 0.0 },
            least: left.least.min(right.least),
            most: left.most.max(right.most),
        };
    }
    below
}
