//! The entry point to explanations.

use rayon::prelude::*;

use super::block::{BLOCK, Block, Form, RUN};
use super::explanation::{Explanation, additivity_error};
use super::lanes::{LANES, Lanes};
use super::plan::Plan;
use super::table::Table;
use crate::{Ensemble, Rows, TreesError};

/// An ensemble prepared for explanations. Results do not depend on the number of threads or on other rows.
pub struct Explainer<'a> {
    pub(super) ensemble: &'a Ensemble,
    pub(super) forms: Vec<Form<'a>>,
    base: Vec<f64>,
}

impl<'a> Explainer<'a> {
    /// Prepares an ensemble, which takes microseconds per tree.
    ///
    /// # Errors
    /// [`TreesError::Invalid`] as from [`Ensemble::check`].
    pub fn new(ensemble: &'a Ensemble) -> Result<Self, TreesError> {
        Self::with_more_points(ensemble, 0)
    }

    /// Like [`Explainer::new`], with more quadrature points per tree than necessary, to check the exactness.
    ///
    /// # Errors
    /// As [`Explainer::new`].
    pub fn with_more_points(ensemble: &'a Ensemble, more: usize) -> Result<Self, TreesError> {
        ensemble.check()?;
        let mut base = ensemble.base.clone();
        let mut forms = Vec::with_capacity(ensemble.trees.len());
        for tree in &ensemble.trees {
            let plan = Plan::new(tree, more);
            let from = if tree.width == 1 { tree.output as usize } else { 0 };
            for (at, base) in base[from..].iter_mut().take(tree.width as usize).enumerate() {
                *base += plan.mean(at);
            }
            forms.push(if plan.nodes.is_empty() {
                Form::Constant(tree)
            } else if let Some(table) = Table::new(&plan) {
                Form::Table(plan, table)
            } else {
                Form::Sweep(plan)
            });
        }
        Ok(Self { ensemble, forms, base })
    }

    /// Mean margins over the training rows, one per output, from which contributions are measured.
    pub fn base(&self) -> &[f64] {
        &self.base
    }

    /// Shapley values of all rows, as one array of outputs x features x rows.
    ///
    /// # Errors
    /// [`TreesError::Shape`] if the columns do not match.
    pub fn explain(&self, rows: &Rows<'_>) -> Result<Explanation, TreesError> {
        self.ensemble.check_rows(rows.features())?;
        let mut explanation = self.empty();
        self.fill(rows, 0, rows.len(), &mut explanation);
        Ok(explanation)
    }

    /// Shapley values of `step` rows at a time, for tables whose explanation does not fit into memory. `each` receives
    /// the first row and the explanation of the rows from there on.
    ///
    /// # Errors
    /// [`TreesError::Shape`] if the columns do not match.
    pub fn stream(
        &self,
        rows: &Rows<'_>,
        step: usize,
        mut each: impl FnMut(usize, &Explanation),
    ) -> Result<(), TreesError> {
        self.ensemble.check_rows(rows.features())?;
        let step = step.max(1);
        let mut explanation = self.empty();
        for first in (0..rows.len()).step_by(step) {
            self.fill(rows, first, step.min(rows.len() - first), &mut explanation);
            each(first, &explanation);
        }
        Ok(())
    }

    fn empty(&self) -> Explanation {
        Explanation {
            values: Vec::new(),
            base: self.base.clone(),
            margins: Vec::new(),
            rows: 0,
            features: self.ensemble.features.len(),
            max_additivity_error: 0.0,
        }
    }

    fn fill(&self, rows: &Rows<'_>, first: usize, count: usize, out: &mut Explanation) {
        let (features, outputs) = (self.ensemble.features.len(), self.ensemble.outputs);
        out.rows = count;
        out.values.resize(outputs * features * count, 0.0);
        out.margins.resize(outputs * count, 0.0);
        let values = blocks_of(&mut out.values, count);
        let margins = blocks_of(&mut out.margins, count);
        out.max_additivity_error = values
            .into_par_iter()
            .zip(margins)
            .enumerate()
            .map_init(
                || Block::new(self.ensemble),
                |block, (at, (mut values, mut margins))| {
                    let start = at * BLOCK;
                    let count = (count - start).min(BLOCK);
                    block.load(self.ensemble, rows, first + start, count);
                    block.explain(&self.forms, count);
                    copy_out(&block.contributions, &mut values);
                    copy_out(&block.margins, &mut margins);
                    (0..outputs).fold(0.0, |worst: f64, output| {
                        let columns = &values[output * features..][..features];
                        let error = additivity_error(self.base[output], columns, margins[output]);
                        worst.max(error)
                    })
                },
            )
            .reduce(|| 0.0, f64::max);
    }
}

/// Columns of `rows` each, cut into blocks: each block has its part of every column.
pub(super) fn blocks_of(columns: &mut [f64], rows: usize) -> Vec<Vec<&mut [f64]>> {
    let mut blocks: Vec<Vec<&mut [f64]>> = (0..rows.div_ceil(BLOCK)).map(|_| Vec::new()).collect();
    for column in columns.chunks_exact_mut(rows.max(1)) {
        for (block, part) in blocks.iter_mut().zip(column.chunks_mut(BLOCK)) {
            block.push(part);
        }
    }
    blocks
}

fn copy_out(from: &[Lanes], to: &mut [&mut [f64]]) {
    for (from, to) in from.chunks_exact(RUN).zip(to) {
        for (lanes, to) in from.iter().zip(to.chunks_mut(LANES)) {
            to.copy_from_slice(&lanes.0[..to.len()]);
        }
    }
}
