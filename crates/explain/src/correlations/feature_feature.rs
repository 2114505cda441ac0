//! How the columns go together, pair by pair.

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

/// From here on a pair is flagged as redundant.
pub(crate) const REDUNDANT: f64 = 0.9;
/// A correlation ratio or Cramér's V of many levels is near 1 by chance alone.
const SIGNIFICANT: f64 = 0.05;

/// How much is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureFeatureOptions {
    /// The most columns.
    pub max_features: usize,
    /// The most rows, taken evenly.
    pub max_rows: usize,
}

impl Default for FeatureFeatureOptions {
    fn default() -> Self {
        Self { max_features: 50, max_rows: 10_000 }
    }
}

/// The measures of all pairs that have one, and the columns that they are of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureFeature {
    /// The names of the columns that were compared, in the order of the caller.
    pub features: Vec<String>,
    /// Places in `features` in an order for a heat map: average-linkage clusters by 1 - |value|, of numbers the
    /// larger of the two measures, with a distance of 1 where there is none.
    pub order: Vec<u32>,
    /// A measure of a pair a row; two numeric columns have two. A pair without a row has fewer than 50 rows with both
    /// values, or one column does not vary in these, or is another category in each.
    pub pairs: FeaturePairs,
    /// The names of columns without two different values.
    pub constant: Vec<String>,
    /// The names of columns beyond `max_features`: those with the fewest values, the last ones where these are equal.
    pub beyond_limit: Vec<String>,
    /// How many rows were looked at.
    pub rows: usize,
}

/// Columns of the same length.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FeaturePairs {
    /// Place in `features`.
    pub feature_a: Vec<u32>,
    /// Place in `features`, beyond that of `feature_a`.
    pub feature_b: Vec<u32>,
    /// What `value` is.
    pub method: Vec<Method>,
    /// The measure; see [`Method`] for its range.
    pub value: Vec<f64>,
    /// How many rows have both values.
    pub n: Vec<u32>,
    /// Of no association, as if rows were drawn independently; not adjusted for the count of pairs.
    pub p_value: Vec<f64>,
    /// Whether |value| is at least .9, with a p value below .05.
    pub redundant: Vec<bool>,
}

/// Measures the association of every two columns, over the rows that have both. With several `series`, numbers are in
/// standard deviations from the mean of their series.
///
/// # Errors
///
/// [`Skip::NoFeatures`] without a column that varies, [`Skip::NotEnoughRows`] where no pair has 50 rows or there is
/// no pair, [`Skip::Timeout`] when `stop` says so.
///
/// # Panics
///
/// When `series` have another count of rows than `features`.
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
