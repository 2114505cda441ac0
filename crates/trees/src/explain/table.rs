//! Trees with few distinct splits, such as symmetric ones: all their explanations as one table.

use super::decisions::{Decisions, decide};
use super::lanes::{LANES, Lanes, Pack, Portable};
use super::plan::Plan;
use super::sweep::{route, sweep};
use crate::explain::contributions::Contributions;

/// Maximum number of distinct splits; 1024 cells of a few features stay in the second-level cache.
const MOST_SPLITS: usize = 10;

/// For every combination of outcomes of a tree's distinct splits (a cell): the Shapley values of its features, and its
/// leaf value.
pub(super) struct Table {
    /// One node per distinct split; its outcome is the bit of the same number.
    splits: Vec<usize>,
    /// The distinct features.
    pub(super) features: Vec<u32>,
    /// Runs of 2^splits cells, one run per value of a leaf and feature.
    contributions: Vec<f64>,
    /// The same for the leaf values.
    values: Vec<f64>,
}

impl Table {
    /// The table of a tree, unless it would be much larger than the tree. A symmetric tree has one cell per leaf.
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

    /// Number of cells.
    fn cells(&self) -> usize {
        1 << self.splits.len()
    }

    /// Explains the cells as if they were rows.
    fn fill(&mut self, plan: &Plan<'_>, bits: &[usize]) {
        let (cells, width) = (self.cells(), plan.tree.width as usize);
        let runs = cells.div_ceil(LANES);
        let most = self.features.last().map_or(0, |&feature| feature as usize + 1);
        let mut decisions = Decisions::default();
        decisions.resize(plan);
        let (mut products, mut scratch) = (Vec::new(), vec![Lanes::default(); plan.nodes.len()]);
        for at in 0..width {
            let leaf = |child: i32| plan.tree.leaf_values[!child as usize * width + at];
            let mut found = vec![Lanes::default(); most * runs];
            let mut values = vec![Lanes::default(); runs];
            for (run, values) in values.iter_mut().enumerate() {
                for (own, &bit) in decisions.own.iter_mut().zip(bits) {
                    *own = Lanes(std::array::from_fn(|l| ((run * LANES + l) >> bit & 1) as f64));
                }
                decisions.follow::<Portable>(plan);
                let mut sink = Contributions { values: &mut found[run..], stride: runs };
                sweep::<Portable>(plan, &decisions, leaf, &mut products, &mut sink);
                route::<Portable>(plan, &decisions, leaf, &mut scratch).store(values);
            }
            for &feature in &self.features {
                let found = found[feature as usize * runs..][..runs].iter().flat_map(|lanes| lanes.0);
                self.contributions.extend(found.take(cells));
            }
            self.values.extend(values.iter().flat_map(|lanes| lanes.0).take(cells));
        }
    }

    /// The cells of `LANES` rows.
    #[expect(
        clippy::inline_always,
        reason = "generic over registers, whose instruction set only the caller has"
    )]
    #[inline(always)]
    pub(super) fn cells_of<P: Pack>(&self, plan: &Plan<'_>, values: &[Lanes], stride: usize) -> [u16; LANES] {
        let mut cells = [0; LANES];
        for (bit, &n) in self.splits.iter().enumerate() {
            let mut own = Lanes::default();
            decide::<P>(plan, n, &plan.nodes[n], values, stride).store(&mut own);
            for (cell, own) in cells.iter_mut().zip(own.0) {
                *cell |= u16::from(own == 1.0) << bit;
            }
        }
        cells
    }

    /// The contributions of the feature at index `place` to leaf value `at`, one per cell.
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
