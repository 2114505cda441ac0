//! Associations between the columns and the target.

use std::borrow::Cow;

use rayon::prelude::*;
use serde::Serialize;
use tabcast_statistics::benjamini_hochberg;

use super::association::{Association, Method};
use super::column::{Cells, Column};
use super::differences::{Transform, half_differences};
use super::sample::Sample;
use super::views::{View, pooled, views};
use super::within::within_series;
use crate::correlations::associate::associations;
use crate::{Features, MIN_ROWS, SeriesRows, Skip, Stop, Values};

/// Limits of the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureTargetOptions {
    /// Maximum number of rows: evenly spaced, or whole series if there are series.
    pub max_rows: usize,
    /// Season length in rows; below 2 for none.
    pub season: usize,
    /// The largest lag in either direction.
    pub max_lag: usize,
}

impl Default for FeatureTargetOptions {
    fn default() -> Self {
        Self { max_rows: 100_000, season: 0, max_lag: 12 }
    }
}

/// Columns of the same length: one row for each feature, transformation and method that has a measure.
///
/// A feature has no row if fewer than 50 rows have both values, or if either is constant in these. Only two numeric
/// columns have differences. P values assume independent rows. Levels of series are not independent, so two growing
/// series have small p values; their differences guard against that.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FeatureTarget {
    /// The names of all columns, in the order of the caller.
    pub features: Vec<String>,
    /// Index into `features`, ascending.
    pub feature: Vec<u32>,
    /// The transformation of both columns.
    pub transform: Vec<Transform>,
    /// The measure in `value`.
    pub method: Vec<Method>,
    /// The measure over all rows together, with numbers of several series standardised within their series; see
    /// [`Method`] for its range.
    pub value: Vec<f64>,
    /// Absolute value of `value`.
    pub abs_value: Vec<f64>,
    /// Number of rows with both values.
    pub n: Vec<u32>,
    /// P value of no association.
    pub p_value: Vec<f64>,
    /// Adjusted after Benjamini and Hochberg over all features with the same transformation; Spearman's rho is adjusted
    /// separately.
    pub p_adjusted: Vec<f64>,
    /// Number of rows by which the feature best leads the target; null except for Pearson's r in series, and if no lag
    /// has 50 varying pairs.
    pub best_lag: Vec<Option<i32>>,
    /// Pearson's r at that lag, of values standardised within their series; at lag 0 it equals `value`.
    pub value_at_best_lag: Vec<Option<f64>>,
}

struct Row {
    feature: usize,
    transform: Transform,
    measure: Association,
    lag: Option<(i32, f64)>,
}

/// Measures the association of every column with `target`, whose values belong to the same rows; with `series`, also
/// that of the changes within each series, and the best lag.
///
/// # Errors
///
/// [`Skip::NotEnoughRows`] if the target, or every feature with it, has fewer than 50 rows; [`Skip::NoFeatures`] if the
/// target or all features are constant; [`Skip::Timeout`] if `stop` returns true.
///
/// # Panics
///
/// If `target` or `series` and `features` differ in their number of rows.
pub fn feature_target(
    features: &Features,
    target: &Values,
    series: Option<&SeriesRows>,
    options: &FeatureTargetOptions,
    stop: Stop<'_>,
) -> Result<FeatureTarget, Skip> {
    assert_eq!(features.rows(), target.len(), "rows of the target");
    assert!(series.is_none_or(|series| series.rows() == target.len()), "rows of the series");
    let (sample, series) = match series {
        Some(series) => {
            let (sample, series) = Sample::of_series(series, options.max_rows);
            (sample, Some(series))
        }
        None => (Sample::of_rows(features.rows(), options.max_rows), None),
    };
    let target = sample.of(target);
    let views = views(&target, series.as_ref(), options.season);
    if views[0].target.present() < MIN_ROWS {
        return Err(Skip::NotEnoughRows);
    }
    let found: Vec<(bool, Vec<Row>)> = features
        .columns()
        .par_iter()
        .enumerate()
        .map(|(place, feature)| {
            measured(place, &sample.of(&feature.values), &views, series.as_ref(), options.max_lag, stop)
        })
        .collect::<Result<_, _>>()?;
    if !views[0].target.varies() || !found.iter().any(|(varies, _)| *varies) {
        return Err(Skip::NoFeatures);
    }
    let rows: Vec<Row> = found.into_iter().flat_map(|(_, rows)| rows).collect();
    if rows.is_empty() {
        return Err(Skip::NotEnoughRows);
    }
    let names = features.columns().iter().map(|column| column.name.clone()).collect();
    Ok(table(names, &rows))
}

/// Whether the feature varies, and its measures.
fn measured(
    feature: usize,
    values: &Values,
    views: &[View<'_>],
    series: Option<&SeriesRows>,
    max_lag: usize,
    stop: Stop<'_>,
) -> Result<(bool, Vec<Row>), Skip> {
    let levels = Column::new(within_series(Cow::Borrowed(values), series));
    if !levels.varies() {
        return Ok((false, Vec::new()));
    }
    let mut rows = Vec::new();
    for view in views {
        if stop() {
            return Err(Skip::Timeout);
        }
        let (transform, distance) = (view.transform, view.distance);
        let changes;
        let column = match (values, series) {
            _ if distance == 0 => &levels,
            (Values::Numbers(numbers), Some(series)) => {
                let raw = half_differences(numbers, series, distance);
                changes = Column::numbers(Cow::Owned(pooled(raw, series)));
                &changes
            }
            _ => continue,
        };
        // Standardising twice changes nothing.
        let lag = match (&column.cells, &view.lags) {
            (Cells::Numbers(numbers), Some(lags)) => lags.best(numbers, max_lag),
            _ => None,
        };
        rows.extend(associations(column, &view.target).into_iter().map(|measure| {
            let lag = lag.filter(|_| measure.method == Method::Pearson);
            Row { feature, transform, measure, lag }
        }));
    }
    Ok((true, rows))
}

fn table(features: Vec<String>, rows: &[Row]) -> FeatureTarget {
    let column = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
    FeatureTarget {
        features,
        feature: rows.iter().map(|row| row.feature as u32).collect(),
        transform: rows.iter().map(|row| row.transform).collect(),
        method: rows.iter().map(|row| row.measure.method).collect(),
        value: column(&|row| row.measure.value),
        abs_value: column(&|row| row.measure.value.abs()),
        n: rows.iter().map(|row| row.measure.n as u32).collect(),
        p_value: column(&|row| row.measure.p_value),
        p_adjusted: adjusted(rows),
        best_lag: rows.iter().map(|row| row.lag.map(|(lag, _)| lag)).collect(),
        value_at_best_lag: rows.iter().map(|row| row.lag.map(|(_, value)| value)).collect(),
    }
}

/// Each feature counts once in a family of tests.
fn adjusted(rows: &[Row]) -> Vec<f64> {
    let mut adjusted = vec![1.0; rows.len()];
    let transforms = [Transform::Levels, Transform::FirstDifferences, Transform::SeasonalDifferences];
    for (transform, by_rank) in
        transforms.into_iter().flat_map(|transform| [(transform, false), (transform, true)])
    {
        let is_member =
            |row: &Row| row.transform == transform && (row.measure.method == Method::Spearman) == by_rank;
        let family: Vec<usize> = (0..rows.len()).filter(|&index| is_member(&rows[index])).collect();
        let p_values: Vec<f64> = family.iter().map(|&index| rows[index].measure.p_value).collect();
        for (index, value) in family.into_iter().zip(benjamini_hochberg(&p_values)) {
            adjusted[index] = value;
        }
    }
    adjusted
}
