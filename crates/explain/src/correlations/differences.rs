//! Changes within a series.

use serde::Serialize;

use crate::SeriesRows;

/// The transformation to which a measure applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Transform {
    /// The values themselves.
    Levels,
    /// The change of both columns from the row before.
    #[serde(rename = "differences")]
    FirstDifferences,
    /// The change of both columns from one season before.
    SeasonalDifferences,
}

impl Transform {
    /// The name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Levels => "levels",
            Self::FirstDifferences => "differences",
            Self::SeasonalDifferences => "seasonal_differences",
        }
    }
}

/// Half of the change over `distance` rows, so that it cannot overflow; NaN if the series has no earlier value.
pub(crate) fn half_differences(values: &[f64], series: &SeriesRows, distance: usize) -> Vec<f64> {
    let mut changes = vec![f64::NAN; values.len()];
    for range in series.ranges().filter(|range| range.len() > distance) {
        let values = &values[range.clone()];
        let (before, now) = (values, &values[distance..]);
        for (change, (before, now)) in changes[range][distance..].iter_mut().zip(before.iter().zip(now)) {
            *change = 0.5 * now - 0.5 * before;
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_stay_within_series_and_do_not_overflow() {
        let series = SeriesRows::new(vec![3, 4, 7]).unwrap();
        let changes = half_differences(&[1.0, 3.0, 7.0, 5.0, f64::MAX, -f64::MAX, f64::NAN], &series, 1);
        let expected = [f64::NAN, 1.0, 2.0, f64::NAN, f64::NAN, -f64::MAX, f64::NAN];
        for (found, expected) in changes.iter().zip(expected) {
            assert!(*found == expected || (found.is_nan() && expected.is_nan()), "{changes:?}");
        }
        assert!(half_differences(&[1.0; 7], &series, 3).iter().all(|change| change.is_nan()));
    }
}
