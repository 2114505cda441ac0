//! The CSV files of importance and Shapley values.

use tabcast_table::TableColumn;

use super::Subject;
use super::document::{FeatureImportance, Importance, Shap, ShapSummary};
use super::grid::iso;
use super::importance::Found;
use super::tables::{Folder, Texts};
use crate::Failure;

impl Importance {
    /// `feature_importance.csv`: features and, after them, groups of features.
    pub(crate) fn write(&self, folder: &Folder<'_>) -> Result<(), Failure> {
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

impl Found {
    /// `shap_summary.csv` and `shap_values.csv`.
    pub(crate) fn write_shap(
        &self,
        shap: &Shap,
        subject: &Subject<'_>,
        folder: &Folder<'_>,
    ) -> Result<(), Failure> {
        let all = &shap.summary;
        let numbers = |of: fn(&ShapSummary) -> f64| TableColumn::Numbers(all.iter().map(of).collect());
        folder.write(
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
        let Some(values) = &self.explanation.features.shapley else { return Ok(()) };
        let (mut ids, mut items, mut stamps) = (Vec::new(), Texts::default(), Texts::default());
        let (mut steps, mut features) = (Vec::new(), Texts::default());
        let mut figures: [Vec<f64>; 5] = Default::default();
        for row in values.long() {
            let (index, step, stamp) = self.rows.places[row.row];
            ids.push(row.row as u64);
            items.push(subject.dataset.id(index));
            stamps.push(&iso(stamp));
            steps.push(step as u64);
            features.push(row.feature);
            let of_row = [
                row.feature_value.unwrap_or(f64::NAN),
                row.shap_value,
                row.base_value,
                row.reproduced,
                row.prediction,
            ];
            for (column, figure) in figures.iter_mut().zip(of_row) {
                column.push(figure);
            }
        }
        let [feature_values, shap_values, bases, reproduced, predictions] = figures.map(TableColumn::Numbers);
        folder.write(
            "shap_values.csv",
            vec![
                ("row_id", TableColumn::Integers(ids)),
                ("item_id", items.finish()),
                ("timestamp", stamps.finish()),
                ("step", TableColumn::Integers(steps)),
                ("feature", features.finish()),
                ("feature_value", feature_values),
                ("shap_value", shap_values),
                ("base_value", bases),
                ("reproduced", reproduced),
                ("prediction", predictions),
            ],
        )
    }
}
