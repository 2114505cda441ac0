//! Tests whether coefficients differ between windows.

use tabcast_statistics::student_t_quantile;

/// Joint level of all intervals of a feature in a series.
const LEVEL: f64 = 0.95;

/// The estimate of a coefficient in a window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) coefficient: f64,
    pub(super) standard_error: f64,
    pub(super) degrees: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Change {
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) changes_sign: bool,
    pub(super) is_separate: bool,
}

/// Compares the intervals of a coefficient in all windows, widened by Bonferroni's inequality so that all of them hold
/// jointly with 95 %: with many separate 95 % intervals, some would not overlap by chance.
pub(super) fn change(intervals: &[Interval]) -> Change {
    let mut quantile = Quantile::new(1.0 - (1.0 - LEVEL) / (2.0 * intervals.len().max(1) as f64));
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    let ((mut least, mut most), (mut lowest_high, mut highest_low)) = (start, start);
    for interval in intervals {
        let half = quantile.at(interval.degrees) * interval.standard_error;
        least = least.min(interval.coefficient);
        most = most.max(interval.coefficient);
        lowest_high = lowest_high.min(interval.coefficient + half);
        highest_low = highest_low.max(interval.coefficient - half);
    }
    Change {
        least,
        most,
        changes_sign: lowest_high < 0.0 && highest_low > 0.0,
        is_separate: lowest_high < highest_low,
    }
}

/// A quantile of Student's t, cached because the same degrees of freedom recur.
#[derive(Debug)]
pub(super) struct Quantile {
    level: f64,
    degrees: f64,
    value: f64,
}

impl Quantile {
    pub(super) fn new(level: f64) -> Self {
        Self { level, degrees: f64::NAN, value: f64::NAN }
    }

    pub(super) fn at(&mut self, degrees: f64) -> f64 {
        if degrees != self.degrees {
            self.degrees = degrees;
            self.value = student_t_quantile(self.level, degrees);
        }
        self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(coefficient: f64) -> Interval {
        Interval { coefficient, standard_error: 0.1, degrees: 50.0 }
    }

    #[test]
    fn only_what_lies_clearly_apart_is_a_change() {
        let same = change(&[interval(0.1), interval(-0.1)]);
        assert!(!same.changes_sign && !same.is_separate);
        assert_eq!((same.least, same.most), (-0.1, 0.1));
        let grown = change(&[interval(0.5), interval(1.5)]);
        assert!(!grown.changes_sign && grown.is_separate);
        let turned = change(&[interval(-0.5), interval(0.0), interval(0.5)]);
        assert!(turned.changes_sign && turned.is_separate);
    }

    #[test]
    fn intervals_are_wider_where_there_are_more_of_them() {
        // Half an interval is 0.23 for two windows and 0.34 for 40.
        assert!(change(&[interval(-0.25), interval(0.25)]).is_separate);
        let many: Vec<Interval> = [-0.25, 0.25].into_iter().chain([0.0; 38]).map(interval).collect();
        assert!(!change(&many).is_separate);
    }
}
