//! The CSV files of importance and Shapley values.

use tabcast_explain::Features;
use tabcast_explain::importance::Explanation;
use tabcast_table::{TableColumn, WriteError};

use crate::cells::Cells;
use crate::document::{FeatureImportance, Importance, Shap, ShapSummary};
use crate::tables::{Folder, Texts};

impl Importance {
    /// `feature_importance.csv`: features, followed by groups of features.
    pub(crate) fn write(&self, folder: &Folder<'_>) -> Result<Option<String>, WriteError> {
        let all = || self.features.iter().chain(&self.groups);
        let kinds =
            all().enumerate().map(|(place, _)| if place < self.features.len() { "feature" } else { "group" });
        let numbers = |of: fn(&FeatureImportance) -> f64| TableColumn::Numbers(all().map(of).collect());
        let mut directions = Texts::default();
        for row in all() {
            match row.direction {
                Some(direction) => directions.push(direction),
                None => directions.push_missing(),
            }
        }
        folder.write(
            "feature_importance.csv",
            vec![
                ("kind", Texts::of(kinds)),
                ("feature", Texts::of(all().map(|row| row.feature.as_str()))),
                ("rank", TableColumn::Integers(all().map(|row| row.rank as u64).collect())),
                ("importance", numbers(|row| row.importance)),
                ("importance_share", numbers(|row| row.share)),
                ("direction", directions.finish()),
                ("permutation_drop", numbers(|row| row.permutation_drop)),
                ("permutation_sd", numbers(|row| row.permutation_sd)),
                ("method", Texts::of(all().map(|_| self.method))),
                ("n_rows", TableColumn::Integers(all().map(|_| self.explained_rows as u64).collect())),
            ],
        )
    }
}

/// `shap_summary.csv` and `shap_values.csv`. `features` are those of the input; `named` returns the columns that
/// identify the rows of the latter, given one input index per row. Returns what did not fit.
pub(crate) fn write_shap<N>(
    shap: &Shap<N>,
    explanation: &Explanation,
    features: &Features,
    named: impl FnOnce(&[usize]) -> Vec<(&'static str, TableColumn)>,
    folder: &Folder<'_>,
) -> Result<Vec<String>, WriteError> {
    let all = &shap.summary;
    let numbers = |of: fn(&ShapSummary) -> f64| TableColumn::Numbers(all.iter().map(of).collect());
    let cut = folder.write(
        "shap_summary.csv",
        vec![
            ("feature", Texts::of(all.iter().map(|row| row.feature.as_str()))),
            ("mean_abs", numbers(|row| row.mean_abs)),
            ("mean", numbers(|row| row.mean)),
            ("sd", numbers(|row| row.sd)),
            ("p05", numbers(|row| row.p05)),
            ("p25", numbers(|row| row.p25)),
            ("p50", numbers(|row| row.p50)),
            ("p75", numbers(|row| row.p75)),
            ("p95", numbers(|row| row.p95)),
        ],
    )?;
    let Some(values) = &explanation.features.shapley else { return Ok(Vec::from_iter(cut)) };
    let (mut rows, mut cells) = (Vec::new(), Vec::new());
    let mut figures: [Vec<f64>; 4] = Default::default();
    for line in values.long() {
        rows.push(line.row);
        cells.push((line.feature, line.feature_value.unwrap_or(f64::NAN)));
        let of_line = [line.shap_value, line.base_value, line.reproduced, line.prediction];
        for (column, figure) in figures.iter_mut().zip(of_line) {
            column.push(figure);
        }
    }
    let [shap_values, bases, reproduced, predictions] = figures.map(TableColumn::Numbers);
    let mut table = named(&rows);
    table.extend([
        ("feature", Texts::of(cells.iter().map(|(feature, _)| *feature))),
        ("feature_value", Cells::new(features).column(&cells)),
        ("shap_value", shap_values),
        ("base_value", bases),
        ("reproduced", reproduced),
        ("prediction", predictions),
    ]);
    // The entries of a row must stay together.
    let shortened = folder.write_groups("shap_values.csv", table, values.features.len(), "explained rows")?;
    Ok(cut.into_iter().chain(shortened).collect())
}
