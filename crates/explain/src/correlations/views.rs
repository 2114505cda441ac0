//! The target in levels and changes.

use std::borrow::Cow;
use std::ops::Range;

use super::column::Column;
use super::differences::{Transform, half_differences};
use super::lags::{Standardised, best_lag};
use super::within::{numbers_within, within_series};
use crate::{SeriesRows, Values};

/// A transformation of the target, computed once for all features.
pub(super) struct View<'a> {
    pub(super) transform: Transform,
    /// Number of rows that a change spans.
    pub(super) distance: usize,
    pub(super) target: Column<'a>,
    pub(super) lags: Option<LagView>,
}

pub(super) struct LagView {
    /// The rows of each series that can have a value.
    series: Vec<Range<usize>>,
    target: Standardised,
}

impl LagView {
    fn new(values: &[f64], series: &SeriesRows, distance: usize) -> Self {
        let series: Vec<_> =
            series.ranges().map(|range| range.end.min(range.start + distance)..range.end).collect();
        Self { target: Standardised::new(values, &series), series }
    }

    /// See [`best_lag`].
    pub(super) fn best(&self, feature: &[f64], max_lag: usize) -> Option<(i32, f64)> {
        best_lag(&Standardised::new(feature, &self.series), &self.target, &self.series, max_lag)
    }
}

/// Pooled changes: those of several series are standardised.
pub(super) fn pooled(changes: Vec<f64>, series: &SeriesRows) -> Vec<f64> {
    if series.count() > 1 { numbers_within(&changes, series) } else { changes }
}

/// Levels, and for numbers in series both kinds of changes; seasonal changes only if there is a season.
pub(super) fn views<'a>(target: &'a Values, series: Option<&SeriesRows>, season: usize) -> Vec<View<'a>> {
    let levels = Column::new(within_series(Cow::Borrowed(target), series));
    let transform = Transform::Levels;
    let (Values::Numbers(numbers), Some(series)) = (target, series) else {
        return vec![View { transform, distance: 0, target: levels, lags: None }];
    };
    let lags = |values: &[f64], distance| Some(LagView::new(values, series, distance));
    let mut views = vec![View { transform, distance: 0, target: levels, lags: lags(numbers, 0) }];
    let transforms = [(Transform::FirstDifferences, 1), (Transform::SeasonalDifferences, season)];
    for (transform, distance) in transforms.into_iter().take(if season > 1 { 2 } else { 1 }) {
        let changes = half_differences(numbers, series, distance);
        let lags = lags(&changes, distance);
        let target = Column::numbers(Cow::Owned(pooled(changes, series)));
        views.push(View { transform, distance, target, lags });
    }
    views
}
