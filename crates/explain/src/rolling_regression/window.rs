//! Ridge regression in one window.

use tabcast_statistics::{factorise_positive_definite, solve_factorised};

use super::newey_west::long_run_products;

/// Added to the diagonal of the correlation matrix.
pub(super) const RIDGE: f64 = 1e-3;
/// A larger inflation is treated as that of a column that is a combination of the others.
pub(super) const MOST_INFLATION: f64 = 1e6;
/// In standard deviations of the series; smaller variation within a window is rounding error.
const CONSTANT: f64 = 1e-8;

/// A coefficient in the units of the rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    /// Index among the features.
    pub(super) column: usize,
    pub(super) coefficient: f64,
    pub(super) standard_error: f64,
    /// Variance inflation factor, at least 1.
    pub(super) vif: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fit {
    /// Estimates for the columns that vary in the window.
    pub(super) estimates: Vec<Estimate>,
    pub(super) r2: f64,
    /// Degrees of freedom: rows minus coefficients and intercept.
    pub(super) degrees: f64,
}

/// Regresses the last of `width` columns on the others, with an intercept, over the rows that are present.
///
/// Columns are standardised in the window, so that `ridge` has the same weight for each; results are in the units of
/// `rows`, which are stored row by row. None if the target or all features are constant, or if there are too few rows.
///
/// Source: Hoerl and Kennard, Technometrics 12 (1970); standard errors as in [`long_run_products`], times n / (n - p
/// - 1).
pub(super) fn fit(rows: &[f64], present: &[bool], width: usize, ridge: f64) -> Option<Fit> {
    let n = present.iter().filter(|&&is_present| is_present).count();
    let spread = spread(rows, present, width);
    let (target, features) = spread.split_last()?;
    let used: Vec<usize> = (0..features.len()).filter(|&column| features[column].1 > CONSTANT).collect();
    let p = used.len();
    if p == 0 || target.1 <= CONSTANT || n < p + 2 {
        return None;
    }
    let standardised = |column: usize, row: usize| {
        let (mean, deviation) = spread[column];
        (rows[row * width + column] - mean) / deviation
    };
    // The features in use and the target, with zeros for missing rows.
    let mut window = vec![0.0; present.len() * (p + 1)];
    for row in (0..present.len()).filter(|&row| present[row]) {
        for (place, &column) in used.iter().chain([&(width - 1)]).enumerate() {
            window[row * (p + 1) + place] = standardised(column, row);
        }
    }
    let products = correlations(&window, p + 1, n);
    let correlation = |a: usize, b: usize| products[a * (p + 1) + b];
    let shifted = |shift: f64| -> Vec<f64> {
        (0..p * p)
            .map(|at| correlation(at / p, at % p) + if at / p == at % p { shift } else { 0.0 })
            .collect()
    };
    let inverse = inverted(shifted(ridge), p)?;
    let slopes: Vec<f64> =
        (0..p).map(|a| (0..p).map(|b| inverse[a * p + b] * correlation(b, p)).sum()).collect();

    let mut unexplained = 0.0;
    let mut scores = vec![0.0; present.len() * p];
    for (row, scores) in window.chunks_exact(p + 1).zip(scores.chunks_exact_mut(p)) {
        let (x, y) = (&row[..p], row[p]);
        let residual = y - x.iter().zip(&slopes).map(|(x, slope)| x * slope).sum::<f64>();
        unexplained += residual * residual;
        scores.iter_mut().zip(x).for_each(|(score, x)| *score = x * residual);
    }
    let middle = long_run_products(&scores, p, n);
    let degrees = (n - p - 1) as f64;
    let small_sample = n as f64 / degrees / (n as f64).powi(2);
    let inflation = inverted(shifted(0.0), p);
    let estimates = used.iter().enumerate().map(|(place, &column)| {
        let bread = &inverse[place * p..][..p];
        let variance: f64 =
            (0..p * p).map(|at| bread[at / p] * middle[at] * bread[at % p]).sum::<f64>() * small_sample;
        let unit = target.1 / spread[column].1;
        let vif = inflation.as_ref().map_or(MOST_INFLATION, |inverse| inverse[place * p + place]);
        Estimate {
            column,
            coefficient: slopes[place] * unit,
            standard_error: variance.max(0.0).sqrt() * unit,
            vif: vif.clamp(1.0, MOST_INFLATION),
        }
    });
    Some(Fit { estimates: estimates.collect(), r2: (1.0 - unexplained / n as f64).clamp(0.0, 1.0), degrees })
}

/// Mean and standard deviation (of n) of each column over the rows that are present.
fn spread(rows: &[f64], present: &[bool], width: usize) -> Vec<(f64, f64)> {
    let known =
        || rows.chunks_exact(width).zip(present).filter(|(_, is_present)| **is_present).map(|(row, _)| row);
    let n = known().count().max(1) as f64;
    let mut spread = vec![(0.0, 0.0); width];
    for row in known() {
        spread.iter_mut().zip(row).for_each(|(column, value)| column.0 += value / n);
    }
    for row in known() {
        spread.iter_mut().zip(row).for_each(|(column, value)| column.1 += (value - column.0).powi(2) / n);
    }
    spread.into_iter().map(|(mean, square)| (mean, square.sqrt())).collect()
}

/// The correlation matrix of `width` standardised columns.
fn correlations(window: &[f64], width: usize, n: usize) -> Vec<f64> {
    let mut sums = vec![0.0; width * width];
    for row in window.chunks_exact(width) {
        for a in 0..width {
            for b in 0..=a {
                sums[a * width + b] += row[a] * row[b];
            }
        }
    }
    (0..width * width)
        .map(|at| {
            let (a, b) = (at / width, at % width);
            if a == b { 1.0 } else { sums[a.max(b) * width + a.min(b)] / n as f64 }
        })
        .collect()
}

fn inverted(mut matrix: Vec<f64>, order: usize) -> Option<Vec<f64>> {
    if !factorise_positive_definite(&mut matrix, order) {
        return None;
    }
    let mut inverse = vec![0.0; order * order];
    for (place, column) in inverse.chunks_exact_mut(order).enumerate() {
        column[place] = 1.0;
        solve_factorised(&matrix, column);
    }
    Some(inverse)
}

#[cfg(test)]
mod tests;
