//! Associations of features with each other and with the target.

use tabcast_explain::{
    FeatureFeatureOptions, FeatureTargetOptions, Features, SeriesRows, Skip, Values, feature_feature,
    feature_target,
};
use tabcast_table::{TableColumn, WriteError};

use crate::document::{FeatureFeature, FeatureTarget, FeatureTargetRow, Pair};
use crate::share::Share;
use crate::tables::{Folder, Texts};

/// Maximum lag, or a season if that is longer.
const MAX_LAG: usize = 12;
/// Maximum lag in any case: a season may have thousands of steps.
const LONGEST_LAG: usize = 60;

/// The input of correlations, within the requested limits.
#[derive(Debug, Clone, Copy)]
pub struct Correlated<'a> {
    /// The features.
    pub features: &'a Features,
    /// The series of the rows, and the season length in rows; none for a table.
    pub series: Option<(&'a SeriesRows, usize)>,
    /// Features beyond the limit.
    pub left_out: &'a [String],
}

/// Associations between features.
///
/// # Errors
///
/// As [`feature_feature`].
pub fn among_features(rows: &Correlated<'_>, share: &Share<'_>) -> Result<FeatureFeature, Skip> {
    let count = rows.features.columns().len();
    let options = FeatureFeatureOptions { max_features: count.max(1), max_rows: rows.features.rows().max(1) };
    let series = rows.series.map(|(series, _)| series);
    let found = feature_feature(rows.features, series, &options, &|| share.is_over())?;
    let pairs = &found.pairs;
    let pair = |place: usize| Pair {
        a: pairs.feature_a[place],
        b: pairs.feature_b[place],
        method: pairs.method[place],
        value: pairs.value[place],
        n: pairs.n[place],
        p_value: pairs.p_value[place],
        redundant: pairs.redundant[place],
    };
    Ok(FeatureFeature {
        pairs: (0..pairs.value.len()).map(pair).collect(),
        order: found.order,
        constant: found.constant,
        beyond_limit: rows.left_out.to_vec(),
        features: found.features,
    })
}

/// `feature_feature_correlations.csv`.
///
/// # Errors
///
/// As [`Folder::write`].
pub fn write_among(found: &FeatureFeature, folder: &Folder<'_>) -> Result<Option<String>, WriteError> {
    let name = |place: u32| found.features[place as usize].as_str();
    let pairs = &found.pairs;
    folder.write(
        "feature_feature_correlations.csv",
        vec![
            ("feature_a", Texts::of(pairs.iter().map(|pair| name(pair.a)))),
            ("feature_b", Texts::of(pairs.iter().map(|pair| name(pair.b)))),
            ("method", Texts::of(pairs.iter().map(|pair| pair.method.name()))),
            ("value", TableColumn::Numbers(pairs.iter().map(|pair| pair.value).collect())),
            ("n", TableColumn::Integers(pairs.iter().map(|pair| u64::from(pair.n)).collect())),
            ("p_value", TableColumn::Numbers(pairs.iter().map(|pair| pair.p_value).collect())),
            ("redundant", Texts::of(pairs.iter().map(|pair| if pair.redundant { "true" } else { "false" }))),
        ],
    )
}

/// The association of each feature with the target of the same rows.
///
/// # Errors
///
/// As [`feature_target`].
pub fn with_target(rows: &Correlated<'_>, target: &Values, share: &Share<'_>) -> Result<FeatureTarget, Skip> {
    let season = rows.series.map_or(0, |(_, season)| season);
    let options = FeatureTargetOptions {
        max_rows: rows.features.rows().max(1),
        season,
        max_lag: season.clamp(MAX_LAG, LONGEST_LAG),
    };
    let series = rows.series.map(|(series, _)| series);
    let found = feature_target(rows.features, target, series, &options, &|| share.is_over())?;
    let row = |place: usize| FeatureTargetRow {
        feature: found.features[found.feature[place] as usize].clone(),
        transform: found.transform[place],
        method: found.method[place],
        value: found.value[place],
        abs_value: found.abs_value[place],
        n: found.n[place],
        p_value: found.p_value[place],
        p_adjusted: found.p_adjusted[place],
        best_lag: found.best_lag[place],
        value_at_best_lag: found.value_at_best_lag[place],
    };
    Ok(FeatureTarget { rows: (0..found.value.len()).map(row).collect() })
}

/// `feature_target_correlations.csv`.
///
/// # Errors
///
/// As [`Folder::write`].
pub fn write_with_target(found: &FeatureTarget, folder: &Folder<'_>) -> Result<Option<String>, WriteError> {
    let rows = &found.rows;
    let numbers = |of: fn(&FeatureTargetRow) -> f64| TableColumn::Numbers(rows.iter().map(of).collect());
    folder.write(
        "feature_target_correlations.csv",
        vec![
            ("feature", Texts::of(rows.iter().map(|row| row.feature.as_str()))),
            ("transform", Texts::of(rows.iter().map(|row| row.transform.name()))),
            ("method", Texts::of(rows.iter().map(|row| row.method.name()))),
            ("value", numbers(|row| row.value)),
            ("abs_value", numbers(|row| row.abs_value)),
            ("n", TableColumn::Integers(rows.iter().map(|row| u64::from(row.n)).collect())),
            ("p_value", numbers(|row| row.p_value)),
            ("p_adj", numbers(|row| row.p_adjusted)),
            ("best_lag", numbers(|row| row.best_lag.map_or(f64::NAN, f64::from))),
            ("value_at_best_lag", numbers(|row| row.value_at_best_lag.unwrap_or(f64::NAN))),
        ],
    )
}
