//! The explanation of a block of rows, tree after tree.

use super::decisions::{Decisions, LANES, Lanes};
use super::plan::{Group, Node, Plan};
use super::stacks::Stacks;
use super::sweep::{Points, Sink, route, sweep};
use super::table::Table;
use crate::{Ensemble, Rows};

/// Rows of a block: its values and contributions stay in the second cache while the trees pass by.
pub(super) const BLOCK: usize = 256;

/// How a tree is explained.
pub(super) enum Form<'a> {
    /// One leaf: the same margin for every row.
    Constant(&'a crate::Tree),
    /// Two passes over the tree for every eight rows.
    Sweep(Plan<'a>),
    /// A look-up.
    Table(Plan<'a>, Table),
}

/// What one thread works on.
pub(super) struct Block {
    /// Values of the block's rows, `BLOCK` of them a feature, missing ones where there are fewer rows.
    pub(super) values: Vec<f64>,
    /// Contributions, `BLOCK` rows for each output and feature.
    pub(super) contributions: Vec<f64>,
    /// Margins, `BLOCK` rows for each output.
    pub(super) margins: Vec<f64>,
    pub(super) stacks: Stacks,
}

/// Adds the contributions of one output: row `l` of feature `f` is `values[f * stride + l]`.
pub(super) struct Contributions<'a> {
    pub(super) values: &'a mut [f64],
    pub(super) stride: usize,
}

impl Sink for Contributions<'_> {
    #[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
    #[inline(always)]
    fn take<const K: usize>(
        &mut self,
        n: usize,
        node: &Node,
        _: &Group,
        decisions: &Decisions,
        weighted: &Points<K>,
    ) {
        let mut sum = weighted[0];
        for point in &weighted[1..] {
            sum = std::array::from_fn(|l| sum[l] + point[l]);
        }
        let (own, old) = (&decisions.own[n], &decisions.old[n]);
        let from = node.feature as usize * self.stride;
        let values: &mut Lanes = (&mut self.values[from..from + LANES]).try_into().expect("a block of lanes");
        for l in 0..LANES {
            values[l] += (own[l] - node.ratio) * old[l] * sum[l];
        }
    }
}

impl Block {
    pub(super) fn new(ensemble: &Ensemble) -> Self {
        let features = ensemble.features.len();
        Self {
            values: vec![0.0; features * BLOCK],
            contributions: vec![0.0; ensemble.outputs * features * BLOCK],
            margins: vec![0.0; ensemble.outputs * BLOCK],
            stacks: Stacks::default(),
        }
    }

    /// Takes over `count` rows, at most `BLOCK`, and starts their margins from the base.
    pub(super) fn load(&mut self, ensemble: &Ensemble, rows: &Rows<'_>, first: usize, count: usize) {
        for (f, (feature, values)) in
            ensemble.features.iter().zip(self.values.chunks_exact_mut(BLOCK)).enumerate()
        {
            for (value, &given) in values.iter_mut().zip(&rows.column(f)[first..first + count]) {
                *value = feature.seen(given);
            }
            values[count..].fill(f64::NAN);
        }
        for (margins, &base) in self.margins.chunks_exact_mut(BLOCK).zip(&ensemble.base) {
            margins.fill(base);
        }
        self.contributions.fill(0.0);
    }

    /// Explains the loaded rows, with the widest registers that the processor is known to have.
    pub(super) fn explain(&mut self, forms: &[Form<'_>], count: usize) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            unsafe { self.explain_avx2(forms, count) };
            return;
        }
        self.explain_with(forms, count);
    }

    /// Without fused multiplication, so that results are those of every other processor.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn explain_avx2(&mut self, forms: &[Form<'_>], count: usize) {
        self.explain_with(forms, count);
    }

    #[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
    #[inline(always)]
    fn explain_with(&mut self, forms: &[Form<'_>], count: usize) {
        for form in forms {
            match form {
                Form::Constant(tree) => self.add_constant(tree),
                Form::Sweep(plan) => self.add_swept(plan, count),
                Form::Table(plan, table) => self.add_table(plan, table, count),
            }
        }
    }

    fn add_constant(&mut self, tree: &crate::Tree) {
        let from = if tree.width == 1 { tree.output as usize } else { 0 };
        for (margins, value) in self.margins.chunks_exact_mut(BLOCK).skip(from).zip(&tree.leaf_values) {
            for margin in margins {
                *margin += value;
            }
        }
    }

    #[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
    #[inline(always)]
    fn add_swept(&mut self, plan: &Plan<'_>, count: usize) {
        let (width, run) = (plan.tree.width as usize, self.values.len());
        let from = if width == 1 { plan.tree.output as usize } else { 0 };
        self.stacks.resize(plan);
        let Stacks { decisions, products, routes, .. } = &mut self.stacks;
        for first in (0..count).step_by(LANES) {
            decisions.decide(plan, &self.values[first..], BLOCK);
            for at in 0..width {
                let leaf = |leaf: usize| plan.tree.leaf_values[leaf * width + at];
                let values = &mut self.contributions[(from + at) * run..][..run];
                let mut sink = Contributions { values: &mut values[first..], stride: BLOCK };
                sweep(plan, decisions, leaf, products, &mut sink);
                let reached = route(plan, decisions, leaf, routes);
                let margins = &mut self.margins[(from + at) * BLOCK + first..][..LANES];
                margins.iter_mut().zip(reached).for_each(|(margin, value)| *margin += value);
            }
        }
    }

    #[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
    #[inline(always)]
    fn add_table(&mut self, plan: &Plan<'_>, table: &Table, count: usize) {
        let (width, run) = (plan.tree.width as usize, self.values.len());
        let from = if width == 1 { plan.tree.output as usize } else { 0 };
        let mut cells = [0; BLOCK];
        for (first, cells) in (0..count).step_by(LANES).zip(cells.chunks_exact_mut(LANES)) {
            cells.copy_from_slice(&table.cells_of(plan, &self.values[first..], BLOCK));
        }
        for at in 0..width {
            let output = from + at;
            add_cells(&mut self.margins[output * BLOCK..][..count], table.values(at), &cells);
            let contributions = &mut self.contributions[output * run..][..run];
            for (place, &feature) in table.features.iter().enumerate() {
                let values = &mut contributions[feature as usize * BLOCK..][..count];
                add_cells(values, table.contributions(at, place), &cells);
            }
        }
    }
}

/// Adds to each row what its cell has.
#[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
#[inline(always)]
fn add_cells(rows: &mut [f64], of: &[f64], cells: &[u16]) {
    for (value, &cell) in rows.iter_mut().zip(cells) {
        *value += of[cell as usize];
    }
}
