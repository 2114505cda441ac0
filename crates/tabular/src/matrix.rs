//! What members learn from.

use std::ops::Range;

use tabcast_trees::Feature;

/// Encoded columns of one length, one a feature. Missing values are NaN, categories are codes 0, 1, 2...
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// Name and kind of each column.
    pub features: Vec<Feature>,
    /// The column of the table that each feature was made from.
    pub sources: Vec<usize>,
    /// A column a feature.
    pub columns: Vec<Vec<f64>>,
    /// Rows of every column.
    pub rows: usize,
}

impl Matrix {
    /// The columns as trees borrow them.
    pub fn borrowed(&self) -> Vec<&[f64]> {
        self.columns.iter().map(Vec::as_slice).collect()
    }

    /// A stretch of the rows.
    pub(crate) fn stretch(&self, rows: Range<usize>) -> Self {
        Self {
            features: self.features.clone(),
            sources: self.sources.clone(),
            columns: self.columns.iter().map(|column| column[rows.clone()].to_vec()).collect(),
            rows: rows.len(),
        }
    }
}
