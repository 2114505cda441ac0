//! The features that members learn from.

use std::ops::Range;

use tabcast_trees::Feature;

/// Encoded columns of equal length, one per feature. Missing values are NaN, categories are codes 0, 1, 2...
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// Name and kind of each column.
    pub features: Vec<Feature>,
    /// The table column from which each feature was made.
    pub sources: Vec<usize>,
    /// One column per feature.
    pub columns: Vec<Vec<f64>>,
    /// Number of rows.
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
