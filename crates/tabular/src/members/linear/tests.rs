//! Optima of the penalised losses. The reference weights are scikit-learn 1.9.1's: `ElasticNet(alpha=PENALTY,
//! l1_ratio=0.5, tol=1e-14)` and `LogisticRegression(C=1 / (rows * PENALTY), l1_ratio=0.5, solver="saga",
//! tol=1e-13)`, both on columns standardised by the standard deviation of the population.

use proptest::prelude::*;
use tabcast_statistics::random::{bits, normal};
use tabcast_trees::Feature;

use super::columns::Columns;
use super::penalty::Penalty;
use super::ridge::Products;
use super::{logistic, ridge};
use crate::Matrix;

fn matrix(columns: Vec<Vec<f64>>) -> Matrix {
    let rows = columns[0].len();
    let features = (0..columns.len()).map(|number| Feature::numeric(number.to_string())).collect();
    Matrix { features, sources: (0..columns.len()).collect(), columns, rows }
}

/// Columns with a common component, one of them constant.
fn random(seed: u64, rows: usize, width: usize) -> Matrix {
    let column = |number: u64| -> Vec<f64> {
        let value = |row: u64| normal(bits(seed, number), row) + 0.7 * normal(seed, row);
        (0..rows as u64).map(|row| if number == 1 { 4.0 } else { 3.0 * value(row) + 1.0 }).collect()
    };
    matrix((0..width as u64).map(column).collect())
}

fn centred_values(matrix: &Matrix, seed: u64) -> Vec<f64> {
    let noise = |row: usize| 5.0 * normal(seed + 1, row as u64);
    let values: Vec<f64> = (0..matrix.rows)
        .map(|row| 2.0 * matrix.columns[0][row] - matrix.columns[2][row] + noise(row))
        .collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| value - mean).collect()
}

fn labels(matrix: &Matrix, seed: u64, classes: u32) -> Vec<u32> {
    let class = |value: &f64| ((value / 6.0 + f64::from(classes) / 2.0).max(0.0) as u32).min(classes - 1);
    centred_values(matrix, seed).iter().map(class).collect()
}

/// At the optimum, the slope of the unpenalised loss is at most the weight of the absolute values where a weight is
/// zero, and the negative slope of the penalty elsewhere.
fn largest_violation(slopes: &[f64], weights: &[f64], penalty: Penalty) -> f64 {
    let violation = |(slope, weight): (&f64, &f64)| {
        if *weight == 0.0 {
            (slope.abs() - penalty.absolute).max(0.0)
        } else {
            (slope + penalty.absolute * weight.signum() + penalty.square * weight).abs()
        }
    };
    slopes.iter().zip(weights).map(violation).fold(0.0, f64::max)
}

/// The slopes of half the mean squared error, computed from the rows.
fn slopes_of_squares(columns: &Columns<'_>, centred: &[f64], weights: &[f64]) -> Vec<f64> {
    let standardised = |place: usize, row: usize| {
        (columns.borrowed[place][row] - columns.means[place]) * columns.scales[place]
    };
    let residuals: Vec<f64> = (0..columns.rows)
        .map(|row| {
            weights.iter().enumerate().map(|(place, weight)| weight * standardised(place, row)).sum::<f64>()
                - centred[row]
        })
        .collect();
    (0..weights.len())
        .map(|place| {
            residuals
                .iter()
                .enumerate()
                .map(|(row, residual)| residual * standardised(place, row))
                .sum::<f64>()
                / columns.rows as f64
        })
        .collect()
}

const LIMITS: (usize, f64) = (3_000, 1e-15);

/// Weights by coordinate descent, or by the descent for wide tables.
fn fit_values(columns: &Columns<'_>, centred: &[f64], penalty: Penalty, is_wide: bool) -> Vec<f64> {
    let mut point = vec![0.0; columns.width()];
    let products = if is_wide {
        Products { gram: Vec::new() }
    } else {
        Products::new(columns, &|| false).expect("not stopped")
    };
    let right = ridge::right(columns, centred);
    products.fit(columns, (centred, &right), penalty, LIMITS, &mut point, &|| false);
    point
}

/// Weights, and slopes of the mean log loss without its penalty.
fn fit_classes(
    columns: &Columns<'_>,
    labels: &[u32],
    outputs: usize,
    penalty: Penalty,
) -> (Vec<f64>, Vec<f64>) {
    let mut point = vec![0.0; outputs * (columns.width() + 1)];
    logistic::descend(columns, labels, outputs, penalty, LIMITS, &mut point, &|| false);
    let mut slopes = vec![0.0; point.len()];
    let free = Penalty { absolute: 0.0, square: 0.0 };
    logistic::loss(columns, labels, outputs, free, &point, &mut slopes);
    (point, slopes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn weights_of_values_are_optimal(
        seed in 0u64..1_000, rows in 20usize..120, width in 3usize..30, strength in 0.01..1.5f64,
        l1_share in 0.0..0.95f64, is_wide: bool,
    ) {
        let matrix = random(seed, rows, width);
        let columns = Columns::new(&matrix);
        let centred = centred_values(&matrix, seed);
        let penalty = Penalty::new(strength, l1_share, 5.0);
        let weights = fit_values(&columns, &centred, penalty, is_wide);
        let violation = largest_violation(&slopes_of_squares(&columns, &centred, &weights), &weights, penalty);
        prop_assert!(violation < 1e-4, "{violation}");
        // The constant column.
        prop_assert_eq!(weights[1], 0.0);
    }

    #[test]
    fn weights_of_classes_are_optimal(
        seed in 0u64..1_000, rows in 20usize..120, width in 3usize..12, strength in 0.01..0.4f64,
        l1_share in 0.0..0.95f64, classes in 2u32..5,
    ) {
        let matrix = random(seed, rows, width);
        let columns = Columns::new(&matrix);
        let labels = labels(&matrix, seed, classes);
        let penalty = Penalty::new(strength, l1_share, 1.0);
        let outputs = if classes == 2 { 1 } else { classes as usize };
        let (point, slopes) = fit_classes(&columns, &labels, outputs, penalty);
        for (point, slopes) in point.chunks_exact(width + 1).zip(slopes.chunks_exact(width + 1)) {
            let violation = largest_violation(&slopes[..width], &point[..width], penalty);
            prop_assert!(violation < 1e-4, "{violation}");
            prop_assert!(slopes[width].abs() < 1e-4, "{}", slopes[width]);
        }
    }
}

#[test]
fn without_absolute_values_the_weights_are_those_of_ridge_regression() {
    let matrix = random(3, 80, 12);
    let columns = Columns::new(&matrix);
    let centred = centred_values(&matrix, 3);
    let solved = fit_values(&columns, &centred, Penalty::new(0.2, 0.0, 5.0), false);
    // So small an absolute share that only the method changes to coordinate descent.
    let descended = fit_values(&columns, &centred, Penalty::new(0.2, 1e-12, 5.0), false);
    let wide = fit_values(&columns, &centred, Penalty::new(0.2, 0.0, 5.0), true);
    for weights in [descended, wide] {
        assert!(weights.iter().zip(&solved).all(|(a, b)| (a - b).abs() < 1e-5), "{weights:?} {solved:?}");
    }
}

#[test]
fn the_strongest_penalty_of_a_path_is_the_least_that_leaves_no_weight() {
    let matrix = random(4, 80, 12);
    let columns = Columns::new(&matrix);
    let centred = centred_values(&matrix, 4);
    let slope = ridge::right(&columns, &centred).iter().fold(0.0_f64, |largest, one| largest.max(one.abs()));
    let strongest = super::penalty::strongest(slope, 0.5, 2.0);
    for is_wide in [false, true] {
        let kept = |strength: f64| {
            let weights = fit_values(&columns, &centred, Penalty::new(strength, 0.5, 2.0), is_wide);
            weights.iter().filter(|weight| **weight != 0.0).count()
        };
        assert_eq!(kept(strongest * 1.001), 0);
        assert_eq!(kept(strongest * 0.999), 1);
    }
}

fn reference_columns() -> (Matrix, Vec<f64>) {
    let row = |row: usize| row as f64 + 1.0;
    let column = |number: usize| -> Vec<f64> {
        let value = |at: f64| (at * (number as f64 + 1.0) * 0.7).sin() + 0.3 * (at * 1.3).cos();
        (0..40).map(|at| value(row(at))).collect()
    };
    let noise = (0..40).map(|at| (row(at).powi(2) * 0.9).sin()).collect();
    (matrix((0..6).map(column).collect()), noise)
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 2e-5, "{found} {expected}");
        assert_eq!(*found == 0.0, *expected == 0.0, "{found} {expected}");
    }
}

#[test]
fn values_have_the_weights_of_scikit_learn() {
    let (matrix, noise) = reference_columns();
    let columns = Columns::new(&matrix);
    let [a, _, c, d, ..] = matrix.columns.as_slice() else { unreachable!("six columns") };
    let values: Vec<f64> =
        (0..40).map(|row| 5.0 + 2.0 * a[row] - 1.5 * c[row] + 0.4 * d[row] + 0.5 * noise[row]).collect();
    let mean = values.iter().sum::<f64>() / 40.0;
    assert!((mean - 5.163_099_364_7).abs() < 1e-9, "{mean}");
    let centred: Vec<f64> = values.iter().map(|value| value - mean).collect();
    for (strength, expected) in [
        (0.1, [1.389_373_598_5, 0.0, -0.817_606_590_7, 0.019_557_474_5, -0.073_961_82, 0.146_497_206_3]),
        (1.0, [0.643_035_509_2, 0.0, -0.241_483_582_6, 0.0, 0.0, 0.138_886_523_3]),
    ] {
        for is_wide in [false, true] {
            assert_near(
                &fit_values(&columns, &centred, Penalty::new(strength, 0.5, 1.0), is_wide),
                &expected,
            );
        }
    }
}

#[test]
fn classes_have_the_weights_of_scikit_learn() {
    let (matrix, noise) = reference_columns();
    let columns = Columns::new(&matrix);
    let scores: Vec<f64> =
        (0..40).map(|row| matrix.columns[0][row] - matrix.columns[2][row] + 0.8 * noise[row]).collect();
    let penalty = Penalty::new(0.05, 0.5, 1.0);
    let two: Vec<u32> = scores.iter().map(|score| u32::from(*score > 0.0)).collect();
    let (point, _) = fit_classes(&columns, &two, 1, penalty);
    assert_near(&point, &[1.424_224_26, -0.478_827_38, -0.384_918_29, 0.0, 0.0, 0.0, 0.729_723_66]);

    let three: Vec<u32> =
        scores.iter().map(|score| u32::from(*score >= -0.5) + u32::from(*score >= 0.5)).collect();
    let (point, _) = fit_classes(&columns, &three, 3, penalty);
    // Only differences of the bases matter, so their mean is subtracted.
    let mean = point.iter().skip(6).step_by(7).sum::<f64>() / 3.0;
    let expected = [
        [-0.787_346_83, 0.0, 0.815_597_12, 0.138_476_39, 0.0, 0.0, -0.459_256_82],
        [0.0, 0.0, 0.0, 0.0, -0.028_545_91, 0.0, 0.523_686_36],
        [0.705_949_85, 0.0, -0.863_801_88, -0.016_478_99, 0.0, 0.0, -0.064_429_54],
    ];
    for (found, expected) in point.chunks_exact(7).zip(expected) {
        let mut found = found.to_vec();
        found[6] -= mean;
        assert_near(&found, &expected);
    }
}
