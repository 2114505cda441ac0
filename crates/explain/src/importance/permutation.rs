//! Permutation importance: how much worse predictions are reproduced if a feature is shuffled.

use rayon::prelude::*;
use tabcast_statistics::random;
use tabcast_trees::{Ensemble, Link, Rows, Tree};

use super::ImportanceError;
use super::columns::borrow;
use super::measures::{mean, spread, standard_deviation};
use crate::{Skip, Stop};

/// Number of times that a column is shuffled.
const REPEATS: usize = 5;

/// Rows that some trees did not learn from, with their true predictions.
pub(super) struct Judge<'a> {
    pub(super) trees: &'a Ensemble,
    pub(super) output: usize,
    pub(super) columns: Vec<Vec<f64>>,
    pub(super) target: Vec<f64>,
}

/// Decrease of R2 by shuffling columns among held-back rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fall {
    pub(super) mean: f64,
    /// Standard deviation over the repeats.
    pub(super) deviation: f64,
}

/// The decrease for each set of columns, which are shuffled together (Breiman, 2001; Fisher, Rudin and Dominici, 2019).
pub(super) fn permutation_drops(
    judges: &[Judge<'_>],
    sets: &[Vec<usize>],
    seed: u64,
    stop: Stop<'_>,
) -> Result<Vec<Fall>, ImportanceError> {
    let residuals: Result<Vec<Vec<f64>>, ImportanceError> = judges.iter().map(Judge::residuals).collect();
    let residuals = residuals?;
    let targets: Vec<f64> = judges.iter().flat_map(|judge| judge.target.iter().copied()).collect();
    let whole = spread(&targets);
    let one = |set: &Vec<usize>| {
        let mut falls = vec![0.0; REPEATS];
        for (at, (judge, residuals)) in judges.iter().zip(&residuals).enumerate() {
            if stop() {
                return Err(Skip::Timeout.into());
            }
            let worse = judge.rise_of_error(set, residuals, random::bits(seed, at as u64))?;
            falls.iter_mut().zip(worse).for_each(|(fall, worse)| *fall += worse / whole);
        }
        Ok(Fall { mean: mean(&falls), deviation: standard_deviation(&falls) })
    };
    sets.par_iter().map(one).collect()
}

impl<'a> Judge<'a> {
    /// Judges trees by their own predictions.
    pub(super) fn of_own_predictions(
        trees: &'a Ensemble,
        output: usize,
        columns: Vec<Vec<f64>>,
    ) -> Result<Self, ImportanceError> {
        let rows = columns.first().map_or(0, Vec::len);
        let target = margins(trees, output, &borrow(&columns), rows)?;
        Ok(Self { trees, output, columns, target })
    }

    fn residuals(&self) -> Result<Vec<f64>, ImportanceError> {
        let found = margins(self.trees, self.output, &borrow(&self.columns), self.target.len())?;
        Ok(self.target.iter().zip(found).map(|(target, margin)| target - margin).collect())
    }

    /// Increase of the sum of squared errors in each repeat.
    fn rise_of_error(
        &self,
        set: &[usize],
        residuals: &[f64],
        seed: u64,
    ) -> Result<Vec<f64>, ImportanceError> {
        // Other trees predict the same for shuffled rows.
        let is_concerned =
            |tree: &&Tree| tree.feature.iter().any(|&feature| set.contains(&(feature as usize)));
        let concerned = Ensemble {
            features: self.trees.features.clone(),
            outputs: self.trees.outputs,
            base: vec![0.0; self.trees.outputs],
            trees: self.trees.trees.iter().filter(is_concerned).cloned().collect(),
            link: Link::Identity,
        };
        let rows = self.target.len();
        let before = margins(&concerned, self.output, &borrow(&self.columns), rows)?;
        let repeat = |repeat: usize| {
            let order = random::shuffled(random::bits(seed, repeat as u64), rows);
            let shuffle = |&at: &usize| order.iter().map(|&row| self.columns[at][row as usize]).collect();
            let shuffled: Vec<Vec<f64>> = set.iter().map(shuffle).collect();
            let mut columns = borrow(&self.columns);
            set.iter().zip(&shuffled).for_each(|(&at, values)| columns[at] = values);
            let after = margins(&concerned, self.output, &columns, rows)?;
            let changes = after.iter().zip(&before).map(|(after, before)| after - before);
            Ok(residuals
                .iter()
                .zip(changes)
                .map(|(rest, change)| (rest - change).powi(2) - rest.powi(2))
                .sum())
        };
        (0..REPEATS).map(repeat).collect()
    }
}

/// Margins of one output.
fn margins(
    trees: &Ensemble,
    output: usize,
    columns: &[&[f64]],
    rows: usize,
) -> Result<Vec<f64>, ImportanceError> {
    let mut all = vec![0.0; rows * trees.outputs];
    trees.margins(&Rows::new(columns)?, &mut all)?;
    Ok(all.chunks_exact(trees.outputs).map(|row| row[output]).collect())
}
