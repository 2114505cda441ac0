//! Surrogate trees that reproduce predictions of members without trees, so that these can be explained.

use tabcast_trees::Rows;
use tabcast_trees::boosting::{Booster, CategoryParams, Growth, Labelled, Loss, Params};

use crate::Matrix;
use crate::importance::{Contributions, contributions};
use crate::tree_failure::TreeFailure;

/// Maximum number of classes that a surrogate reproduces, the most frequent ones.
const CLASSES: usize = 10;
/// Maximum number of rows that surrogates are trained and judged on.
const MOST_ROWS: usize = 25_000;
/// Number of parts; each judges the trees that learned from the others.
const PARTS: usize = 5;
/// Up to this many rows, every part is held back in turn; with more rows one part is enough.
const FEW_ROWS: usize = 1_000;
/// Probabilities are clipped at this distance from 0 and 1: their log-odds would outweigh all others.
const CERTAIN: f64 = 1e-3;

/// The explanation of predictions by surrogate trees.
#[derive(Debug)]
pub(crate) struct Surrogate {
    pub(crate) contributions: Contributions,
    /// Share of the variance of the predictions on rows that the trees did not learn from, above 0.
    pub(crate) fidelity: f64,
}

/// The result of one configuration of trees for one output.
struct Tried {
    contributions: Option<Contributions>,
    /// Squared deviations on held-back rows from the mean, and from the trees' predictions.
    variance: f64,
    rest: f64,
}

/// Distils predictions of some rows into boosted trees, on the log-odds scale for probabilities, and explains those on
/// rows that they did not learn from. None if no trees follow the predictions at all, or all predictions are equal.
///
/// # Errors
/// [`TreeFailure`] if trees cannot be grown on these rows.
pub(crate) fn distil(
    rows: &Matrix,
    predictions: &[f64],
    is_probability: bool,
    columns: usize,
) -> Result<Option<Surrogate>, TreeFailure> {
    if rows.columns.is_empty() {
        return Ok(None);
    }
    let outputs = predictions.len() / rows.rows.max(1);
    // With two classes, one explains both.
    let explained: Vec<usize> = if outputs == 2 { vec![1] } else { (0..outputs.min(CLASSES)).collect() };
    let places: Vec<usize> = (0..rows.rows).step_by(rows.rows.div_ceil(MOST_ROWS).max(1)).collect();
    let (mut whole, mut variance, mut rest): (Option<Contributions>, f64, f64) = (None, 0.0, 0.0);
    // The configuration that is best for the first output is used for all.
    let mut ways = ways(places.len());
    for &output in &explained {
        let margins: Vec<f64> =
            places.iter().map(|&row| margin(predictions[row * outputs + output], is_probability)).collect();
        let mut best: Option<(Tried, Params)> = None;
        for params in ways {
            let tried = try_way(rows, &places, &margins, &params, columns)?;
            if best.as_ref().is_none_or(|(best, _)| tried.rest < best.rest) {
                best = Some((tried, params));
            }
        }
        let Some((best, params)) = best else { return Ok(None) };
        ways = vec![params];
        variance += best.variance;
        rest += best.rest;
        whole = match (whole, best.contributions) {
            (Some(all), Some(more)) => Some(all.and(more)),
            (all, more) => all.or(more),
        };
    }
    let fidelity = if variance > 0.0 { 1.0 - rest / variance } else { 0.0 };
    let says_something =
        |whole: &Contributions| fidelity > 0.0 && whole.by_column.iter().any(|&sum| sum > 0.0);
    Ok(whole.filter(says_something).map(|contributions| Surrogate { contributions, fidelity }))
}

fn margin(value: f64, is_probability: bool) -> f64 {
    if !is_probability {
        return value;
    }
    let p = value.clamp(CERTAIN, 1.0 - CERTAIN);
    (p / (1.0 - p)).ln()
}

/// Configurations of trees to choose from: with few rows the usual trees form no leaves, and shallow ones say more.
fn ways(rows: usize) -> Vec<Params> {
    let usual = Params { rounds: 300, learning_rate: 0.1, ..Params::new(Loss::SquaredError) };
    if rows > FEW_ROWS {
        return vec![usual];
    }
    let shallow = |leaves: usize, min_rows: usize| Params {
        growth: Growth::LeafWise { leaves, depth: Some(3) },
        min_rows,
        min_bin_rows: 1,
        column_fraction: 1.0,
        row_fraction: 1.0,
        categories: CategoryParams { smoothing: 2.0, l2: 2.0, min_rows: 2, ..CategoryParams::default() },
        ..usual.clone()
    };
    vec![shallow(4, 2), shallow(6, (rows / 20).clamp(2, 20)), usual]
}

/// Trains on all parts but one, then judges and explains on that one; with few rows, for each part in turn.
fn try_way(
    rows: &Matrix,
    places: &[usize],
    margins: &[f64],
    params: &Params,
    columns: usize,
) -> Result<Tried, TreeFailure> {
    let turns = if places.len() > FEW_ROWS { 1 } else { PARTS.min(places.len()) };
    let mut tried = Tried { contributions: None, variance: 0.0, rest: 0.0 };
    let mean = margins.iter().sum::<f64>() / margins.len().max(1) as f64;
    for part in 0..turns {
        let (judged, training): (Vec<usize>, Vec<usize>) =
            (0..places.len()).partition(|at| at % PARTS == part);
        let select_rows = |chosen: &[usize]| select(rows, chosen.iter().map(|&at| places[at]));
        let (learned, held_back) = (select_rows(&training), select_rows(&judged));
        let target: Vec<f64> = training.iter().map(|&at| margins[at]).collect();
        let own = learned.borrowed();
        let own = Rows::new(&own)?;
        let labelled = Labelled { rows: &own, target: &target, weights: None };
        let (trees, _) = Booster::new(params.clone()).train(&rows.features, &labelled, None, None)?;
        let other = held_back.borrowed();
        let mut reproduced = vec![0.0; judged.len()];
        trees.margins(&Rows::new(&other)?, &mut reproduced)?;
        for (&at, value) in judged.iter().zip(reproduced) {
            tried.variance += (margins[at] - mean).powi(2);
            tried.rest += (margins[at] - value).powi(2);
        }
        let more = contributions(&trees, &held_back, columns)?;
        tried.contributions = match (tried.contributions, more) {
            (Some(all), Some(more)) => Some(all.and(more)),
            (all, more) => all.or(more),
        };
    }
    Ok(tried)
}

fn select(rows: &Matrix, places: impl Iterator<Item = usize> + Clone) -> Matrix {
    let columns = rows.columns.iter().map(|column| places.clone().map(|row| column[row]).collect()).collect();
    Matrix { features: rows.features.clone(), sources: rows.sources.clone(), columns, rows: places.count() }
}
