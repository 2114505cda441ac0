//! A sum of trees with the names of its features and the link of its outputs.

use crate::{Tree, TreesError};

/// Trees whose values are summed, an output at a time, on top of a base.
///
/// Everything here works on valid trees; [`Ensemble::check`] tells whether these are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ensemble {
    /// The columns that rows must have, in this order.
    pub features: Vec<Feature>,
    /// Number of outputs, at least 1: classes of a softmax, quantile levels, targets.
    pub outputs: usize,
    /// What each output starts from, in the units of the margins.
    pub base: Vec<f64>,
    /// The trees, in any order; sums are taken in this one.
    pub trees: Vec<Tree>,
    /// From margins to predictions.
    pub link: Link,
}

/// A column that trees split on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// Name, as in the table that the trees were grown on.
    pub name: String,
    /// Numbers or category codes.
    pub kind: FeatureKind,
    /// Whether 0 counts as missing too, as some models grown on sparse tables have it.
    pub zero_is_missing: bool,
}

/// What the values of a feature are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeatureKind {
    /// Numbers; NaN is missing.
    Numeric,
    /// Codes from 0 to the number of levels, as numbers; NaN is missing. The levels may be empty where only codes are
    /// known.
    Categorical {
        /// The text of each code.
        levels: Vec<String>,
    },
}

/// From margins (sums of leaf values) to predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Link {
    /// The margin itself.
    #[default]
    Identity,
    /// `1 / (1 + exp(-margin))`, each output alone.
    Logistic,
    /// `exp(margin) / sum of exp(margins)` over the outputs of a row.
    Softmax,
    /// `exp(margin)`, each output alone.
    Exponential,
    /// The margins of a row in ascending order: quantile levels that do not cross.
    Ascending,
}

impl Feature {
    /// A feature of numbers.
    pub fn numeric(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: FeatureKind::Numeric, zero_is_missing: false }
    }

    /// A feature of category codes.
    pub fn categorical(name: impl Into<String>, levels: Vec<String>) -> Self {
        Self { name: name.into(), kind: FeatureKind::Categorical { levels }, zero_is_missing: false }
    }

    /// A value as the splits see it.
    #[inline]
    pub(crate) fn seen(&self, value: f64) -> f64 {
        // The bound is that of the models which know such features; a value below it was stored as zero there.
        if self.zero_is_missing && value.abs() <= 1e-35 { f64::NAN } else { value }
    }
}

impl Ensemble {
    pub(crate) fn check_rows(&self, features: usize) -> Result<(), TreesError> {
        if features == self.features.len() {
            return Ok(());
        }
        Err(TreesError::Shape(format!("{features} columns for a model of {} features", self.features.len())))
    }
}
