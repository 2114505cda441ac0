//! The results of a rolling regression, as columns.

use serde::Serialize;
use tabcast_statistics::{benjamini_hochberg, student_t_two_sided};

use super::changes::{Interval, Quantile, change};
use super::series_windows::Regressed;

/// A window whose regression explains less of the variance is flagged.
const WEAK: f64 = 0.2;

/// Coefficients window by window, and which of them change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RollingRegression {
    /// The names of the features, sorted by how strongly their changes correlate with those of the target.
    pub features: Vec<String>,
    /// Number of rows in a window.
    pub window: usize,
    /// One row per series, window and feature, in order of series, time and `features`. A feature that is constant in a
    /// window has no row for it.
    pub coefficients: Coefficients,
    /// One row per series and feature with coefficients in at least two windows.
    pub changes: CoefficientChanges,
    /// Indices of the series without a window: too short, too many missing values, or constant.
    pub left_out: Vec<u32>,
}

/// Columns of the same length.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Coefficients {
    /// Index of the series in the caller's order.
    pub series: Vec<u32>,
    /// First row of the window in the table of the caller.
    pub window_start: Vec<u64>,
    /// Last row of the window in the table of the caller.
    pub window_end: Vec<u64>,
    /// Index into `features`.
    pub feature: Vec<u32>,
    /// The change of the target in standard deviations if the feature changes by one of its own and the others stay
    /// constant; both deviations are those of the whole series.
    pub coefficient: Vec<f64>,
    /// After Newey and West.
    pub standard_error: Vec<f64>,
    /// Lower end of the 95 % interval.
    pub ci_low: Vec<f64>,
    /// Upper end of the 95 % interval.
    pub ci_high: Vec<f64>,
    /// Coefficient divided by its standard error.
    pub t: Vec<f64>,
    /// P value of a zero coefficient, by Student's t.
    pub p_value: Vec<f64>,
    /// Adjusted after Benjamini and Hochberg over all rows.
    pub p_adjusted: Vec<f64>,
    /// Share of the target's variance in the window that the regression explains; the same for all features of a
    /// window.
    pub r2: Vec<f64>,
    /// Variance inflation factor in the window, at least 1; 1,000,000 if a feature is a combination of the others.
    pub vif: Vec<f64>,
    /// Whether `r2` is below .2.
    pub weak: Vec<bool>,
}

/// Columns of the same length. The compared intervals hold jointly for all windows with 95 %, so they are wider than
/// those of [`Coefficients`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CoefficientChanges {
    /// Index of the series in the caller's order.
    pub series: Vec<u32>,
    /// Index into `features`.
    pub feature: Vec<u32>,
    /// Number of windows with a coefficient.
    pub windows: Vec<u32>,
    /// The smallest coefficient.
    pub least: Vec<f64>,
    /// The largest coefficient.
    pub most: Vec<f64>,
    /// Whether one interval lies below zero and another above.
    pub sign_change: Vec<bool>,
    /// Whether two intervals do not overlap.
    pub separate_intervals: Vec<bool>,
}

impl RollingRegression {
    pub(super) fn new(features: Vec<String>, window: usize, found: &[Option<Regressed>]) -> Self {
        let (mut coefficients, mut changes) = (Coefficients::default(), CoefficientChanges::default());
        let mut left_out = Vec::new();
        let mut quantile = Quantile::new(0.975);
        for (series, found) in found.iter().enumerate() {
            let Some(regressed) = found else {
                left_out.push(series as u32);
                continue;
            };
            let mut intervals = vec![Vec::new(); features.len()];
            coefficients.add(series, regressed, &mut quantile, &mut intervals);
            changes.add(series, &intervals);
        }
        coefficients.p_adjusted = benjamini_hochberg(&coefficients.p_value);
        Self { features, window, coefficients, changes, left_out }
    }
}

impl Coefficients {
    fn add(
        &mut self,
        series: usize,
        found: &Regressed,
        quantile: &mut Quantile,
        intervals: &mut [Vec<Interval>],
    ) {
        for (rows, fit) in &found.windows {
            for estimate in &fit.estimates {
                let (coefficient, standard_error) = (estimate.coefficient, estimate.standard_error);
                let t = coefficient / standard_error;
                // A standard error of zero is meaningless.
                if !t.is_finite() {
                    continue;
                }
                let half = quantile.at(fit.degrees) * standard_error;
                self.series.push(series as u32);
                self.window_start.push(rows.start as u64);
                self.window_end.push(rows.end as u64 - 1);
                self.feature.push(estimate.column as u32);
                self.coefficient.push(coefficient);
                self.standard_error.push(standard_error);
                self.ci_low.push(coefficient - half);
                self.ci_high.push(coefficient + half);
                self.t.push(t);
                self.p_value.push(student_t_two_sided(t, fit.degrees));
                self.r2.push(fit.r2);
                self.vif.push(estimate.vif);
                self.weak.push(fit.r2 < WEAK);
                intervals[estimate.column].push(Interval {
                    coefficient,
                    standard_error,
                    degrees: fit.degrees,
                });
            }
        }
    }
}

impl CoefficientChanges {
    fn add(&mut self, series: usize, intervals: &[Vec<Interval>]) {
        for (feature, intervals) in intervals.iter().enumerate().filter(|(_, intervals)| intervals.len() > 1)
        {
            let change = change(intervals);
            self.series.push(series as u32);
            self.feature.push(feature as u32);
            self.windows.push(intervals.len() as u32);
            self.least.push(change.least);
            self.most.push(change.most);
            self.sign_change.push(change.changes_sign);
            self.separate_intervals.push(change.is_separate);
        }
    }
}
