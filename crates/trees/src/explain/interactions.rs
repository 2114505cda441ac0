//! Shapley interaction values: the part of a contribution that two features share.

use rayon::prelude::*;

use super::block::{BLOCK, Block, Form, RUN};
use super::explainer::{Explainer, blocks_of};
use super::lanes::{LANES, Lanes, Pack, Portable};
use super::plan::Plan;
use super::stacks::Stacks;
use super::sweep::{At, Sink, sweep};
use crate::{Rows, TreesError};

/// Interaction values of rows: a symmetric matrix per row and output, whose rows sum to the Shapley values.
#[derive(Debug, Clone, PartialEq)]
pub struct Interactions {
    /// `values[((output * features + one) * features + other) * rows + row]`.
    pub values: Vec<f64>,
    /// Number of rows.
    pub rows: usize,
    /// Number of features.
    pub features: usize,
}

impl Interactions {
    /// The interaction of two features in one output, one per row; a feature's interaction with itself is its main
    /// effect.
    pub fn column(&self, output: usize, one: usize, other: usize) -> &[f64] {
        &self.values[((output * self.features + one) * self.features + other) * self.rows..][..self.rows]
    }
}

/// Accumulates the interactions of one output: those of a pair, smaller feature first, at `(i * features + j) * RUN`.
struct Pairs<'a> {
    above: &'a [Vec<(u32, bool)>],
    values: &'a mut [Lanes],
    first: usize,
    features: usize,
}

impl Sink for Pairs<'_> {
    /// Of two features on a path, one is split last. At its node, the integrand of its own value gets the factor (oi -
    /// pi) / (t oi + (1 - t) pi) for each other feature i, in the state of i at this node. Later splits on i add their
    /// changes at their own nodes.
    #[expect(
        clippy::inline_always,
        reason = "generic over registers, whose instruction set only the caller has"
    )]
    #[inline(always)]
    fn take<P: Pack, const K: usize>(&mut self, at: &At<'_>, scale: P, weighted: &[P; K]) {
        let half = scale.mul(P::splat(0.5));
        let feature = at.plan.nodes[at.n].feature;
        for &(edge, right) in &self.above[at.n] {
            let other = &at.plan.nodes[edge as usize];
            let share = other.shares[usize::from(right)];
            let follows: P = at.decisions.after(at.plan, edge as usize, right);
            let mut sum = P::splat(0.0);
            for (&t, &products) in at.group.points.iter().zip(weighted) {
                let without = -1.0 / (1.0 - t);
                let differ = (1.0 - share) / (t + (1.0 - t) * share) - without;
                sum = sum.add(products.mul(P::splat(without).add(follows.mul(P::splat(differ)))));
            }
            let (one, two) = (feature.min(other.feature) as usize, feature.max(other.feature) as usize);
            let lanes = &mut self.values[(one * self.features + two) * RUN + self.first];
            P::load(lanes).add(half.mul(sum)).store(lanes);
        }
    }
}

impl Explainer<'_> {
    /// Exact pairwise Shapley interaction values, as one array of outputs x features x features x rows, which may be
    /// large.
    ///
    /// # Errors
    /// [`TreesError::Shape`] if the columns do not match.
    pub fn interactions(&self, rows: &Rows<'_>) -> Result<Interactions, TreesError> {
        self.ensemble.check_rows(rows.features())?;
        let (features, outputs, count) = (rows.features(), self.ensemble.outputs, rows.len());
        let above: Vec<_> = self
            .forms
            .iter()
            .map(|form| match form {
                Form::Constant(_) => Vec::new(),
                Form::Sweep(plan) | Form::Table(plan, _) => plan.others_above(),
            })
            .collect();
        let mut values = vec![0.0; outputs * features * features * count];
        blocks_of(&mut values, count).into_par_iter().enumerate().for_each_init(
            || (Block::new(self.ensemble), vec![Lanes::default(); outputs * features * features * RUN]),
            |(block, pairs), (at, mut columns)| {
                let count = (count - at * BLOCK).min(BLOCK);
                block.load(self.ensemble, rows, at * BLOCK, count);
                block.explain(&self.forms, count);
                pairs.fill(Lanes::default());
                for (form, above) in self.forms.iter().zip(&above) {
                    if let Form::Sweep(plan) | Form::Table(plan, _) = form {
                        add_pairs(plan, above, block, pairs, count, features);
                    }
                }
                for output in 0..outputs {
                    let run = features * features;
                    complete(
                        &pairs[output * run * RUN..][..run * RUN],
                        &block.contributions[output * features * RUN..][..features * RUN],
                        &mut columns[output * run..][..run],
                    );
                }
            },
        );
        Ok(Interactions { values, rows: count, features })
    }
}

fn add_pairs(
    plan: &Plan<'_>,
    above: &[Vec<(u32, bool)>],
    block: &mut Block,
    pairs: &mut [Lanes],
    count: usize,
    features: usize,
) {
    let (width, run) = (plan.tree.width as usize, features * features * RUN);
    let from = if width == 1 { plan.tree.output as usize } else { 0 };
    block.stacks.resize(plan);
    let Stacks { decisions, products, .. } = &mut block.stacks;
    for first in 0..count.div_ceil(LANES) {
        decisions.decide::<Portable>(plan, &block.values[first..], RUN);
        for at in 0..width {
            let leaf = |child: i32| plan.tree.leaf_values[!child as usize * width + at];
            let values = &mut pairs[(from + at) * run..][..run];
            sweep::<Portable>(plan, decisions, leaf, products, &mut Pairs { above, values, first, features });
        }
    }
}

/// Writes both halves of the matrix; the main effects are the contributions minus the pairs.
fn complete(pairs: &[Lanes], contributions: &[Lanes], columns: &mut [&mut [f64]]) {
    let features = contributions.len() / RUN;
    let of = |lanes: &[Lanes], at: usize, row: usize| lanes[at * RUN + row / LANES].0[row % LANES];
    for one in 0..features {
        for row in 0..columns[0].len() {
            let mut main = of(contributions, one, row);
            for other in (0..features).filter(|&other| other != one) {
                let pair = of(pairs, one.min(other) * features + one.max(other), row);
                columns[one * features + other][row] = pair;
                main -= pair;
            }
            columns[one * features + one][row] = main;
        }
    }
}
