//! By how much a feature leads a target.

use std::ops::Range;

use super::within::standardise;
use crate::MIN_ROWS;

/// Values standardised within their series, with 0 for a missing value or a constant series.
#[derive(Debug)]
pub(super) struct Standardised {
    values: Vec<f64>,
    squares: Vec<f64>,
    /// 1, or 0 where the value is missing.
    present: Vec<f64>,
    /// Whether each series is complete.
    is_whole: Vec<bool>,
}

impl Standardised {
    /// `series` are the row ranges of the series.
    pub(super) fn new(values: &[f64], series: &[Range<usize>]) -> Self {
        let (mut scaled, mut present) = (vec![0.0; values.len()], vec![0.0; values.len()]);
        let is_whole = standardise(values, series.iter().cloned(), |row, value| {
            (scaled[row], present[row]) = (value, 1.0);
        });
        let squares = scaled.iter().map(|value| value * value).collect();
        Self { values: scaled, squares, present, is_whole }
    }
}

/// The lag up to `max_lag` in either direction with the largest absolute correlation, and that correlation. A positive
/// lag means that the feature comes first. Among equal correlations, the smaller lag wins.
///
/// Pairs never cross the end of a series, and each series is standardised separately, so that neither its level nor its
/// scale creates a correlation. None if no lag has 50 varying pairs.
pub(super) fn best_lag(
    feature: &Standardised,
    target: &Standardised,
    series: &[Range<usize>],
    max_lag: usize,
) -> Option<(i32, f64)> {
    let most = max_lag.min(i32::MAX as usize) as i32;
    let lags = (0..=most).flat_map(|lag| [lag, -lag]).skip(1);
    let mut best: Option<(i32, f64)> = None;
    for lag in lags {
        let distance = lag.unsigned_abs() as usize;
        let (first, second) = if lag >= 0 { (feature, target) } else { (target, feature) };
        if let Some(value) = lagged_correlation(first, second, series, distance)
            && best.is_none_or(|(_, most)| value.abs() > most.abs())
        {
            best = Some((lag, value));
        }
    }
    best
}

/// Correlation of values with those of the other column `distance` rows later.
fn lagged_correlation(
    first: &Standardised,
    second: &Standardised,
    series: &[Range<usize>],
    distance: usize,
) -> Option<f64> {
    let mut sums = [0.0; 6];
    for (index, range) in series.iter().enumerate().filter(|(_, range)| range.len() > distance) {
        let is_whole = first.is_whole[index] && second.is_whole[index];
        let found = if is_whole { whole_sums } else { pair_sums }(first, second, range.clone(), distance);
        for (sum, found) in sums.iter_mut().zip(found) {
            *sum += found;
        }
    }
    let [n, x, y, xx, yy, xy] = sums;
    if n < MIN_ROWS as f64 {
        return None;
    }
    let (x_squares, y_squares) = (xx - x * x / n, yy - y * y / n);
    // Values have a variance of 1; a much smaller sum of squares is rounding error.
    let varies = |squares: f64| squares > 1e-9 * n;
    let r = (xy - x * y / n) / (x_squares * y_squares).sqrt();
    (varies(x_squares) && varies(y_squares)).then(|| r.clamp(-1.0, 1.0))
}

/// Number and sums of x, y, x², y² and x·y over the rows of a series that have both.
fn pair_sums(x: &Standardised, y: &Standardised, range: Range<usize>, distance: usize) -> [f64; 6] {
    let (before, after) = (range.start..range.end - distance, range.start + distance..range.end);
    let (has_x, has_y) = (&x.present[before.clone()], &y.present[after.clone()]);
    let (x_values, y_values) = (&x.values[before.clone()], &y.values[after.clone()]);
    [
        dot(has_x, has_y),
        dot(x_values, has_y),
        dot(has_x, y_values),
        dot(&x.squares[before], has_y),
        dot(has_x, &y.squares[after]),
        dot(x_values, y_values),
    ]
}

/// The same for a complete series: its values sum to 0 and their squares to its length, so only the rows at its ends
/// have to be subtracted.
fn whole_sums(x: &Standardised, y: &Standardised, range: Range<usize>, distance: usize) -> [f64; 6] {
    let (before, after) = (range.start..range.end - distance, range.start + distance..range.end);
    let (x_without, y_without) = (before.end..range.end, range.start..after.start);
    let sum = |values: &[f64]| values.iter().sum::<f64>();
    let length = range.len() as f64;
    [
        length - distance as f64,
        -sum(&x.values[x_without.clone()]),
        -sum(&y.values[y_without.clone()]),
        length - sum(&x.squares[x_without]),
        length - sum(&y.squares[y_without]),
        dot(&x.values[before], &y.values[after]),
    ]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut lanes = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(rows: usize, kind: usize) -> Vec<f64> {
        (0..rows).map(|row| ((row * row * 37 + row * (11 + kind * 5)) % 101) as f64).collect()
    }

    #[test]
    fn whole_series_give_what_any_series_gives() {
        let series = [0..60, 60..60, 60..150];
        let x = Standardised::new(&noise(150, 1), &series);
        let y = Standardised::new(&noise(150, 2), &series);
        for (range, distance) in [(0..60, 0), (0..60, 7), (60..150, 89)] {
            let (whole, any) =
                (whole_sums(&x, &y, range.clone(), distance), pair_sums(&x, &y, range, distance));
            for (whole, any) in whole.into_iter().zip(any) {
                assert!((whole - any).abs() < 1e-11, "{whole} {any}");
            }
        }
        assert_eq!((x.is_whole, y.present[149]), (vec![true, false, true], 1.0));
    }

    #[test]
    fn a_lag_that_nothing_varies_at_is_passed_over() {
        // At lag 0, the only different value is where the other one is missing.
        let mut x = vec![2.0; 60];
        x[0] = 5.0;
        let mut y = noise(60, 1);
        y[0] = f64::NAN;
        let series = [0..60, 60..60];
        let found = best_lag(&Standardised::new(&x, &series), &Standardised::new(&y, &series), &series, 0);
        assert_eq!(found, None);
    }
}
