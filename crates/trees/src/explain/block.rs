//! Explains a block of rows, tree by tree.

use super::lanes::{LANES, Lanes, Pack, Portable};
#[cfg(target_arch = "x86_64")]
use super::lanes_x86::{Avx2, Avx512};
use super::plan::Plan;
use super::stacks::Stacks;
use super::sweep::{route, sweep};
use super::table::Table;
use crate::explain::contributions::Contributions;
use crate::{Ensemble, Rows};

/// Number of rows in a block: its values and contributions stay in the second-level cache while the trees pass.
pub(super) const BLOCK: usize = 256;

/// Number of lanes in a block.
pub(super) const RUN: usize = BLOCK / LANES;

/// The method by which a tree is explained.
pub(super) enum Form<'a> {
    /// One leaf: the same margin for every row.
    Constant(&'a crate::Tree),
    /// Two passes over the tree for every eight rows.
    Sweep(Plan<'a>),
    /// A table look-up.
    Table(Plan<'a>, Table),
}

/// The working memory of one thread.
pub(super) struct Block {
    /// Values of the block's rows, `RUN` lanes per feature, padded with missing values.
    pub(super) values: Vec<Lanes>,
    /// Contributions, `RUN` lanes per output and feature.
    pub(super) contributions: Vec<Lanes>,
    /// Margins, `RUN` lanes per output.
    pub(super) margins: Vec<Lanes>,
    pub(super) stacks: Stacks,
}

impl Block {
    pub(super) fn new(ensemble: &Ensemble) -> Self {
        let features = ensemble.features.len();
        Self {
            values: vec![Lanes::default(); features * RUN],
            contributions: vec![Lanes::default(); ensemble.outputs * features * RUN],
            margins: vec![Lanes::default(); ensemble.outputs * RUN],
            stacks: Stacks::default(),
        }
    }

    /// Loads `count` rows, at most `BLOCK`, and initialises their margins with the base.
    pub(super) fn load(&mut self, ensemble: &Ensemble, rows: &Rows<'_>, first: usize, count: usize) {
        self.values.fill(Lanes([f64::NAN; LANES]));
        for (f, (feature, lanes)) in
            ensemble.features.iter().zip(self.values.chunks_exact_mut(RUN)).enumerate()
        {
            let given = &rows.column(f)[first..first + count];
            for (lanes, given) in lanes.iter_mut().zip(given.chunks(LANES)) {
                for (value, &given) in lanes.0.iter_mut().zip(given) {
                    *value = feature.seen(given);
                }
            }
        }
        for (margins, &base) in self.margins.chunks_exact_mut(RUN).zip(&ensemble.base) {
            margins.fill(Lanes([base; LANES]));
        }
        self.contributions.fill(Lanes::default());
    }

    /// Explains the loaded rows with the widest registers of the processor.
    pub(super) fn explain(&mut self, forms: &[Form<'_>], count: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor has AVX-512.
                return unsafe { self.explain_avx512(forms, count) };
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2.
                return unsafe { self.explain_avx2(forms, count) };
            }
        }
        self.explain_with::<Portable>(forms, count);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    fn explain_avx512(&mut self, forms: &[Form<'_>], count: usize) {
        self.explain_with::<Avx512>(forms, count);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn explain_avx2(&mut self, forms: &[Form<'_>], count: usize) {
        self.explain_with::<Avx2>(forms, count);
    }

    #[expect(
        clippy::inline_always,
        reason = "generic over registers, whose instruction set only the caller has"
    )]
    #[inline(always)]
    fn explain_with<P: Pack>(&mut self, forms: &[Form<'_>], count: usize) {
        for form in forms {
            match form {
                Form::Constant(tree) => self.add_constant(tree),
                Form::Sweep(plan) => self.add_swept::<P>(plan, count),
                Form::Table(plan, table) => self.add_table::<P>(plan, table, count),
            }
        }
    }

    fn add_constant(&mut self, tree: &crate::Tree) {
        let from = if tree.width == 1 { tree.output as usize } else { 0 };
        for (margins, value) in self.margins.chunks_exact_mut(RUN).skip(from).zip(&tree.leaf_values) {
            for margin in margins.iter_mut().flat_map(|lanes| &mut lanes.0) {
                *margin += value;
            }
        }
    }

    #[expect(
        clippy::inline_always,
        reason = "generic over registers, whose instruction set only the caller has"
    )]
    #[inline(always)]
    fn add_swept<P: Pack>(&mut self, plan: &Plan<'_>, count: usize) {
        let (width, run) = (plan.tree.width as usize, self.values.len());
        let from = if width == 1 { plan.tree.output as usize } else { 0 };
        self.stacks.resize(plan);
        let Stacks { decisions, products, routes } = &mut self.stacks;
        for first in 0..count.div_ceil(LANES) {
            decisions.decide::<P>(plan, &self.values[first..], RUN);
            for at in 0..width {
                let leaf = |child: i32| plan.tree.leaf_values[!child as usize * width + at];
                let values = &mut self.contributions[(from + at) * run..][..run];
                let mut sink = Contributions { values: &mut values[first..], stride: RUN };
                sweep::<P>(plan, decisions, leaf, products, &mut sink);
                let margins = &mut self.margins[(from + at) * RUN + first];
                P::load(margins).add(route(plan, decisions, leaf, routes)).store(margins);
            }
        }
    }

    #[expect(
        clippy::inline_always,
        reason = "generic over registers, whose instruction set only the caller has"
    )]
    #[inline(always)]
    fn add_table<P: Pack>(&mut self, plan: &Plan<'_>, table: &Table, count: usize) {
        let (width, run) = (plan.tree.width as usize, self.values.len());
        let from = if width == 1 { plan.tree.output as usize } else { 0 };
        let mut cells = [[0; LANES]; RUN];
        for (first, cells) in cells[..count.div_ceil(LANES)].iter_mut().enumerate() {
            *cells = table.cells_of::<P>(plan, &self.values[first..], RUN);
        }
        for at in 0..width {
            let output = from + at;
            add_cells(&mut self.margins[output * RUN..][..RUN], table.values(at), &cells);
            let contributions = &mut self.contributions[output * run..][..run];
            for (place, &feature) in table.features.iter().enumerate() {
                let values = &mut contributions[feature as usize * RUN..][..RUN];
                add_cells(values, table.contributions(at, place), &cells);
            }
        }
    }
}

/// Adds the entries of its cell to each row.
fn add_cells(rows: &mut [Lanes], of: &[f64], cells: &[[u16; LANES]; RUN]) {
    for (lanes, cells) in rows.iter_mut().zip(cells) {
        for (value, &cell) in lanes.0.iter_mut().zip(cells) {
            *value += of[cell as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Explainer, Feature, Tree};

    /// A chain of twelve splits over four features, which contains all kinds of nodes.
    fn ensemble() -> Ensemble {
        let nodes = 12;
        let mut tree = Tree {
            width: 1,
            leaf_values: (0..=nodes).map(|l| f64::from(l).sin()).collect(),
            ..Tree::default()
        };
        tree.leaf_cover = (0..=nodes).map(|l| f64::from(1 + l % 5)).collect();
        for n in 0..nodes {
            let next = if n + 1 < nodes { n + 1 } else { Tree::to_leaf(nodes as usize) };
            let (left, right) = if n % 3 == 0 {
                (next, Tree::to_leaf(n as usize))
            } else {
                (Tree::to_leaf(n as usize), next)
            };
            tree.feature.push(n as u32 * 7 % 5 % 4);
            tree.threshold.push(f64::from(n * 5 % 11) / 11.0);
            tree.missing_left.push(n % 2 == 0);
            tree.left.push(left);
            tree.right.push(right);
            tree.gain.push(0.0);
            tree.cover.push(tree.leaf_cover[n as usize..].iter().sum());
        }
        let features = (0..4).map(|f| Feature::numeric(f.to_string())).collect();
        Ensemble { features, outputs: 1, base: vec![0.25], trees: vec![tree], ..Ensemble::default() }
    }

    #[test]
    fn all_registers_give_the_same_bits() {
        let ensemble = ensemble();
        let explainer = Explainer::new(&ensemble).unwrap();
        let value = |f: usize, row: usize| {
            if (row + f).is_multiple_of(9) { f64::NAN } else { (row * (f + 3) % 17) as f64 / 17.0 }
        };
        let columns: Vec<Vec<f64>> = (0..4).map(|f| (0..100).map(|row| value(f, row)).collect()).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let rows = Rows::new(&columns).unwrap();
        let bits = |explain: &dyn Fn(&mut Block)| {
            let mut block = Block::new(&ensemble);
            block.load(&ensemble, &rows, 0, 100);
            explain(&mut block);
            let lanes = block.contributions.iter().chain(&block.margins);
            lanes.flat_map(|lanes| lanes.0.map(f64::to_bits)).collect::<Vec<_>>()
        };
        let expected = bits(&|block| block.explain_with::<Portable>(&explainer.forms, 100));
        assert_eq!(bits(&|block| block.explain(&explainer.forms, 100)), expected);
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            assert_eq!(bits(&|block| unsafe { block.explain_avx2(&explainer.forms, 100) }), expected);
        }
    }
}
