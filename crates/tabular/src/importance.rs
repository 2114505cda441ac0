//! Feature importance: mean absolute Shapley values of the columns of the table.

use tabcast_trees::{Ensemble, Explainer, Rows, TreesError};

use crate::Matrix;

/// Number of rows explained per fold.
const ROWS: usize = 400;
/// Maximum number of contributions in memory: outputs x features x rows.
const MOST_VALUES: usize = 20_000_000;

/// Sums of absolute contributions, by column of the table.
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

    /// Each column's share of the total.
    pub(crate) fn shares(&self) -> Vec<f64> {
        let whole: f64 = self.by_column.iter().sum();
        self.by_column.iter().map(|sum| if whole > 0.0 { sum / whole } else { 0.0 }).collect()
    }
}

/// Exact contributions to the margins of some of the rows, spread evenly; none if there are no rows.
///
/// # Errors
/// The error of the trees for rows that do not fit them.
pub(crate) fn contributions(
    trees: &Ensemble,
    rows: &Matrix,
    columns: usize,
) -> Result<Option<Contributions>, TreesError> {
    let most = MOST_VALUES / (trees.outputs * trees.features.len().max(1));
    let count = rows.rows.min(ROWS).min(most.max(1));
    if count == 0 {
        return Ok(None);
    }
    if rows.columns.is_empty() {
        // Without features all predictions are equal, and nothing contributes to them.
        return Ok(Some(Contributions { by_column: vec![0.0; columns], max_additivity_error: 0.0 }));
    }
    let chosen: Vec<Vec<f64>> = rows
        .columns
        .iter()
        .map(|column| (0..count).map(|at| column[at * rows.rows / count]).collect())
        .collect();
    let borrowed: Vec<&[f64]> = chosen.iter().map(Vec::as_slice).collect();
    let explanation = Explainer::new(trees)?.explain(&Rows::new(&borrowed)?)?;
    let mut features: Vec<usize> = (0..rows.sources.len()).collect();
    features.sort_by_key(|&feature| rows.sources[feature]);
    let mut by_column = vec![0.0; columns];
    for output in 0..trees.outputs {
        for of_column in features.chunk_by(|&a, &b| rows.sources[a] == rows.sources[b]) {
            // Contributions of the features of one column to a row may cancel. By the additivity of Shapley values,
            // their sum is the contribution of the column.
            let mut sums = vec![0.0_f64; count];
            for &feature in of_column {
                let values = explanation.column(output, feature);
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
            by_column[rows.sources[of_column[0]]] +=
                sums.iter().map(|sum| sum.abs()).sum::<f64>() / count as f64;
        }
    }
    Ok(Some(Contributions { by_column, max_additivity_error: explanation.max_additivity_error }))
}
