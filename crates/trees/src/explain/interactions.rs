//! Shapley interaction values: how much of a contribution two features share.

use rayon::prelude::*;

use super::block::{BLOCK, Block, Form};
use super::decisions::{Decisions, LANES, Lanes};
use super::explainer::{Explainer, blocks_of};
use super::plan::{Group, Node, Plan};
use super::stacks::Stacks;
use super::sweep::{Points, Sink, sweep};
use crate::{Rows, TreesError};

/// Interaction values of rows: for each row and output a symmetric matrix whose rows sum to the Shapley values.
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
    /// The interaction of two features in one output, a row each; for a feature with itself its main effect.
    pub fn column(&self, output: usize, one: usize, other: usize) -> &[f64] {
        &self.values[((output * self.features + one) * self.features + other) * self.rows..][..self.rows]
    }
}

/// Adds the interactions of one output: those of a pair, the smaller feature first, at `(i * features + j) * BLOCK`.
struct Pairs<'a> {
    plan: &'a Plan<'a>,
    above: &'a [Vec<(u32, bool)>],
    values: &'a mut [f64],
    first: usize,
    features: usize,
}

impl Sink for Pairs<'_> {
    /// Of two features on a path, one is split last. There the integrand of its own value gets the factor
    /// (o_i - p_i) / (t o_i + (1 - t) p_i) for each other feature i, by the state of i at this node: what splits of i
    /// further down change is added where they are.
    #[expect(clippy::inline_always, reason = "takes on the instruction set of its caller")]
    #[inline(always)]
    fn take<const K: usize>(
        &mut self,
        n: usize,
        node: &Node,
        group: &Group,
        decisions: &Decisions,
        weighted: &Points<K>,
    ) {
        let (own, old) = (&decisions.own[n], &decisions.old[n]);
        let scale: Lanes = std::array::from_fn(|l| 0.5 * (own[l] - node.ratio) * old[l]);
        for &(at, right) in &self.above[n] {
            let other = &self.plan.nodes[at as usize];
            let (share, follows) = (other.shares[usize::from(right)], decisions.after(at as usize, right));
            let mut sum = [0.0; LANES];
            for (&t, products) in group.points.iter().zip(weighted) {
                let without = -1.0 / (1.0 - t);
                let differ = (1.0 - share) / (t + (1.0 - t) * share) - without;
                sum = std::array::from_fn(|l| sum[l] + products[l] * (without + follows[l] * differ));
            }
            let (one, two) =
                (node.feature.min(other.feature) as usize, node.feature.max(other.feature) as usize);
            let from = (one * self.features + two) * BLOCK + self.first;
            for (value, l) in self.values[from..from + LANES].iter_mut().zip(0..) {
                *value += scale[l] * sum[l];
            }
        }
    }
}

impl Explainer<'_> {
    /// Pairwise Shapley interaction values, exact, as one array of outputs x features x features x rows: mind the size.
    ///
    /// # Errors
    /// [`TreesError::Shape`] when the columns do not fit.
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
            || (Block::new(self.ensemble), vec![0.0; outputs * features * features * BLOCK]),
            |(block, pairs), (at, mut columns)| {
                let count = (count - at * BLOCK).min(BLOCK);
                block.load(self.ensemble, rows, at * BLOCK, count);
                block.explain(&self.forms, count);
                pairs.fill(0.0);
                for (form, above) in self.forms.iter().zip(&above) {
                    if let Form::Sweep(plan) | Form::Table(plan, _) = form {
                        add_pairs(plan, above, block, pairs, count, features);
                    }
                }
                for output in 0..outputs {
                    let run = features * features;
                    complete(
                        &pairs[output * run * BLOCK..][..run * BLOCK],
                        &block.contributions[output * features * BLOCK..][..features * BLOCK],
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
    pairs: &mut [f64],
    count: usize,
    features: usize,
) {
    let (width, run) = (plan.tree.width as usize, features * features * BLOCK);
    let from = if width == 1 { plan.tree.output as usize } else { 0 };
    block.stacks.resize(plan);
    let Stacks { decisions, products, .. } = &mut block.stacks;
    for first in (0..count).step_by(LANES) {
        decisions.decide(plan, &block.values[first..], BLOCK);
        for at in 0..width {
            let leaf = |leaf: usize| plan.tree.leaf_values[leaf * width + at];
            let values = &mut pairs[(from + at) * run..][..run];
            sweep(plan, decisions, leaf, products, &mut Pairs { plan, above, values, first, features });
        }
    }
}

/// Writes both halves of the matrix, and as main effects what the pairs leave of each contribution.
fn complete(pairs: &[f64], contributions: &[f64], columns: &mut [&mut [f64]]) {
    let features = contributions.len() / BLOCK;
    for one in 0..features {
        for row in 0..columns[0].len() {
            let mut main = contributions[one * BLOCK + row];
            for other in (0..features).filter(|&other| other != one) {
                let pair = pairs[(one.min(other) * features + one.max(other)) * BLOCK + row];
                columns[one * features + other][row] = pair;
                main -= pair;
            }
            columns[one * features + one][row] = main;
        }
    }
}
