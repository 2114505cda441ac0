//! Mathematical properties that hold for every input.

use proptest::prelude::*;
use tabcast_statistics::{
    Bounds, autocorrelations, minimize, minimize_scalar, moving_average, normal_quantile, seasonal_strength,
    solve_positive_definite,
};

/// The normal distribution function by its power series (Abramowitz and Stegun 26.2.11): exact enough to check
/// the quantile function with.
fn normal_cdf(z: f64) -> f64 {
    let (mut term, mut sum) = (z, z);
    for k in 1..200 {
        term *= z * z / f64::from(2 * k + 1);
        sum += term;
    }
    0.5 + sum * (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_quantile_inverts_the_distribution(level in 0.0001..0.9999_f64) {
        prop_assert!((normal_cdf(normal_quantile(level)) - level).abs() < 1e-13);
    }

    #[test]
    fn the_quantile_increases(a in 1e-12..1.0_f64, b in 1e-12..1.0_f64) {
        prop_assert!((a < b) == (normal_quantile(a) < normal_quantile(b)) || a == b);
    }

    #[test]
    fn a_convex_function_of_one_variable_is_minimised(centre in -3.0..3.0_f64, scale in 0.01..100.0_f64) {
        let (x, _) = minimize_scalar(|x| scale * ((x - centre).exp() - x), -4.0, 5.0, 1e-7, 200);
        prop_assert!((x - centre).abs() < 1e-4, "{x} instead of {centre}");
    }

    #[test]
    fn a_convex_function_of_three_variables_is_minimised_in_its_box(centre in prop::array::uniform3(-0.5..1.5_f64)) {
        let bounds = Bounds { lower: [0.0; 3], upper: [1.0; 3], value_tolerance: 1e-13, evaluations: 900 };
        let bowl = |p: &[f64; 3]| (0..3).map(|i| (i + 1) as f64 * (p[i] - centre[i]).powi(2)).sum::<f64>();
        let (point, value) = minimize(bowl, [0.4, 0.5, 0.6], 0.2, &bounds);
        let lowest = bowl(&centre.map(|x| x.clamp(0.0, 1.0)));
        prop_assert!(value - lowest < 1e-4, "{point:?}: {value} above {lowest}");
    }

    #[test]
    fn a_positive_definite_system_is_solved(
        factors in prop::collection::vec(-1.0..1.0_f64, 25),
        solution in prop::collection::vec(-10.0..10.0_f64, 5),
    ) {
        // A matrix times its transpose, plus one on the diagonal.
        let entry = |row: usize, column: usize| {
            let product: f64 = (0..5).map(|k| factors[row * 5 + k] * factors[column * 5 + k]).sum();
            product + f64::from(u8::from(row == column))
        };
        let mut matrix: Vec<f64> = (0..25).map(|index| entry(index / 5, index % 5)).collect();
        let mut right: Vec<f64> =
            (0..5).map(|row| (0..5).map(|column| entry(row, column) * solution[column]).sum()).collect();
        prop_assert!(solve_positive_definite(&mut matrix, &mut right));
        for (found, expected) in right.iter().zip(&solution) {
            prop_assert!((found - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn features_stay_in_their_ranges_and_ignore_level_and_scale(
        values in prop::collection::vec(-10.0..10.0_f64, 0..60),
        period in 0..15_usize,
    ) {
        let moved: Vec<f64> = values.iter().map(|value| 8.0 * value + 64.0).collect();
        let strength = seasonal_strength(&values, period);
        prop_assert!((0.0..=1.0).contains(&strength));
        prop_assert!((strength - seasonal_strength(&moved, period)).abs() < 1e-9);
        for (r, of_moved) in autocorrelations(&values, 20).into_iter().zip(autocorrelations(&moved, 20)) {
            prop_assert!(r.abs() <= 1.0 + 1e-12 && (r - of_moved).abs() < 1e-9);
        }
    }

    #[test]
    fn a_moving_average_lies_within_the_series(values in prop::collection::vec(-1e3..1e3_f64, 1..60), period in 1..15_usize) {
        let averages = moving_average(&values, period);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        prop_assert_eq!(averages.len(), values.len());
        prop_assert!(averages.iter().all(|average| (lowest - 1e-9..=highest + 1e-9).contains(average)));
    }
}
