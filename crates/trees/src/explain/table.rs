//! Trees with few different splits, such as symmetric ones: all their explanations as one table.

use super::block::Contributions;
use super::decisions::{Decisions, LANES, Lanes, decide};
use super::plan::Plan;
use super::sweep::{route, sweep};

/// Most different splits; 1024 cells of a few features stay in the second cache.
const MOST_SPLITS: usize = 10;

/// For every outcome of the different splits of a tree (a cell), the Shapley values of its features and its leaf value.
pub(super) struct Table {
    /// A node for each different split; its outcome is the bit of the same number.
    splits: Vec<usize>,
    /// The distinct features.
    pub(super) features: Vec<u32>,
    /// Runs of 2^splits cells, one for each value of a leaf and each feature.
    contributions: Vec<f64>,
    /// The same for the leaf values.
    values: Vec<f64>,
}

impl Table {
    /// The table of a tree, unless it would be much larger than the tree. A symmetric tree has a cell a leaf.
    pub(super) fn new(plan: &Plan<'_>) -> Option<Self> {
        let mut splits: Vec<usize> = Vec::new();
        let mut bits = Vec::with_capacity(plan.nodes.len());
        for n in 0..plan.nodes.len() {
            let known = splits.iter().position(|&split| same_split(plan, split, n));
            bits.push(known.unwrap_or(splits.len()));
            if known.is_none() {
                splits.push(n);
            }
            if splits.len() > MOST_SPLITS || 1 << splits.len() > 2 * plan.tree.leaves() {
                return None;
            }
        }
        let mut features: Vec<u32> = splits.iter().map(|&n| plan.nodes[n].feature).collect();
        features.sort_unstable();
        features.dedup();
        let mut table = Self { splits, features, contributions: Vec::new(), values: Vec::new() };
        table.fill(plan, &bits);
        Some(table)
    }

    /// Number of outcomes.
    fn cells(&self) -> usize {
        1 << self.splits.len()
    }

    /// Explains the cells as if they were rows.
    fn fill(&mut self, plan: &Plan<'_>, bits: &[usize]) {
        let (cells, width) = (self.cells(), plan.tree.width as usize);
        let padded = cells.next_multiple_of(LANES);
        let most = self.features.last().map_or(0, |&feature| feature as usize + 1);
        let mut decisions = Decisions::default();
        decisions.resize(plan);
        let (mut products, mut scratch) = (Vec::new(), vec![[0.0; LANES]; plan.nodes.len()]);
        for at in 0..width {
            let leaf = |leaf: usize| plan.tree.leaf_values[leaf * width + at];
            let mut found = vec![0.0; most * padded];
            let mut values = vec![0.0; padded];
            for first in (0..cells).step_by(LANES) {
                for (own, &bit) in decisions.own.iter_mut().zip(bits) {
                    *own = std::array::from_fn(|l| ((first + l) >> bit & 1) as f64);
                }
                decisions.follow(plan);
                let mut sink = Contributions { values: &mut found[first..], stride: padded };
                sweep(plan, &decisions, leaf, &mut products, &mut sink);
                values[first..first + LANES].copy_from_slice(&route(plan, &decisions, leaf, &mut scratch));
            }
            for &feature in &self.features {
                self.contributions.extend_from_slice(&found[feature as usize * padded..][..cells]);
            }
            self.values.extend_from_slice(&values[..cells]);
        }
    }

    /// The cells of `LANES` rows.
    #[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
    #[inline(always)]
    pub(super) fn cells_of(&self, plan: &Plan<'_>, values: &[f64], stride: usize) -> [u16; LANES] {
        let mut cells = [0; LANES];
        for (bit, &n) in self.splits.iter().enumerate() {
            let own: Lanes = decide(plan, n, &plan.nodes[n], values, stride);
            for (cell, own) in cells.iter_mut().zip(own) {
                *cell |= u16::from(own == 1.0) << bit;
            }
        }
        cells
    }

    /// The contributions of the feature at place `place` to leaf value `at`, a cell each.
    pub(super) fn contributions(&self, at: usize, place: usize) -> &[f64] {
        &self.contributions[(at * self.features.len() + place) * self.cells()..][..self.cells()]
    }

    /// Leaf value `at` of the cells.
    pub(super) fn values(&self, at: usize) -> &[f64] {
        &self.values[at * self.cells()..][..self.cells()]
    }
}

fn same_split(plan: &Plan<'_>, a: usize, b: usize) -> bool {
    let (one, other) = (&plan.nodes[a], &plan.nodes[b]);
    one.feature == other.feature
        && one.missing_left == other.missing_left
        && plan.tree.split(a) == plan.tree.split(b)
}
