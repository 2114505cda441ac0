//! Rolling regressions.

use tabcast_analyses::{Folder, Rolling, RollingFeature, RollingPoint, RollingSeries, Share, Texts};
use tabcast_explain::{RollingRegression, RollingRegressionOptions, Skip, rolling_regression};
use tabcast_table::{TableColumn, WriteError};

use super::grid::iso;
use super::panel_rows::PanelRows;
use crate::dataset::Dataset;

/// Number of series on the page; the table has all.
const SHOWN: usize = 12;

pub(crate) fn regress(rows: &PanelRows, season: usize, share: &Share<'_>) -> Result<RollingRegression, Skip> {
    let options =
        RollingRegressionOptions { season, max_series: rows.items.len().max(1), ..Default::default() };
    rolling_regression(&rows.features, &rows.target, &rows.series, &options, &|| share.is_over())
}

/// The first series that have windows.
pub(crate) fn shown(found: &RollingRegression, rows: &PanelRows, dataset: &Dataset) -> Rolling {
    let (table, changes) = (&found.coefficients, &found.changes);
    let stamp = |row: u64| iso(rows.stamps[row as usize]);
    let mut series: Vec<RollingSeries> = Vec::new();
    let mut item = None;
    for place in 0..table.feature.len() {
        let of = table.series[place];
        if item != Some(of) {
            if series.len() == SHOWN {
                break;
            }
            item = Some(of);
            let item_id = dataset.panel.ids.get(rows.items[of as usize]).to_owned();
            series.push(RollingSeries { item_id, features: Vec::new() });
        }
        let feature = table.feature[place];
        let Some(shown) = series.last_mut() else { break };
        let known = shown.features.iter().position(|shown| shown.feature == feature);
        let at = known.unwrap_or_else(|| {
            let change = (0..changes.series.len())
                .find(|&change| changes.series[change] == of && changes.feature[change] == feature);
            shown.features.push(RollingFeature {
                feature,
                points: Vec::new(),
                sign_change: change.is_some_and(|change| changes.sign_change[change]),
                separate_intervals: change.is_some_and(|change| changes.separate_intervals[change]),
            });
            shown.features.len() - 1
        });
        shown.features[at].points.push(RollingPoint {
            start: stamp(table.window_start[place]),
            end: stamp(table.window_end[place]),
            coefficient: table.coefficient[place],
            ci_low: table.ci_low[place],
            ci_high: table.ci_high[place],
            r2: table.r2[place],
            weak: table.weak[place],
        });
    }
    Rolling { features: found.features.clone(), window: found.window, series }
}

/// Writes `rolling_regression.csv`; returns what did not fit.
pub(crate) fn write_regression(
    found: &RollingRegression,
    rows: &PanelRows,
    dataset: &Dataset,
    folder: &Folder<'_>,
) -> Result<Option<String>, WriteError> {
    let table = &found.coefficients;
    let stamps =
        |of: &[u64]| -> Vec<String> { of.iter().map(|&row| iso(rows.stamps[row as usize])).collect() };
    let (starts, ends) = (stamps(&table.window_start), stamps(&table.window_end));
    let items = table.series.iter().map(|&series| dataset.panel.ids.get(rows.items[series as usize]));
    let features = table.feature.iter().map(|&feature| found.features[feature as usize].as_str());
    let numbers = |values: &Vec<f64>| TableColumn::Numbers(values.clone());
    folder.write(
        "rolling_regression.csv",
        vec![
            ("item_id", Texts::of(items)),
            ("window_start", Texts::of(starts.iter().map(String::as_str))),
            ("window_end", Texts::of(ends.iter().map(String::as_str))),
            ("feature", Texts::of(features)),
            ("coef_std", numbers(&table.coefficient)),
            ("standard_error", numbers(&table.standard_error)),
            ("ci_low", numbers(&table.ci_low)),
            ("ci_high", numbers(&table.ci_high)),
            ("t", numbers(&table.t)),
            ("p_value", numbers(&table.p_value)),
            ("p_adj", numbers(&table.p_adjusted)),
            ("r2", numbers(&table.r2)),
            ("vif", numbers(&table.vif)),
            ("weak", Texts::of(table.weak.iter().map(|weak| if *weak { "true" } else { "false" }))),
        ],
    )
}
