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
    /// Names, the most important first.
    pub features: Vec<String>,
    /// The explained rows, as the caller numbers them, ascending.
    pub rows: Vec<usize>,
    /// For each feature a value a row.
    pub values: Vec<Vec<f64>>,
    /// What the features were in these rows: numbers, codes of levels, NaN where missing; none for a group of several
    /// columns.
    pub feature_values: Vec<Option<Vec<f64>>>,
    /// What contributions are counted from, a row each.
    pub base: Vec<f64>,
    /// What the explained trees say.
    pub reproduced: Vec<f64>,
    /// What the model says; differs from `reproduced` by the error of a surrogate.
    pub predictions: Vec<f64>,
    /// A feature each.
    pub summary: Vec<ShapleySummary>,
    /// The ten rows to tell in detail: highest, lowest, largest error; fewer where there are fewer rows.
    pub detailed: Vec<DetailedRow>,
}

/// How the Shapley values of a feature are distributed over the explained rows.
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

/// A line of the long table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapleyRow<'a> {
    /// As the caller numbers rows.
    pub row: usize,
    /// The feature or group.
    pub feature: &'a str,
    /// Its value there: a number or a code, NaN where missing; none for a group of several columns.
    pub feature_value: Option<f64>,
    /// How much it adds.
    pub shap_value: f64,
    /// What contributions of this row are counted from.
    pub base_value: f64,
    /// Base and contributions together.
    pub reproduced: f64,
    /// What the model says.
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

    /// The long table, row after row, in each row feature after feature.
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
