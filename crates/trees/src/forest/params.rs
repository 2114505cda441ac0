//! Settings of a forest.

use crate::boosting::TrainError;

/// Settings of a forest.
#[derive(Debug, Clone, PartialEq)]
pub struct ForestParams {
    /// Number of trees.
    pub trees: usize,
    /// Number of features drawn at a node.
    pub drawn: Drawn,
    /// Minimum number of rows in a leaf.
    pub min_rows: usize,
    /// Maximum number of values in the leaves of a tree: leaves times outputs. Leaves get more rows to keep to it.
    pub most_values: usize,
    /// Maximum number of rows on which a tree grows; each tree draws its own.
    pub tree_rows: usize,
    /// Number of prior rows with the overall class shares, added to each leaf of a classification so that no share is
    /// zero.
    pub prior_rows: f64,
    /// Maximum number of value bins per feature, 2 to 254.
    pub max_bins: usize,
    /// Number of rows from which the borders of numeric bins are found.
    pub bin_sample: usize,
    /// Seed of all random draws.
    pub seed: u64,
}

/// Number of features drawn at a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drawn {
    /// The square root of their number.
    Root,
    /// A share of them, in (0, 1].
    Share(f64),
}

impl Default for ForestParams {
    fn default() -> Self {
        Self {
            trees: 100,
            drawn: Drawn::Root,
            min_rows: 1,
            most_values: 1 << 16,
            tree_rows: 50_000,
            prior_rows: 1.0,
            max_bins: 254,
            bin_sample: 200_000,
            seed: 0,
        }
    }
}

impl ForestParams {
    pub(super) fn check(&self) -> Result<(), TrainError> {
        let bound = |holds: bool, text: &str| {
            if holds { Ok(()) } else { Err(TrainError::Parameter(text.to_owned())) }
        };
        let share = if let Drawn::Share(share) = self.drawn { share } else { 1.0 };
        bound(self.trees >= 1, "trees is at least 1")?;
        bound(share > 0.0 && share <= 1.0, "a share of drawn features is in (0, 1]")?;
        bound(self.min_rows >= 1, "min_rows is at least 1")?;
        bound(self.most_values >= 1, "most_values is at least 1")?;
        bound(self.tree_rows >= 1, "tree_rows is at least 1")?;
        bound(self.prior_rows >= 0.0 && self.prior_rows.is_finite(), "prior_rows is not negative")?;
        bound((2..=254).contains(&self.max_bins), "max_bins is 2 to 254")?;
        bound(self.bin_sample >= 2, "bin_sample is at least 2")
    }

    /// Number of features drawn at a node, out of this many.
    pub(super) fn draws(&self, features: usize) -> usize {
        let count = match self.drawn {
            Drawn::Root => (features as f64).sqrt(),
            Drawn::Share(share) => share * features as f64,
        };
        (count.round() as usize).clamp(1, features.max(1))
    }
}
