//! Importance and Shapley values of the features of a forecast.

use tabcast_analyses::{ExplainOptions, Folder, Shap, Share, Texts, Trouble, shap_of, write_shap};
use tabcast_explain::importance::{Explanation, Predictions, explain_predictions};
use tabcast_table::{TableColumn, WriteError};

use super::Subject;
use super::forecast_rows::ForecastRows;
use super::grid::iso;
use super::row::RowName;
use crate::Failure;

/// What the forecast rests on, and the rows that tell.
pub(crate) struct Found {
    rows: ForecastRows,
    pub(crate) explanation: Explanation,
}

impl Found {
    /// Explains a surrogate of the forecast.
    pub(crate) fn of(
        subject: &Subject<'_>,
        options: &ExplainOptions,
        share: &Share<'_>,
    ) -> Result<Self, Trouble<Failure>> {
        let rows = ForecastRows::of(subject, options.max_rows, share)?;
        let input = Predictions {
            features: &rows.features,
            predictions: &rows.predictions,
            actuals: Some(&rows.actuals),
            scale: Some(&rows.scale),
            series: Some(&rows.series),
            fold_groups: Some(&rows.folds),
            feature_groups: Some(&rows.groups),
        };
        let explanation = explain_predictions(&input, &options.importance(), &|| share.is_over())?;
        Ok(Self { rows, explanation })
    }

    /// None where the surrogate is not good enough for single rows.
    pub(crate) fn shap(&self, subject: &Subject<'_>) -> Option<Shap<RowName>> {
        shap_of(&self.explanation, &self.rows.features, |row| {
            let (index, step, stamp) = self.rows.places[row];
            RowName { item_id: subject.dataset.id(index).to_owned(), timestamp: iso(stamp), step }
        })
    }

    /// `shap_summary.csv` and `shap_values.csv`.
    pub(crate) fn write_shap(
        &self,
        shap: &Shap<RowName>,
        subject: &Subject<'_>,
        folder: &Folder<'_>,
    ) -> Result<(), WriteError> {
        let named = |rows: &[usize]| {
            let (mut items, mut stamps, mut steps) = (Texts::default(), Texts::default(), Vec::new());
            for &row in rows {
                let (index, step, stamp) = self.rows.places[row];
                items.push(subject.dataset.id(index));
                stamps.push(&iso(stamp));
                steps.push(step as u64);
            }
            vec![
                ("row_id", TableColumn::Integers(rows.iter().map(|&row| row as u64).collect())),
                ("item_id", items.finish()),
                ("timestamp", stamps.finish()),
                ("step", TableColumn::Integers(steps)),
            ]
        };
        write_shap(shap, &self.explanation, &self.rows.features, named, folder)
    }
}
