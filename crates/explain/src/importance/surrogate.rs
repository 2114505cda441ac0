//! Oblivious boosted trees that reproduce predictions.

use rayon::prelude::*;
use tabcast_trees::boosting::{Booster, CategoryParams, Growth, Labelled, Loss, Params, Report};
use tabcast_trees::{Ensemble, Feature, Rows};

use super::columns::{Columns, borrow};
use super::measures::{mean, spread};
use super::{ImportanceError, folds};
use crate::{Skip, Stop};

/// Number of rounds for [`MANY_ROWS`] rows and more; the number that is best on held-back rows is used.
const ROUNDS: usize = 200;
const FEW_ROUNDS: usize = 120;
const MANY_ROWS: usize = 1000;
/// Maximum number of levels of a tree, and minimum mean number of rows per leaf.
const DEPTH: usize = 6;
const LEAF_ROWS: usize = 8;

/// Trees on the scale of standardised predictions.
pub(super) struct Surrogate {
    /// Trained on all rows.
    pub(super) trees: Ensemble,
    pub(super) folds: Vec<Fold>,
    /// Predictions by trees that did not see the row's group.
    pub(super) held_back: Vec<f64>,
}

/// Rows that some trees did not learn from.
pub(super) struct Fold {
    pub(super) trees: Ensemble,
    pub(super) rows: Vec<usize>,
}

/// Predictions with mean 0 and standard deviation 1, so that nothing depends on their unit.
pub(super) struct Standardised {
    pub(super) mean: f64,
    pub(super) deviation: f64,
    pub(super) values: Vec<f64>,
}

impl Standardised {
    pub(super) fn new(values: &[f64]) -> Result<Self, ImportanceError> {
        let (mean, deviation) = (mean(values), (spread(values) / values.len().max(1) as f64).sqrt());
        if deviation == 0.0 {
            return Err(Skip::NoFeatures.into());
        }
        let values = values.iter().map(|value| (value - mean) / deviation).collect();
        Ok(Self { mean, deviation, values })
    }
}

impl Surrogate {
    /// Fits, and cross-validates by groups.
    pub(super) fn fit(
        columns: &Columns,
        target: &[f64],
        groups: &[u32],
        seed: u64,
        stop: Stop<'_>,
    ) -> Result<Self, ImportanceError> {
        let fold_of = folds::folds(groups, seed)?;
        let count = fold_of.iter().max().map_or(0, |last| last + 1);
        let fit = |fold: usize| fit_fold(columns, target, &fold_of, fold, seed, stop);
        let fitted: Result<Vec<(Fold, Report)>, ImportanceError> =
            (0..count).into_par_iter().map(fit).collect();
        let (mut folds, reports): (Vec<Fold>, Vec<Report>) = fitted?.into_iter().unzip();
        let rounds = best_rounds(&reports, &folds);
        let mut held_back = vec![0.0; target.len()];
        for fold in &mut folds {
            // A round grows one tree.
            fold.trees.trees.truncate(rounds);
            let rows = columns.select(&fold.rows);
            let mut margins = vec![0.0; fold.rows.len()];
            fold.trees.margins(&Rows::new(&borrow(&rows))?, &mut margins)?;
            fold.rows.iter().zip(margins).for_each(|(&row, margin)| held_back[row] = margin);
        }
        let borrowed = borrow(&columns.values);
        let rows = Rows::new(&borrowed)?;
        let params = Params { rounds, ..params(target.len(), seed) };
        let (trees, _) = train(params, &columns.features, (&rows, target), None, stop)?;
        Ok(Self { trees, folds, held_back })
    }
}

fn fit_fold(
    columns: &Columns,
    target: &[f64],
    fold_of: &[usize],
    fold: usize,
    seed: u64,
    stop: Stop<'_>,
) -> Result<(Fold, Report), ImportanceError> {
    let part = |is_held_back: bool| -> Vec<usize> {
        (0..target.len()).filter(|&row| (fold_of[row] == fold) == is_held_back).collect()
    };
    let target_of = |rows: &[usize]| -> Vec<f64> { rows.iter().map(|&row| target[row]).collect() };
    let (learnt, held_back) = (part(false), part(true));
    let (own, other) = (columns.select(&learnt), columns.select(&held_back));
    let (own, other) = (borrow(&own), borrow(&other));
    let (trees, report) = train(
        params(target.len(), seed),
        &columns.features,
        (&Rows::new(&own)?, &target_of(&learnt)),
        Some((&Rows::new(&other)?, &target_of(&held_back))),
        stop,
    )?;
    Ok((Fold { trees, rows: held_back }, report))
}

/// The number of rounds with the smallest loss over all held-back rows: one number for all folds, because choosing one
/// for each would inflate the fidelity.
fn best_rounds(reports: &[Report], folds: &[Fold]) -> usize {
    let rounds = reports.iter().map(|report| report.validation_losses.len()).max().unwrap_or(0);
    let loss = |round: usize| -> f64 {
        let one = |(report, fold): (&Report, &Fold)| {
            // A fold without further splits stays as it was.
            let known = report.validation_losses.get(round).or(report.validation_losses.last());
            known.copied().unwrap_or(0.0) * fold.rows.len() as f64
        };
        reports.iter().zip(folds).map(one).sum()
    };
    let losses = (0..rounds).map(|round| (loss(round), round + 1));
    losses.reduce(|best, next| if next.0 < best.0 { next } else { best }).map_or(1, |(_, rounds)| rounds)
}

/// Parameters for this many rows. Each tree sees a part of the features, which divides the credit among correlated
/// ones.
pub(super) fn params(rows: usize, seed: u64) -> Params {
    let mut depth = 1;
    while depth < DEPTH && LEAF_ROWS << (depth + 1) <= rows {
        depth += 1;
    }
    Params {
        growth: Growth::Oblivious { depth },
        rounds: if rows < MANY_ROWS { FEW_ROUNDS } else { ROUNDS },
        learning_rate: 0.1,
        l2: 1.0,
        max_bins: 32,
        row_fraction: 1.0,
        column_fraction: 0.6,
        categories: CategoryParams { smoothing: 3.0, l2: 1.0, min_rows: 1, ..CategoryParams::default() },
        seed,
        ..Params::new(Loss::SquaredError)
    }
}

pub(super) fn train(
    params: Params,
    features: &[Feature],
    training: (&Rows<'_>, &[f64]),
    validation: Option<(&Rows<'_>, &[f64])>,
    stop: Stop<'_>,
) -> Result<(Ensemble, Report), ImportanceError> {
    let labelled = Labelled { rows: training.0, target: training.1, weights: None };
    let other = validation.map(|(rows, target)| Labelled { rows, target, weights: None });
    Ok(Booster::new(params).train(features, &labelled, other.as_ref(), Some(stop))?)
}
