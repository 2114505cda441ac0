//! What a rolling regression found, as columns.

use serde::Serialize;
use tabcast_statistics::{benjamini_hochberg, student_t_two_sided};

use super::changes::{Interval, Quantile, change};
use super::series_windows::Regressed;

/// A window whose regression explains less of the variance is marked.
const WEAK: f64 = 0.2;

/// Coefficients window by window, and which of them change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RollingRegression {
    /// The names of the features, the one whose changes go most with those of the target first.
    pub features: Vec<String>,
    /// How many rows a window covers.
    pub window: usize,
    /// A feature in a window of a series a row, in order of series, time and `features`. A feature that is constant
    /// in a window has no row for it.
    pub coefficients: Coefficients,
    /// A feature in a series a row, where it has coefficients in two windows or more.
    pub changes: CoefficientChanges,
    /// Places of the series without a window: too short, too many values missing, or nothing varies.
    pub left_out: Vec<u32>,
}

/// Columns of the same length.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Coefficients {
    /// Place among the series of the caller.
    pub series: Vec<u32>,
    /// First row of the window in the table of the caller.
    pub window_start: Vec<u64>,
    /// Last row of the window in the table of the caller.
    pub window_end: Vec<u64>,
    /// Place in `features`.
    pub feature: Vec<u32>,
    /// By how many of its standard deviations the target differs where the feature differs by one of its own, the
    /// others being equal; both deviations are those of the whole series.
    pub coefficient: Vec<f64>,
    /// By Newey and West.
    pub standard_error: Vec<f64>,
    /// Lower end of the 95 % interval.
    pub ci_low: Vec<f64>,
    /// Upper end of the 95 % interval.
    pub ci_high: Vec<f64>,
    /// Coefficient by standard error.
    pub t: Vec<f64>,
    /// Of a coefficient of zero, by Student's t.
    pub p_value: Vec<f64>,
    /// Adjusted by Benjamini and Hochberg over all rows.
    pub p_adjusted: Vec<f64>,
    /// Share of the target's variance in the window that the regression explains; the same for all features of a
    /// window.
    pub r2: Vec<f64>,
    /// Variance inflation factor in the window, from 1; 1,000,000 where a feature is a combination of the others.
    pub vif: Vec<f64>,
    /// Whether `r2` is below .2.
    pub weak: Vec<bool>,
}

/// Columns of the same length. Intervals are compared at a level at which those of all windows hold together with 95
/// %, so they are wider than those of [`Coefficients`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CoefficientChanges {
    /// Place among the series of the caller.
    pub series: Vec<u32>,
    /// Place in `features`.
    pub feature: Vec<u32>,
    /// How many windows have a coefficient.
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
                // A standard error of zero says nothing.
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
