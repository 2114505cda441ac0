//! Associations between the columns, pair by pair.

use std::borrow::Cow;

use rayon::prelude::*;
use serde::Serialize;

use super::association::Method;
use super::clusters::clustered_order;
use super::column::Column;
use super::sample::Sample;
use super::within::within_series;
use crate::correlations::associate::associations;
use crate::{Features, SeriesRows, Skip, Stop};

/// Pairs with at least this association are flagged as redundant.
pub(crate) const REDUNDANT: f64 = 0.9;
/// Significance is required because a correlation ratio or Cramér's V with many levels is close to 1 by chance.
const SIGNIFICANT: f64 = 0.05;

/// Limits of the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureFeatureOptions {
    /// Maximum number of columns.
    pub max_features: usize,
    /// Maximum number of rows, evenly spaced.
    pub max_rows: usize,
}

impl Default for FeatureFeatureOptions {
    fn default() -> Self {
        Self { max_features: 50, max_rows: 10_000 }
    }
}

/// The measures of all pairs that have one, and their columns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureFeature {
    /// The names of the compared columns, in the order of the caller.
    pub features: Vec<String>,
    /// Indices into `features` in an order for a heat map: average-linkage clusters by 1 - |value| (the larger measure
    /// for numeric columns), with a distance of 1 where there is no measure.
    pub order: Vec<u32>,
    /// One row per measure and pair; two numeric columns have two measures. A pair has no row if fewer than 50 rows
    /// have both values, or if a column is constant in these, or has a different category in each.
    pub pairs: FeaturePairs,
    /// The names of columns without two different values.
    pub constant: Vec<String>,
    /// The names of columns beyond `max_features`: those with the fewest values, and the last ones among equals.
    pub beyond_limit: Vec<String>,
    /// Number of rows examined.
    pub rows: usize,
}

/// Columns of the same length.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FeaturePairs {
    /// Index into `features`.
    pub feature_a: Vec<u32>,
    /// Index into `features`, greater than `feature_a`.
    pub feature_b: Vec<u32>,
    /// The measure in `value`.
    pub method: Vec<Method>,
    /// The measure; see [`Method`] for its range.
    pub value: Vec<f64>,
    /// Number of rows with both values.
    pub n: Vec<u32>,
    /// P value of no association, assuming independent rows; not adjusted for the number of pairs.
    pub p_value: Vec<f64>,
    /// Whether |value| is at least .9, with a p value below .05.
    pub redundant: Vec<bool>,
}

/// Measures the association of every two columns over the rows that have both. With several `series`, numbers are
/// standardised within their series.
///
/// # Errors
///
/// [`Skip::NoFeatures`] without a varying column, [`Skip::NotEnoughRows`] if no pair has 50 rows or there is no pair,
/// [`Skip::Timeout`] if `stop` returns true.
///
/// # Panics
///
/// If `series` and `features` differ in their number of rows.
pub fn feature_feature(
    features: &Features,
    series: Option<&SeriesRows>,
    options: &FeatureFeatureOptions,
    stop: Stop<'_>,
) -> Result<FeatureFeature, Skip> {
    assert!(series.is_none_or(|series| series.rows() == features.rows()), "rows of the series");
    let sample = Sample::of_rows(features.rows(), options.max_rows);
    let prepared: Vec<Column<'_>> = features
        .columns()
        .par_iter()
        .map(|feature| {
            if stop() {
                return Err(Skip::Timeout);
            }
            Ok(match within_series(Cow::Borrowed(&feature.values), series) {
                Cow::Borrowed(values) => Column::new(sample.of(values)),
                Cow::Owned(values) => Column::new(Cow::Owned(sample.of(&values).into_owned())),
            })
        })
        .collect::<Result<_, _>>()?;
    let name = |place: usize| features.columns()[place].name.clone();
    let (mut kept, constant): (Vec<usize>, Vec<usize>) =
        (0..prepared.len()).partition(|&place| prepared[place].varies());
    if kept.len() < 2 {
        return Err(Skip::NoFeatures);
    }
    kept.sort_by_key(|&place| std::cmp::Reverse(prepared[place].present()));
    let mut beyond = kept.split_off(kept.len().min(options.max_features));
    kept.sort_unstable();
    beyond.sort_unstable();

    let count = kept.len();
    let places: Vec<(usize, usize)> = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect();
    let found: Vec<_> = places
        .par_iter()
        .map(|&(a, b)| {
            if stop() { Err(Skip::Timeout) } else { Ok(associations(&prepared[kept[a]], &prepared[kept[b]])) }
        })
        .collect::<Result<_, _>>()?;
    let (mut pairs, mut distances) = (FeaturePairs::default(), vec![1.0_f64; count * count]);
    for (&(a, b), measures) in places.iter().zip(found) {
        for measure in measures {
            pairs.feature_a.push(a as u32);
            pairs.feature_b.push(b as u32);
            pairs.method.push(measure.method);
            pairs.value.push(measure.value);
            pairs.n.push(measure.n as u32);
            pairs.p_value.push(measure.p_value);
            pairs.redundant.push(measure.value.abs() >= REDUNDANT && measure.p_value < SIGNIFICANT);
            let distance = distances[a * count + b].min(1.0 - measure.value.abs());
            distances[a * count + b] = distance;
            distances[b * count + a] = distance;
        }
    }
    if pairs.value.is_empty() {
        return Err(Skip::NotEnoughRows);
    }
    Ok(FeatureFeature {
        features: kept.iter().map(|&place| name(place)).collect(),
        order: clustered_order(distances, count),
        pairs,
        constant: constant.into_iter().map(name).collect(),
        beyond_limit: beyond.into_iter().map(name).collect(),
        rows: features.rows().min(options.max_rows),
    })
}
