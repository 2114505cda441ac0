//! The interface of every member of the ensemble.

use tabcast_trees::Ensemble;

use crate::{Matrix, Target};

/// Polled often; true ends the work.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The encoding of the table that a member learns from.
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
    /// Features to learn from.
    pub training: &'a Matrix,
    /// Labels to learn from.
    pub target: &'a Target,
    /// Features of the held-back rows, for early stopping by members that support it.
    pub validation: &'a Matrix,
    /// Their labels.
    pub validation_target: &'a Target,
    /// Seed of everything that is random.
    pub seed: u64,
}

/// A kind of model with its settings. Equal lessons give equal models for any number of threads (those of rayon's
/// current pool).
pub trait Learner: Send + Sync {
    /// A neutral name for reports, unique among the members.
    fn name(&self) -> &'static str;

    /// The encoding that it needs.
    fn view(&self) -> View;

    /// Learns from a lesson; None if it was stopped, or does not suit this task (too many rows, classes or features).
    fn fit(&self, lesson: &Lesson<'_>, stop: Stop<'_>) -> Option<Box<dyn Fitted>>;
}

/// A model fitted on one fold.
pub trait Fitted: Send + Sync {
    /// Predictions row by row, `rows * outputs` numbers: probabilities that sum to 1, or values.
    fn predict(&self, rows: &Matrix) -> Vec<f64>;

    /// The trees, if the prediction is theirs through a link function; these are explained exactly.
    fn trees(&self) -> Option<&Ensemble> {
        None
    }
}
