use super::*;

/// Pseudo-random numbers, the same everywhere.
fn noise(row: usize, kind: usize) -> f64 {
    ((row * row * 37 + row * (11 + kind * 5) + kind * 17) % 101) as f64 / 101.0
}

/// Two features and a target, row by row.
fn rows(count: usize) -> Vec<f64> {
    let row = |row| {
        let first = noise(row, 1);
        let second = noise(row, 2) * 3.0 - 1.0 + first;
        [first, second, 2.0 * first - 0.5 * second + noise(row, 7)]
    };
    (0..count).flat_map(row).collect()
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-10 * expected.abs(), "{found} instead of {expected}");
}

/// `OLS(y, X).fit(cov_type="HAC", cov_kwds={"maxlags": 3, "use_correction": True})` and `variance_inflation_factor` of
/// statsmodels 0.15.0, with a constant in X.
#[test]
fn without_ridge_it_agrees_with_statsmodels() {
    let fit = fit(&rows(60), &[true; 60], 3, 0.0).unwrap();
    let expected = [
        (2.164_640_965_861_443_6, 0.102_262_033_457_930_13),
        (-0.552_822_101_491_035_5, 0.041_934_048_188_209_21),
    ];
    for (estimate, (coefficient, standard_error)) in fit.estimates.iter().zip(expected) {
        assert_close(estimate.coefficient, coefficient);
        assert_close(estimate.standard_error, standard_error);
        assert_close(estimate.vif, 1.065_250_583_492_385_5);
    }
    assert_close(fit.r2, 0.887_160_503_045_112);
    assert_eq!(fit.degrees, 57.0);
}

/// With one standardised feature the coefficient is r / (1 + ridge).
#[test]
fn ridge_shrinks_a_single_coefficient_by_its_share() {
    let rows: Vec<f64> = rows(60).chunks_exact(3).flat_map(|row| [row[0], row[2]]).collect();
    let coefficient = |ridge| fit(&rows, &[true; 60], 2, ridge).unwrap().estimates[0].coefficient;
    assert_close(coefficient(0.25), coefficient(0.0) / 1.25);
}

#[test]
fn missing_rows_at_the_end_are_as_if_they_were_not_there() {
    let all = rows(80);
    let present: Vec<bool> = (0..80).map(|row| row < 60).collect();
    let found = fit(&all, &present, 3, RIDGE).unwrap();
    let expected = fit(&all[..180], &[true; 60], 3, RIDGE).unwrap();
    assert_eq!(found, expected);
}

#[test]
fn a_copied_feature_shares_its_effect_and_says_so() {
    let rows: Vec<f64> = rows(60).chunks_exact(3).flat_map(|row| [row[0], row[0], row[2]]).collect();
    let fit = fit(&rows, &[true; 60], 3, RIDGE).unwrap();
    assert_close(fit.estimates[0].coefficient, fit.estimates[1].coefficient);
    assert!(fit.estimates.iter().all(|estimate| estimate.vif > 1e5), "{fit:?}");
}

#[test]
fn what_is_constant_in_the_window_is_left_out() {
    let all = rows(60);
    let one_constant: Vec<f64> = all.chunks_exact(3).flat_map(|row| [4.0, row[1], row[2]]).collect();
    let found = fit(&one_constant, &[true; 60], 3, RIDGE).unwrap();
    assert_eq!(found.estimates.iter().map(|estimate| estimate.column).collect::<Vec<_>>(), [1]);
    let constant_target: Vec<f64> = all.chunks_exact(3).flat_map(|row| [row[0], row[1], 4.0]).collect();
    assert_eq!(fit(&constant_target, &[true; 60], 3, RIDGE), None);
    assert_eq!(fit(&all, &[false; 60], 3, RIDGE), None);
}
