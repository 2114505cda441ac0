//! Columns that behave as if they were standardised, without a copy.

use rayon::prelude::*;

use crate::Matrix;

/// Number of rows handled at a time: a stretch of each column stays in the cache.
const STRETCH: usize = 1024;
/// Number of tasks that share a sum, independent of the number of threads.
const TASKS: usize = 16;

/// Borrowed columns with their means and scales.
pub(in crate::members) struct Columns<'a> {
    pub(super) rows: usize,
    pub(super) borrowed: Vec<&'a [f64]>,
    pub(in crate::members) means: Vec<f64>,
    /// The inverse standard deviation; 0 for a constant column, which then has no weight.
    pub(in crate::members) scales: Vec<f64>,
}

impl<'a> Columns<'a> {
    pub(in crate::members) fn new(matrix: &'a Matrix) -> Self {
        let columns = matrix.borrowed();
        let rows = matrix.rows as f64;
        let moments = |column: &&[f64]| {
            let mean = column.iter().sum::<f64>() / rows;
            let variance = column.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / rows;
            let deviation = variance.sqrt();
            let is_constant = !(deviation > 1e-10 * mean.abs().max(1e-10) && deviation.is_finite());
            (mean, if is_constant { 0.0 } else { deviation.recip() })
        };
        let (means, scales) = columns.par_iter().map(moments).unzip();
        Self { rows: matrix.rows, borrowed: columns, means, scales }
    }

    pub(in crate::members) fn width(&self) -> usize {
        self.borrowed.len()
    }

    /// Converts weights of standardised columns to those of raw ones, in place; returns the change of the base.
    pub(super) fn to_raw(&self, weights: &mut [f64]) -> f64 {
        let mut base = 0.0;
        for ((weight, mean), scale) in weights.iter_mut().zip(&self.means).zip(&self.scales) {
            *weight *= scale;
            base -= *weight * mean;
        }
        base
    }

    /// Sums over stretches of rows: `add(first_row, rows, sums)` for each stretch. The order of the sums does not
    /// depend on threads.
    pub(super) fn sum(&self, length: usize, add: impl Fn(usize, usize, &mut [f64]) + Sync) -> Vec<f64> {
        let stretches = self.rows.div_ceil(STRETCH);
        let tasks: Vec<Vec<f64>> = (0..TASKS.min(stretches))
            .into_par_iter()
            .map(|task| {
                let mut sums = vec![0.0; length];
                let count = TASKS.min(stretches);
                for stretch in task * stretches / count..(task + 1) * stretches / count {
                    let first = stretch * STRETCH;
                    add(first, STRETCH.min(self.rows - first), &mut sums);
                }
                sums
            })
            .collect();
        let mut all = vec![0.0; length];
        for sums in tasks {
            all.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum);
        }
        all
    }
}

/// The inner product, in eight parallel sums.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_blocks, a_rest) = a.as_chunks::<8>();
    let (b_blocks, b_rest) = b.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f64>()
}
