//! Learns quantiles directly: boosted trees under the pinball loss, bagged like the members.

use rayon::prelude::*;
use tabcast_trees::Rows;
use tabcast_trees::boosting::{Booster, Labelled, Loss, Params};

use crate::View;
use crate::bagging::Task;
use crate::encode::Encoder;
use crate::intervals::LEVELS;
use crate::split::Fold;
use crate::tree_failure::TreeFailure;

/// Three quantiles per row, for the held-back rows and for the wanted rows.
pub(crate) struct Learned {
    pub(crate) held_back: Vec<f64>,
    pub(crate) wanted: Vec<f64>,
}

/// Learns on the folds of the first repeat. `held_back` are indices into the labelled rows; `labels` are those of all
/// labelled rows. None if the time is over.
///
/// # Errors
/// [`TreeFailure`] if trees cannot be grown, for example without columns.
pub(crate) fn learn(
    task: &Task<'_>,
    labels: &[f64],
    held_back: &[u32],
    folds: usize,
) -> Result<Option<Learned>, TreeFailure> {
    let width = LEVELS.len();
    let parts: Option<Vec<Learned>> = task.folds[..folds]
        .par_iter()
        .map(|fold| learn_fold(task, labels, fold))
        .collect::<Result<_, TreeFailure>>()?;
    let Some(parts) = parts else { return Ok(None) };
    let mut by_place = vec![0.0; task.labelled.len() * width];
    let mut wanted = vec![0.0; task.wanted.len() * width];
    for (fold, part) in task.folds.iter().zip(parts) {
        for (&place, row) in fold.validation.iter().zip(part.held_back.chunks_exact(width)) {
            by_place[place as usize * width..][..width].copy_from_slice(row);
        }
        wanted.iter_mut().zip(part.wanted).for_each(|(sum, value)| *sum += value / folds as f64);
    }
    let held_back =
        held_back.iter().flat_map(|&place| by_place[place as usize * width..][..width].to_vec()).collect();
    Ok(Some(Learned { held_back, wanted }))
}

/// The quantiles of the rows of one fold's validation, and of all wanted rows. None if the time is over.
fn learn_fold(task: &Task<'_>, labels: &[f64], fold: &Fold) -> Result<Option<Learned>, TreeFailure> {
    if task.is_over() {
        return Ok(None);
    }
    let width = LEVELS.len();
    let rows =
        |places: &[u32]| -> Vec<u32> { places.iter().map(|&place| task.labelled[place as usize]).collect() };
    let target = task.target.select(&fold.training);
    let (encoder, training) =
        Encoder::fit(View::Sets, task.frame, task.decisions, &rows(&fold.training), &target, task.seed);
    let validation = encoder.transform(task.frame, &rows(&fold.validation));
    let wanted = encoder.transform(task.frame, task.wanted);
    let pick = |places: &[u32]| places.iter().map(|&place| labels[place as usize]).collect::<Vec<f64>>();
    let (own, other) = (pick(&fold.training), pick(&fold.validation));
    let (columns, other_columns, wanted_columns) =
        (training.borrowed(), validation.borrowed(), wanted.borrowed());
    let learned = Rows::new(&columns)?;
    let judged = Rows::new(&other_columns)?;
    let params = Params {
        rounds: 600,
        patience: Some(60),
        seed: task.seed,
        ..Params::new(Loss::Pinball { levels: LEVELS.to_vec() })
    };
    let trained = Booster::new(params).train(
        &training.features,
        &Labelled { rows: &learned, target: &own, weights: None },
        Some(&Labelled { rows: &judged, target: &other, weights: None }),
        Some(&|| task.is_over()),
    );
    if task.is_over() {
        return Ok(None);
    }
    let (trees, _) = trained?;
    let mut held_back = vec![0.0; validation.rows * width];
    let mut wanted_out = vec![0.0; wanted.rows * width];
    trees.predict(&judged, &mut held_back)?;
    if wanted.rows > 0 {
        trees.predict(&Rows::new(&wanted_columns)?, &mut wanted_out)?;
    }
    Ok(Some(Learned { held_back, wanted: wanted_out }))
}
