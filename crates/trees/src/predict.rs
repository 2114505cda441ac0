//! Margins and predictions.

use rayon::prelude::*;

use crate::{Ensemble, Link, Rows, TreesError};

/// Number of rows per task: their values and margins stay in the first-level cache while the trees pass.
const BLOCK: usize = 256;

impl Ensemble {
    /// Sums of leaf values plus the base, row by row, `outputs` of them each: `out[row * outputs + output]`.
    ///
    /// A row's result does not depend on other rows or on the number of threads.
    ///
    /// # Errors
    /// [`TreesError::Shape`] if the columns or the length of `out` do not match.
    pub fn margins(&self, rows: &Rows<'_>, out: &mut [f64]) -> Result<(), TreesError> {
        self.check_rows(rows.features())?;
        if out.len() != rows.len() * self.outputs {
            return Err(TreesError::Shape(format!(
                "{} places for {} rows of {} outputs",
                out.len(),
                rows.len(),
                self.outputs
            )));
        }
        out.par_chunks_mut((BLOCK * self.outputs).max(1))
            .enumerate()
            .for_each(|(block, out)| self.block_margins(rows, block * BLOCK, out));
        Ok(())
    }

    /// Predictions: the margins after the link, in the same order.
    ///
    /// # Errors
    /// As [`Ensemble::margins`].
    pub fn predict(&self, rows: &Rows<'_>, out: &mut [f64]) -> Result<(), TreesError> {
        self.margins(rows, out)?;
        out.chunks_exact_mut(self.outputs.max(1)).for_each(|row| self.link.apply(row));
        Ok(())
    }

    /// Margins of the rows from `first` on, as many as fit into `out`.
    pub(crate) fn block_margins(&self, rows: &Rows<'_>, first: usize, out: &mut [f64]) {
        for row in out.chunks_exact_mut(self.outputs) {
            row.copy_from_slice(&self.base);
        }
        for tree in &self.trees {
            let width = tree.width as usize;
            for (row, out) in out.chunks_exact_mut(self.outputs).enumerate() {
                let leaf =
                    tree.leaf_of(|feature| self.features[feature].seen(rows.column(feature)[first + row]));
                let values = &tree.leaf_values[leaf * width..][..width];
                let from = if width == 1 { tree.output as usize } else { 0 };
                for (sum, value) in out[from..].iter_mut().zip(values) {
                    *sum += value;
                }
            }
        }
    }
}

impl Link {
    /// Converts the margins of one row to predictions, in place.
    pub fn apply(self, row: &mut [f64]) {
        match self {
            Self::Identity => {}
            Self::Ascending => row.sort_unstable_by(f64::total_cmp),
            Self::Logistic => row.iter_mut().for_each(|value| *value = 1.0 / (1.0 + (-*value).exp())),
            Self::Exponential => row.iter_mut().for_each(|value| *value = value.exp()),
            Self::Softmax => {
                // Subtracting the largest prevents exponentials from overflowing.
                let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let mut sum = 0.0;
                for value in &mut *row {
                    *value = (*value - largest).exp();
                    sum += *value;
                }
                for value in row {
                    *value /= sum;
                }
            }
        }
    }
}
