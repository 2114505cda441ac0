//! The kinds of models in an ensemble.

mod after_linear;
mod boosted;
mod forest;
mod linear;
mod logarithm;
mod neighbours;
mod network;
mod output;

use crate::Learner;
use after_linear::AfterLinear;
use boosted::Boosted;
use forest::ExtraTrees;
use linear::{ElasticNet, Linear};
use logarithm::Logarithms;
use neighbours::Neighbours;
use network::Networks;

/// Facts about a task, known before learning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Number of training rows in a fold.
    pub rows: usize,
    /// Number of classes; none for a regression.
    pub classes: Option<usize>,
}

/// Name of the linear member, with which reports compare the ensemble.
pub const LINEAR: &str = "linear";

/// Maximum number of rows in a fold for the nearest neighbours.
const MOST_NEIGHBOURS: usize = 20_000;

/// The members for a task, those that give most for their time first.
pub fn members(facts: &Facts) -> Vec<Box<dyn Learner>> {
    let mut members: Vec<Box<dyn Learner>> = vec![
        Box::new(Boosted::oblivious(facts)),
        Box::new(Boosted::leaf_wise(facts)),
        Box::new(Linear),
        Box::new(ExtraTrees::new(facts)),
        Box::new(Boosted::few_columns(facts)),
        Box::new(Boosted::small_trees(facts)),
        Box::new(Networks),
        Box::new(ElasticNet),
    ];
    if facts.classes.is_none() {
        members.push(Box::new(AfterLinear::new(facts)));
        members.push(Box::new(Logarithms::new(facts)));
    }
    if facts.rows <= MOST_NEIGHBOURS {
        members.push(Box::new(Neighbours));
    }
    members
}
