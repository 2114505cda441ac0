//! What every member of the ensemble can do.

use tabcast_trees::Ensemble;

use crate::{Matrix, Target};

/// Asked often; true ends the work.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Which encoding of the table a member learns from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum View {
    /// Numbers with missing values as NaN, categories as codes: for trees that split on sets of categories.
    Sets,
    /// Numbers with missing values as NaN, categories as statistics of the labels of other rows.
    Statistics,
    /// Standardised numbers without missing values, indicators of categories: for distances and linear models.
    Dense,
}

/// The rows of one fold.
#[derive(Debug)]
pub struct Lesson<'a> {
    /// What is learned from.
    pub training: &'a Matrix,
    /// Its labels.
    pub target: &'a Target,
    /// Rows that are held back: members that can, stop early by them.
    pub validation: &'a Matrix,
    /// Their labels.
    pub validation_target: &'a Target,
    /// Seed of everything that is random.
    pub seed: u64,
}

/// A kind of model with its settings. Equal lessons give equal models, whatever the number of threads (those of
/// rayon's current pool).
pub trait Learner: Send + Sync {
    /// A neutral name for reports, unique among the members.
    fn name(&self) -> &'static str;

    /// The encoding that it wants.
    fn view(&self) -> View;

    /// Learns from a lesson; None when it was stopped, or cannot do this task (too many rows, classes or features).
    fn fit(&self, lesson: &Lesson<'_>, stop: Stop<'_>) -> Option<Box<dyn Fitted>>;
}

/// A model that was fitted on one fold.
pub trait Fitted: Send + Sync {
    /// Predictions row by row, `rows * outputs` numbers: probabilities that sum to 1, or values.
    fn predict(&self, rows: &Matrix) -> Vec<f64>;

    /// The trees, where the prediction is theirs through a link: they are explained exactly.
    fn trees(&self) -> Option<&Ensemble> {
        None
    }
}
