//! Quantiles of a regression from errors on held-back rows: CV+ (Barber et al., *Predictive Inference with the
//! Jackknife+*, 2021) with errors in units of a learned spread, so that intervals are wide where errors are large (Lei
//! et al., 2018).

use rayon::prelude::*;
use tabcast_statistics::random;
use tabcast_trees::boosting::{Booster, Labelled, Loss, Params};
use tabcast_trees::{Ensemble, Rows};

use crate::Matrix;

/// The levels of the output table.
pub(crate) const LEVELS: [f64; 3] = [0.1, 0.5, 0.9];
/// With fewer rows, all errors share one spread.
const FEW_ROWS: usize = 200;
/// Number of parts; the spread of each is learned from the others.
const PARTS: u64 = 5;
/// Errors are clipped at this quantile when the spread is learned.
const CLIPPED: f64 = 0.99;
/// Weight of the mean spread, which is mixed with the learned one and also bounds it from below.
const MEAN_SHARE: f64 = 0.3;
/// Number of bisection steps for a quantile over several folds.
const STEPS: usize = 30;

/// The errors on held-back rows.
pub(crate) struct Errors<'a> {
    /// Label minus prediction of each held-back row.
    pub(crate) residuals: &'a [f64],
    /// Fold of each row.
    pub(crate) fold_of: &'a [u32],
    /// Features of each row; without columns all errors share one spread.
    pub(crate) rows: &'a Matrix,
    pub(crate) seed: u64,
}

/// The spread of errors by row: for the held-back rows, and for other rows.
struct Spread {
    held_back: Vec<f64>,
    others: Vec<f64>,
}

/// Quantiles at [`LEVELS`] for other rows, three per row, ascending. `predictions` are those of each fold's models.
pub(crate) fn quantiles(errors: &Errors<'_>, others: &Matrix, predictions: &[Vec<f64>]) -> Vec<f64> {
    let spread = errors.spread(others);
    let folds = predictions.len();
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); folds];
    for ((&residual, &fold), &spread) in errors.residuals.iter().zip(errors.fold_of).zip(&spread.held_back) {
        if let Some(scores) = scores.get_mut(fold as usize) {
            scores.push(residual / spread);
        }
    }
    for scores in &mut scores {
        scores.sort_by(f64::total_cmp);
    }
    let rows = errors.residuals.len();
    let levels = LEVELS.map(|level| corrected(level, rows));
    let mut out = vec![0.0; others.rows * LEVELS.len()];
    out.par_chunks_mut(LEVELS.len()).enumerate().for_each(|(row, out)| {
        let centres: Vec<f64> = predictions.iter().map(|fold| fold[row]).collect();
        for (out, &level) in out.iter_mut().zip(&levels) {
            *out = mixed_quantile(&scores, &centres, spread.others[row], level, rows);
        }
        out.sort_by(f64::total_cmp);
    });
    out
}

/// The mean of the quantiles from errors and of those learned as quantiles, then shifted at each level to the coverage
/// on held-back rows (Romano et al., *Conformalized Quantile Regression*, 2019).
pub(crate) fn moved(labels: &[f64], held_back: &[f64], mut quantiles: Vec<f64>) -> Vec<f64> {
    let width = LEVELS.len();
    for (at, &level) in LEVELS.iter().enumerate() {
        let mut distances: Vec<f64> =
            labels.iter().zip(held_back.chunks_exact(width)).map(|(label, row)| label - row[at]).collect();
        distances.sort_by(f64::total_cmp);
        let by = quantile(&distances, corrected(level, labels.len()));
        quantiles.chunks_exact_mut(width).for_each(|row| row[at] += by);
    }
    quantiles.chunks_exact_mut(width).for_each(|row| row.sort_by(f64::total_cmp));
    quantiles
}

impl Errors<'_> {
    fn spread(&self, others: &Matrix) -> Spread {
        let mut sizes: Vec<f64> = self.residuals.iter().map(|residual| residual.abs()).collect();
        let mut sorted = sizes.clone();
        sorted.sort_by(f64::total_cmp);
        let most = quantile(&sorted, CLIPPED);
        for size in &mut sizes {
            *size = size.min(most);
        }
        let mean = sizes.iter().sum::<f64>() / sizes.len().max(1) as f64;
        let level = if mean > 0.0 { mean } else { 1.0 };
        let constant = Spread { held_back: vec![level; sizes.len()], others: vec![level; others.rows] };
        if sizes.len() < FEW_ROWS || mean == 0.0 || self.rows.columns.is_empty() {
            return constant;
        }
        let part = |row: usize| random::bits(self.seed, row as u64) % PARTS;
        let models: Option<Vec<Ensemble>> = (0..PARTS)
            .into_par_iter()
            .map(|held| learn_spread(self.rows, &sizes, &|row| part(row) != held))
            .collect();
        let Some(models) = models else { return constant };
        let mixed =
            |learned: f64| (MEAN_SHARE * level + (1.0 - MEAN_SHARE) * learned).max(MEAN_SHARE * level);
        let (Some(own), Some(foreign)) = (margins(&models, self.rows), margins(&models, others)) else {
            return constant;
        };
        Spread {
            held_back: (0..sizes.len()).map(|row| mixed(own[part(row) as usize][row])).collect(),
            others: (0..others.rows)
                .map(|row| mixed(foreign.iter().map(|one| one[row]).sum::<f64>() / PARTS as f64))
                .collect(),
        }
    }
}

fn learn_spread(rows: &Matrix, sizes: &[f64], is_learned: &dyn Fn(usize) -> bool) -> Option<Ensemble> {
    let weights: Vec<f64> = (0..sizes.len()).map(|row| f64::from(u8::from(is_learned(row)))).collect();
    let columns = rows.borrowed();
    let borrowed = Rows::new(&columns).ok()?;
    let labelled = Labelled { rows: &borrowed, target: sizes, weights: Some(&weights) };
    let params = Params { rounds: 60, min_rows: 40, ..Params::new(Loss::SquaredError) };
    Booster::new(params).train(&rows.features, &labelled, None, None).ok().map(|(trees, _)| trees)
}

fn margins(models: &[Ensemble], rows: &Matrix) -> Option<Vec<Vec<f64>>> {
    let columns = rows.borrowed();
    let borrowed = Rows::new(&columns).ok()?;
    let of = |model: &Ensemble| {
        let mut out = vec![0.0; rows.rows];
        model.margins(&borrowed, &mut out).ok().map(|()| out)
    };
    models.iter().map(of).collect()
}

/// The level with the right coverage for so few rows: outer quantiles move outwards.
fn corrected(level: f64, rows: usize) -> f64 {
    let n = rows as f64;
    match level {
        _ if level < 0.5 => (((n + 1.0) * level).floor() - 1.0) / (n - 1.0).max(1.0),
        _ if level > 0.5 => (((n + 1.0) * level).ceil() - 1.0) / (n - 1.0).max(1.0),
        _ => level,
    }
    .clamp(0.0, 1.0)
}

/// Quantile by linear interpolation between order statistics.
fn quantile(sorted: &[f64], level: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = level * last as f64;
    let (low, share) = (place.floor() as usize, place.fract());
    sorted[low] + share * (sorted[(low + 1).min(last)] - sorted[low])
}

/// The quantile of the errors of all folds, each added to its own fold's prediction.
fn mixed_quantile(scores: &[Vec<f64>], centres: &[f64], spread: f64, level: f64, rows: usize) -> f64 {
    let alone = |fold: usize| centres[fold] + spread * quantile(&scores[fold], level);
    let (mut low, mut high) = (0..centres.len())
        .filter(|&fold| !scores[fold].is_empty())
        .map(alone)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    // Bisects between the lowest and the highest of the folds' own quantiles.
    for _ in 0..STEPS {
        if high - low <= 1e-6 * spread {
            break;
        }
        let middle = f64::midpoint(low, high);
        let below: usize = scores
            .iter()
            .zip(centres)
            .map(|(scores, centre)| scores.partition_point(|score| centre + spread * score <= middle))
            .sum();
        if (below as f64) < level * rows as f64 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Mean pinball loss over rows and levels, for quantiles at [`LEVELS`].
pub(crate) fn pinball(values: &[f64], quantiles: &[f64]) -> f64 {
    let width = LEVELS.len();
    let losses = values.iter().zip(quantiles.chunks_exact(width)).flat_map(|(value, row)| {
        row.iter().zip(LEVELS).map(move |(quantile, level)| {
            let distance = value - quantile;
            (level * distance).max((level - 1.0) * distance)
        })
    });
    losses.sum::<f64>() / (values.len().max(1) * width) as f64
}
