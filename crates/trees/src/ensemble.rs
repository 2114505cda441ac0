//! A sum of trees with the names of its features and the link of its outputs.

use serde::de::Visitor;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Tree, TreesError};

/// Trees whose values are summed for each output and added to a base.
///
/// Everything here requires valid trees, which [`Ensemble::check`] verifies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ensemble {
    /// The columns that rows must have, in this order.
    pub features: Vec<Feature>,
    /// Number of outputs, at least 1: classes of a softmax, quantile levels, targets.
    pub outputs: usize,
    /// The base of each output, in the units of the margins.
    pub base: Vec<f64>,
    /// The trees; values are summed in this order.
    pub trees: Vec<Tree>,
    /// Converts margins to predictions.
    pub link: Link,
}

/// A column that trees split on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// Name, as in the table that the trees were grown on.
    pub name: String,
    /// Numbers or category codes.
    pub kind: FeatureKind,
    /// Whether 0 counts as missing too, as in some models grown on sparse tables.
    pub zero_is_missing: bool,
}

/// The type of a feature's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeatureKind {
    /// Numbers; NaN is missing.
    Numeric,
    /// Codes from 0 to the number of levels minus 1, as numbers; NaN is missing. The levels may be empty if only codes
    /// are known.
    Categorical {
        /// The text of each code.
        levels: Vec<String>,
    },
}

/// Converts margins (sums of leaf values) to predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Link {
    /// The margin itself.
    #[default]
    Identity,
    /// `1 / (1 + exp(-margin))`, for each output separately.
    Logistic,
    /// `exp(margin) / sum of exp(margins)` over the outputs of a row.
    Softmax,
    /// `exp(margin)`, for each output separately.
    Exponential,
    /// The margins of a row in ascending order, so that quantiles do not cross.
    Ascending,
}

impl Feature {
    /// A numeric feature.
    pub fn numeric(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: FeatureKind::Numeric, zero_is_missing: false }
    }

    /// A categorical feature.
    pub fn categorical(name: impl Into<String>, levels: Vec<String>) -> Self {
        Self { name: name.into(), kind: FeatureKind::Categorical { levels }, zero_is_missing: false }
    }

    /// A value as the splits see it.
    #[inline]
    pub(crate) fn seen(&self, value: f64) -> f64 {
        // The bound is that of the models with such features, which store smaller values as zero.
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

/// The bytes of the model file.
impl Serialize for Ensemble {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::new();
        self.write(&mut bytes).map_err(S::Error::custom)?;
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for Ensemble {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct File;
        impl Visitor<'_> for File {
            type Value = Ensemble;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("the bytes of a model file")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Ensemble, E> {
                Ensemble::read(bytes).map_err(E::custom)
            }
        }
        deserializer.deserialize_bytes(File)
    }
}
