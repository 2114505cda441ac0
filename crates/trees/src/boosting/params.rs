//! Everything that can be chosen about a training run, with bounds and defaults.

use super::bins::MIN_BIN_ROWS;
use super::{Loss, TrainError};

/// How a training run goes. The defaults suit tables of a thousand rows and more: small steps on samples of rows and
/// features, which on most tables beats fewer, larger steps on everything.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// What is minimised.
    pub loss: Loss,
    /// Shape of the trees.
    pub growth: Growth,
    /// Most rounds; a round grows one tree (one a class under softmax).
    pub rounds: usize,
    /// Factor of each tree's values, in (0, 1].
    pub learning_rate: f64,
    /// Fewest rows of a leaf. Counted exactly where the loss has a constant second derivative and rows have no weights,
    /// otherwise estimated from the sums of second derivatives. Not applied to oblivious trees.
    pub min_rows: usize,
    /// Smallest sum of second derivatives of a leaf.
    pub min_hessian: f64,
    /// Added to the sum of second derivatives of each leaf.
    pub l2: f64,
    /// Smallest fall of the loss (by its second-order approximation, summed over rows) that justifies a split.
    pub min_gain: f64,
    /// Most bins of values a feature, 2 to 254; missing values have one more. This and the next two are not used
    /// where bins are given.
    pub max_bins: usize,
    /// Fewest sampled rows of a bin.
    pub min_bin_rows: usize,
    /// Rows from which the borders of numeric bins are found.
    pub bin_sample: usize,
    /// Share of the rows that each round grows on, in (0, 1].
    pub row_fraction: f64,
    /// Share of the features that each tree may split on, in (0, 1]; at least one.
    pub column_fraction: f64,
    /// Splits by sets of categories.
    pub categories: CategoryParams,
    /// Directions in which predictions may move with a feature: empty, or one a feature. Categorical features are free.
    pub monotone: Vec<Monotone>,
    /// Rounds without a better validation loss after which training ends; only with validation rows.
    pub patience: Option<usize>,
    /// Seed of samples and of rounding.
    pub seed: u64,
}

/// Shape of the trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// The leaf with the largest gain is split next.
    LeafWise {
        /// Most leaves, 2 to 65,536.
        leaves: usize,
        /// Most splits from the root to a leaf.
        depth: Option<usize>,
    },
    /// One split for a whole level, so that a tree of depth d is a table of 2^d cells.
    Oblivious {
        /// Levels, 1 to 8.
        depth: usize,
    },
}

/// Splits that send a set of categories left (Fisher, 1958: in order of their mean gradient the best set is a prefix).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CategoryParams {
    /// Added to the second derivatives where categories are ordered; a category of fewer rows is in no set.
    pub smoothing: f64,
    /// Added to `l2` in splits by sets, which choose among more possibilities.
    pub l2: f64,
    /// Most categories of a set.
    pub max_set: usize,
    /// Fewest rows by which two sets that are tried one after the other differ.
    pub min_rows: usize,
    /// Up to this many categories, each one is tried against the rest instead.
    pub one_against_rest: usize,
}

/// How predictions may move while one feature rises and the others stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Monotone {
    /// In any way.
    #[default]
    Free,
    /// Never down.
    Rising,
    /// Never up.
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
