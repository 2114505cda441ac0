//! What the predictions rest on: mean absolute Shapley values of the columns of the table.

use tabcast_trees::boosting::{Booster, Labelled, Loss, Params};
use tabcast_trees::{Ensemble, Explainer, Rows};

use crate::Matrix;
use crate::loss::SMALLEST;

/// Rows of a fold that are explained.
const ROWS: usize = 400;
/// Contributions that are kept at a time: outputs x features x rows.
const MOST_VALUES: usize = 20_000_000;
/// Classes that a surrogate reproduces, the most frequent ones.
const CLASSES: usize = 10;
/// Rows that a surrogate learns from, and the share that judges it.
const SURROGATE_ROWS: usize = 20_000;
const JUDGED: usize = 5;

/// Sums of absolute contributions by column of the table.
#[derive(Debug, Clone)]
pub(crate) struct Contributions {
    pub(crate) by_column: Vec<f64>,
    pub(crate) max_additivity_error: f64,
}

impl Contributions {
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.by_column.iter_mut().zip(other.by_column).for_each(|(sum, more)| *sum += more);
        self.max_additivity_error = self.max_additivity_error.max(other.max_additivity_error);
        self
    }

    /// Each column's share of the whole.
    pub(crate) fn shares(&self) -> Vec<f64> {
        let whole: f64 = self.by_column.iter().sum();
        self.by_column.iter().map(|sum| if whole > 0.0 { sum / whole } else { 0.0 }).collect()
    }
}

/// Exact contributions to the margins of some of the rows, spread evenly over them; none where the trees do not fit the rows.
pub(crate) fn contributions(trees: &Ensemble, rows: &Matrix, columns: usize) -> Option<Contributions> {
    let most = MOST_VALUES / (trees.outputs * trees.features.len().max(1));
    let count = rows.rows.min(ROWS).min(most.max(1));
    if count == 0 {
        return None;
    }
    let chosen: Vec<Vec<f64>> = rows
        .columns
        .iter()
        .map(|column| (0..count).map(|at| column[at * rows.rows / count]).collect())
        .collect();
    let borrowed: Vec<&[f64]> = chosen.iter().map(Vec::as_slice).collect();
    let explanation = Explainer::new(trees).ok()?.explain(&Rows::new(&borrowed).ok()?).ok()?;
    let mut by_column = vec![0.0; columns];
    for output in 0..trees.outputs {
        for (feature, &source) in rows.sources.iter().enumerate() {
            let values = explanation.column(output, feature);
            by_column[source] += values.iter().map(|value| value.abs()).sum::<f64>() / count as f64;
        }
    }
    Some(Contributions { by_column, max_additivity_error: explanation.max_additivity_error })
}

/// Trees that reproduce predictions which are no sum of trees.
#[derive(Debug)]
pub(crate) struct Surrogate {
    pub(crate) contributions: Contributions,
    /// Share of the variance of the predictions on rows that it did not learn from, at most 1.
    pub(crate) fidelity: f64,
}

/// Distils predictions of some rows into boosted trees, on the scale of log-odds for probabilities, and explains those.
pub(crate) fn distil(
    rows: &Matrix,
    predictions: &[f64],
    is_probability: bool,
    columns: usize,
) -> Option<Surrogate> {
    let outputs = predictions.len() / rows.rows.max(1);
    // One of two classes says what there is to say of both.
    let explained: Vec<usize> = if outputs == 2 { vec![1] } else { (0..outputs.min(CLASSES)).collect() };
    let step = rows.rows.div_ceil(SURROGATE_ROWS).max(1);
    let places = || (0..rows.rows).step_by(step).enumerate();
    let part = |is_judged: bool| -> Vec<usize> {
        places().filter(|(at, _)| (at % JUDGED == 0) == is_judged).map(|(_, row)| row).collect()
    };
    let (training, judged) = (part(false), part(true));
    let (learned, held_back) = (select(rows, &training), select(rows, &judged));
    let mut whole: Option<Contributions> = None;
    let mut fidelity = Vec::new();
    for &output in &explained {
        let margin = |row: usize| {
            let value = predictions[row * outputs + output];
            if is_probability {
                let p = value.clamp(SMALLEST, 1.0 - SMALLEST);
                (p / (1.0 - p)).ln()
            } else {
                value
            }
        };
        let target: Vec<f64> = training.iter().map(|&row| margin(row)).collect();
        let own = learned.borrowed();
        let own = Rows::new(&own).ok()?;
        let labelled = Labelled { rows: &own, target: &target, weights: None };
        let params = Params { rounds: 300, learning_rate: 0.1, ..Params::new(Loss::SquaredError) };
        let (trees, _) = Booster::new(params).train(&rows.features, &labelled, None, None).ok()?;
        let other = held_back.borrowed();
        let mut margins = vec![0.0; judged.len()];
        trees.margins(&Rows::new(&other).ok()?, &mut margins).ok()?;
        fidelity
            .push(explained_variance(&judged.iter().map(|&row| margin(row)).collect::<Vec<_>>(), &margins));
        let more = contributions(&trees, &held_back, columns)?;
        whole = Some(match whole {
            Some(all) => all.and(more),
            None => more,
        });
    }
    let fidelity = fidelity.iter().sum::<f64>() / fidelity.len().max(1) as f64;
    whole.map(|contributions| Surrogate { contributions, fidelity })
}

fn select(rows: &Matrix, places: &[usize]) -> Matrix {
    let columns = rows.columns.iter().map(|column| places.iter().map(|&row| column[row]).collect()).collect();
    Matrix { features: rows.features.clone(), sources: rows.sources.clone(), columns, rows: places.len() }
}

fn explained_variance(values: &[f64], reproduced: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let variance: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let rest: f64 = values.iter().zip(reproduced).map(|(value, other)| (value - other).powi(2)).sum();
    if variance > 0.0 { 1.0 - rest / variance } else { 1.0 }
}
