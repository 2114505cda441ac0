//! Chooses rows for analyses. For predictions: rows that no model learned from. For the table: rows with a label, or
//! all rows.

use tabcast_explain::{Feature, Features, Values};

use super::Subject;
use crate::encode::source;
use crate::{InferenceMode, Target};

/// Predictions of rows that their models did not learn from, with the columns of the table.
pub(crate) struct PredictedRows {
    /// Rows of the file, 0-based, ascending.
    pub(crate) rows: Vec<u32>,
    pub(crate) features: Features,
    /// Values, or probabilities of the explained class.
    pub(crate) predictions: Vec<f64>,
    /// Actual values in the same units; NaN if unknown.
    pub(crate) actuals: Vec<f64>,
}

/// Rows of the table with their known cells.
pub(crate) struct TableRows {
    pub(crate) features: Features,
    /// The labels, if rows with labels are wanted.
    pub(crate) target: Values,
    /// Features beyond the limit.
    pub(crate) left_out: Vec<String>,
}

impl Subject<'_> {
    /// The class whose probability is explained: the less frequent one of two, which is usually the one of interest;
    /// the most frequent one of several. None for a regression.
    pub(crate) fn class(&self) -> Option<usize> {
        let classes = self.plan.labels.classes.len();
        (classes > 0).then(|| usize::from(classes == 2))
    }

    /// The predictions of the output, and those of the rows that folds held back; at most `max_rows`, spread evenly.
    pub(crate) fn predicted_rows(&self) -> PredictedRows {
        let Self { plan, predicted, options } = *self;
        let outputs = plan.labels.target.outputs();
        let class = self.class();
        let labelled = |place: u32| plan.labels.labelled[place as usize];
        let actual = |place: u32| match (&plan.labels.target, class) {
            (Target::Classes { labels, .. }, Some(class)) => {
                f64::from(u8::from(labels[place as usize] as usize == class))
            }
            (Target::Values(values), _) => values[place as usize],
            (Target::Classes { .. }, None) => f64::NAN,
        };
        let told = |row: &[f64]| row[class.unwrap_or(0)];
        // Row, prediction, actual value.
        let mut all: Vec<(u32, f64, f64)> = Vec::new();
        let (places, values) = &predicted.held_back;
        for (places, values) in [(&predicted.evaluated, &predicted.predictions), (places, values)] {
            all.extend(
                places
                    .iter()
                    .zip(values.chunks_exact(outputs))
                    .map(|(&place, row)| (labelled(place), told(row), actual(place))),
            );
        }
        if plan.mode == InferenceMode::TrainPredict {
            let wanted = plan.wanted().into_iter().zip(predicted.wanted.chunks_exact(outputs));
            all.extend(wanted.map(|(row, values)| (row, told(values), f64::NAN)));
        }
        all.sort_unstable_by_key(|(row, ..)| *row);
        let all = evenly(&all, options.max_rows);
        let rows: Vec<u32> = all.iter().map(|(row, ..)| *row).collect();
        PredictedRows {
            features: self.features(&rows, usize::MAX).0,
            predictions: all.iter().map(|(_, prediction, _)| *prediction).collect(),
            actuals: all.iter().map(|(.., actual)| *actual).collect(),
            rows,
        }
    }

    /// Rows with a label, at most `max_rows`, spread evenly.
    pub(crate) fn labelled_rows(&self) -> TableRows {
        let labels = &self.plan.labels;
        let places: Vec<u32> = (0..labels.labelled.len() as u32).collect();
        let places = evenly(&places, self.options.max_rows);
        let target = match labels.target.select(&places) {
            Target::Classes { labels: codes, .. } => Values::Levels { codes, names: labels.classes.clone() },
            Target::Values(values) => Values::Numbers(values),
        };
        let rows: Vec<u32> = places.iter().map(|&place| labels.labelled[place as usize]).collect();
        let (features, left_out) = self.features(&rows, self.options.max_features);
        TableRows { features, target, left_out }
    }

    /// Rows with or without a label, at most `max_rows`, spread evenly.
    pub(crate) fn all_rows(&self) -> TableRows {
        let rows: Vec<u32> = (0..self.plan.frame.rows as u32).collect();
        let (features, left_out) =
            self.features(&evenly(&rows, self.options.max_rows), self.options.max_features);
        TableRows { features, target: Values::Numbers(Vec::new()), left_out }
    }

    /// The first `most` feature columns, and the names of the others.
    fn features(&self, rows: &[u32], most: usize) -> (Features, Vec<String>) {
        let (mut columns, mut left_out) = (Vec::new(), Vec::new());
        for (column, decision) in self.plan.decisions.iter().enumerate() {
            if !decision.role.is_feature() {
                continue;
            }
            if columns.len() == most {
                left_out.push(decision.name.clone());
            } else if let Some(values) = source(&self.plan.frame, column, decision.role, rows) {
                columns.push(Feature { name: decision.name.clone(), values });
            }
        }
        (Features::new(rows.len(), columns).expect("a cell a row"), left_out)
    }
}

/// At most `most` items, spread evenly, in their order.
fn evenly<T: Copy>(all: &[T], most: usize) -> Vec<T> {
    let count = all.len().min(most);
    (0..count).map(|at| all[(at as u128 * all.len() as u128 / count as u128) as usize]).collect()
}
