//! The two passes over a tree that give its Shapley values at some quadrature points.

use super::decisions::{Decisions, LANES, Lanes};
use super::plan::{Group, MOST_POINTS, Node, Plan};

/// `K` points for eight rows.
pub(super) type Points<const K: usize> = [Lanes; K];

/// What becomes of the products at each node.
pub(super) trait Sink {
    /// The value of the node's feature grows by the sum of `weighted` over the points, times (own - ratio) and `old`.
    fn take<const K: usize>(
        &mut self,
        n: usize,
        node: &Node,
        group: &Group,
        decisions: &Decisions,
        weighted: &Points<K>,
    );
}

/// Sweeps over a tree once for each group of points.
#[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
#[inline(always)]
pub(super) fn sweep(
    plan: &Plan<'_>,
    decisions: &Decisions,
    leaf: impl Fn(usize) -> f64,
    products: &mut Vec<Lanes>,
    sink: &mut impl Sink,
) {
    for group in &plan.groups {
        let points = group.points.len();
        if products.len() < plan.nodes.len() * points {
            products.resize(plan.nodes.len() * points, [0.0; LANES]);
        }
        match points {
            1 => sweep_group::<1>(plan, group, decisions, &leaf, products, sink),
            2 => sweep_group::<2>(plan, group, decisions, &leaf, products, sink),
            3 => sweep_group::<3>(plan, group, decisions, &leaf, products, sink),
            4 => sweep_group::<4>(plan, group, decisions, &leaf, products, sink),
            5 => sweep_group::<5>(plan, group, decisions, &leaf, products, sink),
            6 => sweep_group::<6>(plan, group, decisions, &leaf, products, sink),
            7 => sweep_group::<7>(plan, group, decisions, &leaf, products, sink),
            _ => sweep_group::<MOST_POINTS>(plan, group, decisions, &leaf, products, sink),
        }
    }
}

/// Goes over a tree, down and up, and hands the sink the products that each node's feature gains by.
///
/// The Shapley value of feature j for one leaf of value v is v (o_j - p_j) times the integral from 0 to 1 over the product of
/// t o_i + (1 - t) p_i for the other features i of the path, where o_i tells whether the row follows the edges of i and
/// p_i is the product of their cover ratios. Going down, `products` are those of the factors above a node, times the
/// quadrature weight; going up, they are replaced by the sums over the leaves below of value times factors below. With
/// U the latter on both sides, r the ratio of the node and o the decision of the row, feature j gains
/// (o - r) (U_left - U_right) times the product above; if j was split above, with share p and factor w there, p / w^2
/// times that for rows that follow the edge above, and nothing for others: their factor is a constant multiple below.
#[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
#[inline(always)]
fn sweep_group<const K: usize>(
    plan: &Plan<'_>,
    group: &Group,
    decisions: &Decisions,
    leaf: &impl Fn(usize) -> f64,
    products: &mut [Lanes],
    sink: &mut impl Sink,
) {
    let (constants, _) = group.constants.as_chunks::<K>();
    let (products, _) = products.as_chunks_mut::<K>();
    let (own, old) = (&decisions.own[..plan.nodes.len()], &decisions.old[..plan.nodes.len()]);
    products[0] = std::array::from_fn(|k| [group.weights[k]; LANES]);
    for (n, node) in plan.nodes.iter().enumerate() {
        if node.left < 0 && node.right < 0 {
            continue;
        }
        let share = share_left(node, &constants[3 * n..], &own[n], &old[n]);
        let above = products[n];
        let left: Points<K> = std::array::from_fn(|k| std::array::from_fn(|l| above[k][l] * share[k][l]));
        if node.right >= 0 {
            // The shares of both sides add up to 1.
            products[node.right as usize] =
                std::array::from_fn(|k| std::array::from_fn(|l| above[k][l] - left[k][l]));
        }
        if node.left >= 0 {
            products[node.left as usize] = left;
        }
    }
    for (n, node) in plan.nodes.iter().enumerate().rev() {
        let share = share_left(node, &constants[3 * n..], &own[n], &old[n]);
        let above = products[n];
        let (right, differ): (Points<K>, Points<K>) = match (node.left, node.right) {
            (..0, ..0) => {
                let (a, b) = (leaf(!node.left as usize), leaf(!node.right as usize));
                ([[b; LANES]; K], [[a - b; LANES]; K])
            }
            (..0, r) => {
                let (a, b) = (leaf(!node.left as usize), products[r as usize]);
                (b, std::array::from_fn(|k| std::array::from_fn(|l| a - b[k][l])))
            }
            (a, ..0) => {
                let (a, b) = (products[a as usize], leaf(!node.right as usize));
                ([[b; LANES]; K], std::array::from_fn(|k| std::array::from_fn(|l| a[k][l] - b)))
            }
            (a, r) => {
                let (a, b) = (products[a as usize], products[r as usize]);
                (b, std::array::from_fn(|k| std::array::from_fn(|l| a[k][l] - b[k][l])))
            }
        };
        products[n] =
            std::array::from_fn(|k| std::array::from_fn(|l| right[k][l] + share[k][l] * differ[k][l]));
        let mut weighted: Points<K> =
            std::array::from_fn(|k| std::array::from_fn(|l| above[k][l] * differ[k][l]));
        if node.previous.is_some() {
            let scale = &constants[3 * n + 2];
            weighted = std::array::from_fn(|k| std::array::from_fn(|l| weighted[k][l] * scale[k]));
        }
        sink.take(n, node, group, decisions, &weighted);
    }
}

/// The factor by which the product changes on the way to the left child.
#[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
#[inline(always)]
fn share_left<const K: usize>(node: &Node, constants: &[[f64; K]], own: &Lanes, old: &Lanes) -> Points<K> {
    let (always, followed) = (&constants[0], &constants[1]);
    if node.previous.is_none() {
        return std::array::from_fn(|k| std::array::from_fn(|l| always[k] + own[l] * followed[k]));
    }
    let ratio = node.ratio;
    std::array::from_fn(|k| {
        let beside = always[k] - ratio;
        std::array::from_fn(|l| ratio + old[l] * (beside + own[l] * followed[k]))
    })
}

/// The value of the leaf that each row ends in.
#[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
#[inline(always)]
pub(super) fn route(
    plan: &Plan<'_>,
    decisions: &Decisions,
    leaf: impl Fn(usize) -> f64,
    scratch: &mut [Lanes],
) -> Lanes {
    for (n, node) in plan.nodes.iter().enumerate().rev() {
        let of =
            |child: i32| if child >= 0 { scratch[child as usize] } else { [leaf(!child as usize); LANES] };
        let (left, right, own) = (of(node.left), of(node.right), &decisions.own[n]);
        scratch[n] = std::array::from_fn(|l| if own[l] == 1.0 { left[l] } else { right[l] });
    }
    scratch[0]
}
