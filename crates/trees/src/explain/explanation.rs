//! The parts of an explanation.

/// Contributions of features to the margins of rows: for each row and output, `base + sum over features = margin`.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// Column by column: `values[(output * features + feature) * rows + row]`, in the units of the margins.
    pub values: Vec<f64>,
    /// Mean margin over the training rows, one per output.
    pub base: Vec<f64>,
    /// The margins themselves: `margins[output * rows + row]`.
    pub margins: Vec<f64>,
    /// Number of rows.
    pub rows: usize,
    /// Number of features.
    pub features: usize,
    /// Largest `|base + sum - margin| / max(1, |margin|)` over rows and outputs, with margins computed from the leaves.
    pub max_additivity_error: f64,
}

impl Explanation {
    /// Contributions of one feature to one output, one per row.
    pub fn column(&self, output: usize, feature: usize) -> &[f64] {
        &self.values[(output * self.features + feature) * self.rows..][..self.rows]
    }
}

/// The largest additivity error of one output, from the contributions of each feature.
pub(super) fn additivity_error(base: f64, columns: &[&mut [f64]], margins: &[f64]) -> f64 {
    let mut sums = vec![base; margins.len()];
    for column in columns {
        sums.iter_mut().zip(column.iter()).for_each(|(sum, value)| *sum += value);
    }
    let errors = sums.iter().zip(margins).map(|(sum, margin)| (sum - margin).abs() / margin.abs().max(1.0));
    // A maximum would ignore NaN, which is the worst error.
    errors.fold(0.0, |worst, error| if error.is_nan() { f64::INFINITY } else { worst.max(error) })
}
