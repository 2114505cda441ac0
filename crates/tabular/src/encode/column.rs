//! A feature under construction.

use tabcast_trees::Feature;

/// A feature and its values.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) feature: Feature,
    /// One number per row, NaN if missing.
    pub(crate) values: Vec<f64>,
    /// Whether distances in it are meaningful without scaling, so that it is not standardised.
    pub(crate) scaled: bool,
}

impl Column {
    /// Whether the feature varies between rows.
    pub(crate) fn varies(&self) -> bool {
        let same = |pair: &[f64]| pair[0] == pair[1] || (pair[0].is_nan() && pair[1].is_nan());
        !self.values.windows(2).all(same)
    }
}
