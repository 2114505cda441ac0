//! The two passes over a tree that compute its Shapley values at some quadrature points.

#![expect(
    clippy::inline_always,
    reason = "generic over registers, whose instruction set only the caller has"
)]

use super::decisions::Decisions;
use super::lanes::{LANES, Lanes, Pack};
use super::plan::{Group, MOST_POINTS, Node, Plan};

/// Receives the products at each node.
pub(super) trait Sink {
    /// Increases the value of the node's feature by the sum of `weighted` over the points, times `scale`.
    fn take<P: Pack, const K: usize>(&mut self, at: &At<'_>, scale: P, weighted: &[P; K]);
}

/// The position of a sweep.
pub(super) struct At<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) n: usize,
    pub(super) group: &'a Group,
    pub(super) decisions: &'a Decisions,
}

/// Sweeps over a tree once for each group of points. `leaf` gives the values of its leaves.
#[inline(always)]
pub(super) fn sweep<P: Pack>(
    plan: &Plan<'_>,
    decisions: &Decisions,
    leaf: impl Fn(i32) -> f64,
    products: &mut Vec<Lanes>,
    sink: &mut impl Sink,
) {
    for group in &plan.groups {
        let points = group.points.len();
        if products.len() < plan.nodes.len() * points {
            products.resize(plan.nodes.len() * points, Lanes::default());
        }
        match points {
            1 => sweep_group::<P, 1>(plan, group, decisions, &leaf, products, sink),
            2 => sweep_group::<P, 2>(plan, group, decisions, &leaf, products, sink),
            3 => sweep_group::<P, 3>(plan, group, decisions, &leaf, products, sink),
            4 => sweep_group::<P, 4>(plan, group, decisions, &leaf, products, sink),
            5 => sweep_group::<P, 5>(plan, group, decisions, &leaf, products, sink),
            6 => sweep_group::<P, 6>(plan, group, decisions, &leaf, products, sink),
            7 => sweep_group::<P, 7>(plan, group, decisions, &leaf, products, sink),
            _ => sweep_group::<P, MOST_POINTS>(plan, group, decisions, &leaf, products, sink),
        }
    }
}

/// Walks over a tree, down and up, and passes the products by which each node's feature gains to the sink.
///
/// The Shapley value of feature j for one leaf of value v is v (oj - pj) times the integral from 0 to 1 over the
/// product of t oi + (1 - t) pi for the other features i of the path, where oi tells whether the row follows the
/// edges of i and pi is the product of their cover ratios. Going down, `products` are those of the factors above a
/// node, times the quadrature weight; going up, they are replaced by the sums over the leaves below of value times
/// factors below. With L and R the latter on both sides, r the ratio of the node and o the decision of the row,
/// feature j gains (o - r) (L - R) times the product above. If j was split above, with share p and factor w there, it
/// gains p / w^2 times that for rows that follow the edge above, and nothing for others: their factor is a constant
/// multiple below.
#[inline(always)]
fn sweep_group<P: Pack, const K: usize>(
    plan: &Plan<'_>,
    group: &Group,
    decisions: &Decisions,
    leaf: &impl Fn(i32) -> f64,
    products: &mut [Lanes],
    sink: &mut impl Sink,
) {
    let (constants, _) = group.constants.as_chunks::<K>();
    let (constants, _) = constants.as_chunks::<3>();
    let (products, _) = products.as_chunks_mut::<K>();
    let count = plan.nodes.len();
    // The compiler sees that these lengths are equal, so nodes need no bounds check.
    let (nodes, constants, own) = (&plan.nodes[..count], &constants[..count], &decisions.own[..count]);
    products[0] = std::array::from_fn(|k| Lanes([group.weights[k]; LANES]));
    for n in 0..count {
        let node = &nodes[n];
        if node.left < 0 && node.right < 0 {
            continue;
        }
        let share = share_left::<P, K>(n, node, &constants[n], &own[n], decisions);
        let above: [P; K] = std::array::from_fn(|k| P::load(&products[n][k]));
        let left: [P; K] = std::array::from_fn(|k| above[k].mul(share[k]));
        if node.left >= 0 {
            store(&left, &mut products[node.left as usize]);
        }
        if node.right >= 0 {
            // The shares of both sides add up to 1.
            let right: [P; K] = std::array::from_fn(|k| above[k].sub(left[k]));
            store(&right, &mut products[node.right as usize]);
        }
    }
    for n in (0..count).rev() {
        let node = &nodes[n];
        let share = share_left::<P, K>(n, node, &constants[n], &own[n], decisions);
        let (right, differ): ([P; K], [P; K]) = match (node.left, node.right) {
            (..0, ..0) => {
                let (a, b) = (leaf(node.left), leaf(node.right));
                ([P::splat(b); K], [P::splat(a - b); K])
            }
            (..0, _) => {
                let (a, b) = (P::splat(leaf(node.left)), &products[node.right as usize]);
                let b: [P; K] = std::array::from_fn(|k| P::load(&b[k]));
                (b, b.map(|b| a.sub(b)))
            }
            (_, ..0) => {
                let (a, b) = (&products[node.left as usize], P::splat(leaf(node.right)));
                ([b; K], std::array::from_fn(|k| P::load(&a[k]).sub(b)))
            }
            _ => {
                let (a, b) = (&products[node.left as usize], &products[node.right as usize]);
                let b: [P; K] = std::array::from_fn(|k| P::load(&b[k]));
                (b, std::array::from_fn(|k| P::load(&a[k]).sub(b[k])))
            }
        };
        let place = &mut products[n];
        let mut weighted: [P; K] = std::array::from_fn(|k| P::load(&place[k]).mul(differ[k]));
        let whole: [P; K] = std::array::from_fn(|k| right[k].add(share[k].mul(differ[k])));
        store(&whole, place);
        let mut scale = P::load(&own[n]).sub(P::splat(node.ratio));
        if node.previous.is_some() {
            let by = &constants[n][2];
            weighted = std::array::from_fn(|k| weighted[k].mul(P::splat(by[k])));
            scale = scale.mul(decisions.old(n));
        }
        sink.take(&At { plan, n, group, decisions }, scale, &weighted);
    }
}

/// The factor by which the product changes on the way to the left child.
#[inline(always)]
fn share_left<P: Pack, const K: usize>(
    n: usize,
    node: &Node,
    [always, followed, _]: &[[f64; K]; 3],
    own: &Lanes,
    decisions: &Decisions,
) -> [P; K] {
    let own = P::load(own);
    if node.previous.is_none() {
        return std::array::from_fn(|k| P::splat(always[k]).add(own.mul(P::splat(followed[k]))));
    }
    let (ratio, old) = (P::splat(node.ratio), decisions.old::<P>(n));
    std::array::from_fn(|k| {
        let beside = P::splat(always[k] - node.ratio);
        ratio.add(old.mul(beside.add(own.mul(P::splat(followed[k])))))
    })
}

#[inline(always)]
fn store<P: Pack, const K: usize>(packs: &[P; K], lanes: &mut [Lanes; K]) {
    for (pack, lanes) in packs.iter().zip(lanes) {
        pack.store(lanes);
    }
}

/// The value of the leaf that each row reaches.
#[inline(always)]
pub(super) fn route<P: Pack>(
    plan: &Plan<'_>,
    decisions: &Decisions,
    leaf: impl Fn(i32) -> f64,
    scratch: &mut [Lanes],
) -> P {
    for (n, node) in plan.nodes.iter().enumerate().rev() {
        let of =
            |child: i32| if child >= 0 { P::load(&scratch[child as usize]) } else { P::splat(leaf(child)) };
        let reached = P::load(&decisions.own[n]).choose(of(node.left), of(node.right));
        reached.store(&mut scratch[n]);
    }
    P::load(&scratch[0])
}
