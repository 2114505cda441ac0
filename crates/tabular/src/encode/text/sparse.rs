//! Sparse matrices.

use rayon::prelude::*;

/// A matrix by rows: the positions and values of its non-zero entries.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sparse {
    /// Start of each row, and the end of the last one.
    pub(crate) starts: Vec<usize>,
    /// Column of each entry.
    pub(crate) columns: Vec<u32>,
    /// Value of each entry.
    pub(crate) values: Vec<f32>,
    /// Number of columns.
    pub(crate) width: usize,
}

impl Sparse {
    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The matrix with rows and columns exchanged.
    pub(crate) fn transposed(&self) -> Self {
        let mut starts = vec![0; self.width + 1];
        for &column in &self.columns {
            starts[column as usize + 1] += 1;
        }
        for column in 0..self.width {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut columns = vec![0; self.columns.len()];
        let mut values = vec![0.0; self.values.len()];
        for row in 0..self.rows() {
            for entry in self.starts[row]..self.starts[row + 1] {
                let place = &mut next[self.columns[entry] as usize];
                columns[*place] = row as u32;
                values[*place] = self.values[entry];
                *place += 1;
            }
        }
        Self { starts, columns, values, width: self.rows() }
    }

    /// The product with a dense matrix of `count` columns, stored row by row, as is the result.
    pub(crate) fn times(&self, dense: &[f64], count: usize) -> Vec<f64> {
        let mut product = vec![0.0; self.rows() * count];
        product.par_chunks_mut(count).enumerate().with_min_len(64).for_each(|(row, sums)| {
            for entry in self.starts[row]..self.starts[row + 1] {
                let value = f64::from(self.values[entry]);
                let other = &dense[self.columns[entry] as usize * count..][..count];
                sums.iter_mut().zip(other).for_each(|(sum, &other)| *sum += value * other);
            }
        });
        product
    }
}
