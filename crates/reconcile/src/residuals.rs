use crate::tree::Tree;

/// Errors of base forecasts: nodes x columns, row by row, NaN where one is missing.
#[derive(Debug, Clone, Copy)]
pub struct Residuals<'a> {
    values: &'a [f64],
    columns: usize,
}

impl<'a> Residuals<'a> {
    /// `values` holds `columns` errors a node; that there are as many nodes as the tree has is checked where they meet.
    pub fn new(values: &'a [f64], columns: usize) -> Self {
        Self { values, columns }
    }

    /// Mean square of each node by its own count; a node without any gets its leaf count times the median of variance / leaf count.
    pub fn variances(&self, _tree: &Tree) -> Vec<f64> {
        let _ = (self.values, self.columns);
        unimplemented!()
    }

    /// The intensity of Schäfer and Strimmer (2005) towards the diagonal, 0 to 1.
    pub fn shrinkage(&self) -> f64 {
        unimplemented!()
    }
}
