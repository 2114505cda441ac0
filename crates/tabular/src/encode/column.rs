//! A feature while it is made.

use tabcast_trees::Feature;

/// A feature and its values.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) feature: Feature,
    /// A number a row; NaN where there is none.
    pub(crate) values: Vec<f64>,
    /// Whether distances in it mean something as they are, so that it is not standardised.
    pub(crate) scaled: bool,
}

impl Column {
    /// Whether rows differ in it.
    pub(crate) fn varies(&self) -> bool {
        let same = |pair: &[f64]| pair[0] == pair[1] || (pair[0].is_nan() && pair[1].is_nan());
        !self.values.windows(2).all(same)
    }
}
