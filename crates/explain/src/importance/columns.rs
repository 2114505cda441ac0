//! Columns in the form that trees need.

use tabcast_trees::Feature as TreeFeature;

use super::ImportanceError;
use crate::{Features, Values};

/// A column without an explanation of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name.
    pub feature: String,
    /// The reason.
    pub reason: Reason,
}

/// Why a column has no explanation of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The column has a single value in all rows examined.
    Constant,
    /// Other columns are more informative, and their number is limited; the surrogate does not see it.
    LessInformative,
    /// Other columns contribute more, and their number is limited; it is part of "other features".
    Summed,
}

/// Columns of some rows as numbers: codes for categories, NaN if missing.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    pub(super) features: Vec<TreeFeature>,
    pub(super) values: Vec<Vec<f64>>,
    /// The caller's columns that each column stands for: several if they are copies. Trees would credit whichever copy
    /// comes first, which is why they see a single one.
    pub(super) sources: Vec<Vec<usize>>,
}

impl Columns {
    /// All columns separately, as a given model expects them.
    pub(super) fn of_model(
        features: &Features,
        rows: &[usize],
        expected: &[TreeFeature],
    ) -> Result<Self, ImportanceError> {
        let (given, wanted) = (features.columns().len(), expected.len());
        if given != wanted {
            return Err(ImportanceError::Input(format!("{given} columns for a model of {wanted} features")));
        }
        let values = features.columns().iter().map(|column| numbers(&column.values, rows)).collect();
        Ok(Self { features: expected.to_vec(), values, sources: (0..given).map(|at| vec![at]).collect() })
    }

    /// The varying columns, with copies merged, and the names of the constant ones.
    pub(super) fn that_vary(features: &Features, rows: &[usize]) -> (Self, Vec<LeftOut>) {
        let mut found = Self { features: Vec::new(), values: Vec::new(), sources: Vec::new() };
        let mut left_out = Vec::new();
        for (at, column) in features.columns().iter().enumerate() {
            let values = numbers(&column.values, rows);
            if values.iter().all(|value| is_same(*value, values[0])) {
                left_out.push(LeftOut { feature: column.name.clone(), reason: Reason::Constant });
                continue;
            }
            let feature = match &column.values {
                Values::Numbers(_) => TreeFeature::numeric(&column.name),
                Values::Levels { names, .. } => TreeFeature::categorical(&column.name, names.clone()),
            };
            let is_copy = |&known: &usize| {
                found.features[known].kind == feature.kind
                    && found.values[known].iter().zip(&values).all(|(a, b)| is_same(*a, *b))
            };
            if let Some(known) = (0..found.features.len()).find(is_copy) {
                found.sources[known].push(at);
            } else {
                found.features.push(feature);
                found.values.push(values);
                found.sources.push(vec![at]);
            }
        }
        (found, left_out)
    }

    /// The same sorted by name, so that the result does not depend on the order of the caller's columns, to which
    /// `sources` still refers.
    pub(super) fn by_name(mut self, features: &Features) -> Self {
        let name = |at: usize| features.columns()[at].name.as_str();
        for sources in &mut self.sources {
            sources.sort_by(|&a, &b| name(a).cmp(name(b)).then(a.cmp(&b)));
        }
        let mut order: Vec<usize> = (0..self.sources.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (self.sources[a][0], self.sources[b][0]);
            name(a).cmp(name(b)).then(a.cmp(&b))
        });
        Self {
            features: order.iter().map(|&at| self.features[at].clone()).collect(),
            values: order.iter().map(|&at| std::mem::take(&mut self.values[at])).collect(),
            sources: order.iter().map(|&at| std::mem::take(&mut self.sources[at])).collect(),
        }
    }

    /// Some of the rows.
    pub(super) fn select(&self, rows: &[usize]) -> Vec<Vec<f64>> {
        self.values.iter().map(|column| rows.iter().map(|&row| column[row]).collect()).collect()
    }
}

pub(super) fn borrow(columns: &[Vec<f64>]) -> Vec<&[f64]> {
    columns.iter().map(Vec::as_slice).collect()
}

/// Cells as numbers.
pub(super) fn numbers(values: &Values, rows: &[usize]) -> Vec<f64> {
    let number = |code: u32| if code == u32::MAX { f64::NAN } else { f64::from(code) };
    match values {
        Values::Numbers(numbers) => rows.iter().map(|&row| numbers[row]).collect(),
        Values::Levels { codes, .. } => rows.iter().map(|&row| number(codes[row])).collect(),
    }
}

/// Missing values are equal.
fn is_same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}
