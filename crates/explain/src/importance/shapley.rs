//! Shapley values of single rows.

use super::columns::numbers;
use super::detail::{DetailedRow, Drawn};
use super::measures::{mean, quantile, standard_deviation};
use super::units::Unit;
use super::view::Material;

/// Shapley values of the explained rows, in the units of the target (of the margins for trees with a link): for each
/// row, base + sum over features = `reproduced`.
#[derive(Debug, Clone, PartialEq)]
pub struct ShapleyValues {
    /// Names, most important first.
    pub features: Vec<String>,
    /// The explained rows in the caller's numbering, ascending.
    pub rows: Vec<usize>,
    /// For each feature one value per row.
    pub values: Vec<Vec<f64>>,
    /// The features' own values in these rows: numbers, codes of levels, NaN if missing; none for a group of several
    /// columns.
    pub feature_values: Vec<Option<Vec<f64>>>,
    /// The base of the contributions, one per row.
    pub base: Vec<f64>,
    /// Predictions of the explained trees.
    pub reproduced: Vec<f64>,
    /// Predictions of the model, which differ from `reproduced` by the error of a surrogate.
    pub predictions: Vec<f64>,
    /// One entry per feature.
    pub summary: Vec<ShapleySummary>,
    /// The ten rows to report in detail: highest, lowest, largest error; fewer if there are fewer rows.
    pub detailed: Vec<DetailedRow>,
}

/// The distribution of a feature's Shapley values over the explained rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapleySummary {
    /// Mean absolute value: the importance.
    pub mean_abs: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation, with n - 1.
    pub sd: f64,
    /// Quantiles at .05, .25, .5, .75 and .95, linear between order statistics.
    pub quantiles: [f64; 5],
}

/// The levels of [`ShapleySummary::quantiles`].
const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// A row of the long table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapleyRow<'a> {
    /// In the caller's numbering.
    pub row: usize,
    /// The feature or group.
    pub feature: &'a str,
    /// Its value there: a number or a code, NaN if missing; none for a group of several columns.
    pub feature_value: Option<f64>,
    /// Its contribution.
    pub shap_value: f64,
    /// The base of this row's contributions.
    pub base_value: f64,
    /// Sum of base and contributions.
    pub reproduced: f64,
    /// The model's prediction.
    pub prediction: f64,
}

impl ShapleyValues {
    pub(super) fn new(material: &Material<'_>, units: Vec<Unit>, values: Vec<Vec<f64>>) -> Self {
        let (input, rows) = (material.input, material.rows);
        let cells = |unit: &Unit| unit.cells(input.features).map(|cells| numbers(cells, rows));
        let tell = |&drawn: &Drawn| {
            DetailedRow::tell(drawn, values.len(), material.options.top_k, |at| values[at][drawn.place])
        };
        Self {
            feature_values: units.iter().map(cells).collect(),
            rows: rows.to_vec(),
            base: material.contributions.base.clone(),
            reproduced: material.contributions.reproduced.clone(),
            predictions: rows.iter().map(|&row| input.predictions[row] * input.scale_of(row)).collect(),
            summary: values.iter().map(|values| ShapleySummary::of(values)).collect(),
            detailed: material.told.iter().map(tell).collect(),
            features: units.into_iter().map(|unit| unit.name).collect(),
            values,
        }
    }

    /// The long table, row by row, and feature by feature in each row.
    pub fn long(&self) -> impl Iterator<Item = ShapleyRow<'_>> {
        let line = move |place: usize, feature: usize| ShapleyRow {
            row: self.rows[place],
            feature: &self.features[feature],
            feature_value: self.feature_values[feature].as_ref().map(|values| values[place]),
            shap_value: self.values[feature][place],
            base_value: self.base[place],
            reproduced: self.reproduced[place],
            prediction: self.predictions[place],
        };
        (0..self.rows.len())
            .flat_map(move |place| (0..self.features.len()).map(move |feature| line(place, feature)))
    }
}

impl ShapleySummary {
    fn of(values: &[f64]) -> Self {
        let mut ascending = values.to_vec();
        ascending.sort_by(f64::total_cmp);
        Self {
            mean_abs: mean(&values.iter().map(|value| value.abs()).collect::<Vec<_>>()),
            mean: mean(values),
            sd: standard_deviation(values),
            quantiles: LEVELS.map(|level| quantile(&ascending, level)),
        }
    }
}
