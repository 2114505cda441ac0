//! Shapley values by the caller's columns, in the units of the target.

use tabcast_trees::{Ensemble, Explainer, Rows};

use super::ImportanceError;
use super::columns::{Columns, borrow};

/// Trees, with the conversion from their margins to the units of the predictions.
#[derive(Clone, Copy)]
pub(super) struct Model<'a> {
    pub(super) trees: &'a Ensemble,
    pub(super) output: usize,
    pub(super) offset: f64,
    pub(super) factor: f64,
}

/// Shapley values of some rows.
pub(super) struct Contributions {
    /// The caller's columns, ascending.
    pub(super) columns: Vec<usize>,
    /// For each column one value per row.
    pub(super) values: Vec<Vec<f64>>,
    /// The base of the contributions, then its sum with them.
    pub(super) base: Vec<f64>,
    pub(super) reproduced: Vec<f64>,
    /// Largest `|base + sum - reproduced|`, divided by the standard deviation of the predictions or by the prediction,
    /// whichever is larger.
    pub(super) max_additivity_error: f64,
}

impl Contributions {
    /// Explains rows (indices into `columns`); results are multiplied by the scale of the row. Copies of a column share
    /// its contribution evenly, like the Shapley values of features that the model treats alike.
    pub(super) fn of(
        model: Model<'_>,
        columns: &Columns,
        rows: &[usize],
        scale: &[f64],
    ) -> Result<Self, ImportanceError> {
        let selected = columns.select(rows);
        let explanation = Explainer::new(model.trees)?.explain(&Rows::new(&borrow(&selected))?)?;
        let scaled = |value: f64, row: usize| value * model.factor * scale[row];
        let back = |margin: f64, row: usize| (margin * model.factor + model.offset) * scale[row];
        let base: Vec<f64> = (0..rows.len()).map(|row| back(explanation.base[model.output], row)).collect();
        let margins = &explanation.margins[model.output * rows.len()..][..rows.len()];
        let reproduced: Vec<f64> =
            margins.iter().enumerate().map(|(row, &margin)| back(margin, row)).collect();
        let mut by_column: Vec<(usize, Vec<f64>)> = Vec::new();
        for (feature, sources) in columns.sources.iter().enumerate() {
            let whole = explanation.column(model.output, feature).iter().enumerate();
            let share: Vec<f64> =
                whole.map(|(row, &value)| scaled(value, row) / sources.len() as f64).collect();
            by_column.extend(sources.iter().map(|&source| (source, share.clone())));
        }
        by_column.sort_by_key(|(source, _)| *source);
        let (columns, values): (Vec<usize>, Vec<Vec<f64>>) = by_column.into_iter().unzip();
        let mut sums = base.clone();
        for column in &values {
            sums.iter_mut().zip(column).for_each(|(sum, value)| *sum += value);
        }
        let error =
            |row: usize| (sums[row] - reproduced[row]).abs() / reproduced[row].abs().max(scaled(1.0, row));
        let errors = (0..rows.len()).map(error);
        // A maximum would ignore NaN, which is the worst error.
        let worst = errors
            .fold(0.0, |worst: f64, error| if error.is_nan() { f64::INFINITY } else { worst.max(error) });
        Ok(Self { columns, values, base, reproduced, max_additivity_error: worst })
    }

    /// The values of one of the caller's columns.
    pub(super) fn column(&self, source: usize) -> Option<&[f64]> {
        self.columns.binary_search(&source).ok().map(|at| self.values[at].as_slice())
    }
}
