//! Importance and Shapley values of the features of a forecast.

use tabcast_analyses::{ExplainOptions, Share, Texts, Trouble};
use tabcast_explain::LARGEST;
use tabcast_explain::importance::{Predictions, explain_predictions};
use tabcast_table::TableColumn;

use super::Subject;
use super::forecast_rows::ForecastRows;
use super::grid::iso;
use super::row::RowName;
use crate::Failure;
use crate::explaining::row::Run;

/// Explains a surrogate of the forecast and returns what was requested.
pub(super) fn explain(
    subject: &Subject<'_>,
    options: &ExplainOptions,
    run: &mut Run<'_>,
    share: &Share<'_>,
) -> Result<(), Trouble<Failure>> {
    let rows = ForecastRows::of(subject, options.max_rows, share)?;
    if rows.beyond > 0 {
        run.document.warnings.push(format!(
            "{} series with values beyond {LARGEST:e} are not in importance and Shapley values.",
            rows.beyond
        ));
    }
    let input = Predictions {
        features: &rows.features,
        predictions: &rows.predictions,
        actuals: Some(&rows.actuals),
        scale: Some(&rows.scale),
        series: Some(&rows.series),
        fold_groups: Some(&rows.folds),
        feature_groups: Some(&rows.groups),
        cyclic: &rows.cyclic,
    };
    let explanation = explain_predictions(&input, &options.importance(), &|| share.is_over())?;
    let name = |row: usize| {
        let (index, step, stamp) = rows.places[row];
        RowName { item_id: subject.dataset.id(index).to_owned(), timestamp: iso(stamp), step }
    };
    let columns = |lines: &[usize]| {
        let (mut items, mut stamps, mut steps) = (Texts::default(), Texts::default(), Vec::new());
        for &row in lines {
            let (index, step, stamp) = rows.places[row];
            items.push(subject.dataset.id(index));
            stamps.push(&iso(stamp));
            steps.push(step as u64);
        }
        vec![
            ("row_id", TableColumn::Integers(lines.iter().map(|&row| row as u64).collect())),
            ("item_id", items.finish()),
            ("timestamp", stamps.finish()),
            ("step", TableColumn::Integers(steps)),
        ]
    };
    Ok(run.tell(&explanation, &rows.features, options, name, columns)?)
}
