//! All settings of a training run, with bounds and defaults.

use super::bins::MIN_BIN_ROWS;
use super::{Loss, TrainError};

/// Settings of a training run. The defaults suit tables of a thousand rows or more: small steps on samples of rows and
/// features, which on most tables beat fewer, larger steps on everything.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// The loss to minimise.
    pub loss: Loss,
    /// Shape of the trees.
    pub growth: Growth,
    /// Maximum number of rounds; a round grows one tree (one per class under softmax).
    pub rounds: usize,
    /// Factor of each tree's values, in (0, 1].
    pub learning_rate: f64,
    /// Minimum number of rows in a leaf. Counted exactly if the loss has a constant second derivative and rows have no
    /// weights, otherwise estimated from the sums of second derivatives. Not applied to oblivious trees.
    pub min_rows: usize,
    /// Minimum sum of second derivatives in a leaf.
    pub min_hessian: f64,
    /// Added to the sum of second derivatives of each leaf.
    pub l2: f64,
    /// Minimum decrease of the loss (in its second-order approximation, summed over rows) for a split.
    pub min_gain: f64,
    /// Maximum number of value bins per feature, 2 to 254; missing values have one more. This and the next two are
    /// ignored if bins are given.
    pub max_bins: usize,
    /// Minimum number of sampled rows per bin.
    pub min_bin_rows: usize,
    /// Number of rows from which the borders of numeric bins are found.
    pub bin_sample: usize,
    /// Share of the rows used in each round, in (0, 1].
    pub row_fraction: f64,
    /// Share of the features available to each tree, in (0, 1]; at least one feature.
    pub column_fraction: f64,
    /// Splits by sets of categories.
    pub categories: CategoryParams,
    /// Directions in which predictions may move with a feature: empty, or one per feature. Categorical features have
    /// none.
    pub monotone: Vec<Monotone>,
    /// Training ends after this many rounds without a better validation loss; only with validation rows.
    pub patience: Option<usize>,
    /// Seed of samples and of rounding.
    pub seed: u64,
}

/// Shape of the trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// The leaf with the largest gain is split next.
    LeafWise {
        /// Maximum number of leaves, 2 to 65,536.
        leaves: usize,
        /// Maximum number of splits from the root to a leaf.
        depth: Option<usize>,
    },
    /// One split for each whole level, so that a tree of depth d is a table of 2^d cells.
    Oblivious {
        /// Number of levels, 1 to 8.
        depth: usize,
    },
}

/// Splits that send a set of categories left (Fisher, 1958: in order of mean gradient the best set is a prefix).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CategoryParams {
    /// Added to the second derivatives when categories are sorted; a category with fewer rows is in no set.
    pub smoothing: f64,
    /// Added to `l2` in splits by sets, which have more possibilities to choose from.
    pub l2: f64,
    /// Maximum number of categories in a set.
    pub max_set: usize,
    /// Minimum number of rows by which two consecutively tried sets differ.
    pub min_rows: usize,
    /// Up to this many categories, each one is tried against the rest instead.
    pub one_against_rest: usize,
}

/// How predictions may change while one feature increases and the others stay constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Monotone {
    /// In either direction.
    #[default]
    Free,
    /// Never decreasing.
    Rising,
    /// Never increasing.
    Falling,
}

impl Default for CategoryParams {
    fn default() -> Self {
        Self { smoothing: 10.0, l2: 10.0, max_set: 32, min_rows: 100, one_against_rest: 4 }
    }
}

impl Params {
    /// Defaults with this loss.
    pub fn new(loss: Loss) -> Self {
        Self {
            loss,
            growth: Growth::LeafWise { leaves: 31, depth: None },
            rounds: 200,
            learning_rate: 0.05,
            min_rows: 20,
            min_hessian: 1e-3,
            l2: 0.0,
            min_gain: 0.0,
            max_bins: 254,
            min_bin_rows: MIN_BIN_ROWS,
            bin_sample: 200_000,
            row_fraction: 0.8,
            column_fraction: 0.6,
            categories: CategoryParams::default(),
            monotone: Vec::new(),
            patience: None,
            seed: 0,
        }
    }

    pub(crate) fn check(&self, features: usize) -> Result<(), TrainError> {
        let bound = |holds: bool, text: &str| {
            if holds { Ok(()) } else { Err(TrainError::Parameter(text.to_owned())) }
        };
        let share = |value: f64| value > 0.0 && value <= 1.0;
        let amount = |value: f64| value >= 0.0 && value.is_finite();
        bound(share(self.learning_rate), "learning_rate is in (0, 1]")?;
        bound(share(self.row_fraction), "row_fraction is in (0, 1]")?;
        bound(share(self.column_fraction), "column_fraction is in (0, 1]")?;
        bound((2..=254).contains(&self.max_bins), "max_bins is 2 to 254")?;
        bound(self.bin_sample >= 2, "bin_sample is at least 2")?;
        bound(amount(self.min_hessian), "min_hessian is not negative")?;
        bound(amount(self.l2), "l2 is not negative")?;
        bound(amount(self.min_gain), "min_gain is not negative")?;
        bound(amount(self.categories.smoothing), "categories.smoothing is not negative")?;
        bound(amount(self.categories.l2), "categories.l2 is not negative")?;
        bound(self.categories.max_set >= 1, "categories.max_set is at least 1")?;
        bound(
            self.monotone.is_empty() || self.monotone.len() == features,
            "monotone is empty or has one direction a feature",
        )?;
        match self.growth {
            Growth::LeafWise { leaves, .. } => bound((2..=65_536).contains(&leaves), "leaves is 2 to 65,536"),
            Growth::Oblivious { depth } => {
                bound((1..=8).contains(&depth), "depth of oblivious trees is 1 to 8")
            }
        }?;
        self.loss.check()
    }

    /// The direction of a feature.
    pub(crate) fn direction(&self, feature: usize) -> Monotone {
        self.monotone.get(feature).copied().unwrap_or_default()
    }
}
