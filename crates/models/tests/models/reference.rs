//! Forecasts against closed forms and against published implementations.

use tabcast_models::{Forecast, Series, find};

/// Numbers that look random but are the same everywhere, between -0.5 and 0.5.
fn noise(step: usize) -> f64 {
    ((step * step * 37 + step * 11) % 101) as f64 / 101.0 - 0.5
}

#[track_caller]
fn forecast(model: &str, series: &Series<'_>, horizon: usize) -> Forecast {
    find(model).expect("registered").fit(series).expect("long enough").forecast(horizon)
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance, "step {index}: {found} instead of {expected}");
    }
}

#[test]
fn seasonal_naive_repeats_the_last_season_with_growing_spread() {
    let values = [1.0, 10.0, 3.0, 12.0, 2.0, 14.0];
    let found = forecast("seasonal_naive", &Series::with_season(&values, 2), 5);
    assert_close(&found.mean, &[2.0, 14.0, 2.0, 14.0, 2.0], 0.0);
    // Seasonal differences 2, 2, -1, 2: mean square 13 / 4.
    let sd = 3.25_f64.sqrt();
    assert_close(&found.sd, &[sd, sd, sd * 2.0_f64.sqrt(), sd * 2.0_f64.sqrt(), sd * 3.0_f64.sqrt()], 1e-14);
    let walk = forecast("seasonal_naive", &Series::with_season(&values, 12), 2);
    assert_close(&walk.mean, &[14.0, 14.0], 0.0);
}

#[test]
fn drift_runs_the_line_through_the_ends_on() {
    let found = forecast("drift", &Series::without_season(&[2.0, 5.0, 4.0, 8.0]), 3);
    assert_close(&found.mean, &[10.0, 12.0, 14.0], 1e-14);
    // Differences 3, -1, 4 around 2: squares 1 + 9 + 4, two degrees of freedom.
    let sds = [1.0, 2.0, 3.0].map(|h: f64| (7.0 * h * (1.0 + h / 3.0)).sqrt());
    assert_close(&found.sd, &sds, 1e-14);
}

#[test]
fn a_perfect_line_runs_on() {
    let values: Vec<f64> = (1..=100).map(f64::from).collect();
    for model in ["drift", "holt", "ets"] {
        let found = forecast(model, &Series::without_season(&values), 5);
        assert_close(&found.mean, &[101.0, 102.0, 103.0, 104.0, 105.0], 1e-3);
    }
}

#[test]
fn an_exact_season_repeats() {
    let season = [1.0, 5.0, 2.0, 9.0];
    let values: Vec<f64> = (0..48).map(|t| season[t % 4]).collect();
    for model in ["seasonal_naive", "ses", "ets", "autoregression"] {
        let found = forecast(model, &Series::with_season(&values, 4), 8);
        let expected: Vec<f64> = (0..8).map(|t| season[t % 4]).collect();
        assert_close(&found.mean, &expected, 0.05);
    }
}

/// A season that grows with the level is what the multiplicative forms are for.
#[test]
fn smoothing_follows_a_season_that_grows_with_the_level() {
    let truth = |t: usize| (100.0 + 2.0 * t as f64) * [1.3, 0.9, 1.0, 0.8][t % 4];
    let values: Vec<f64> = (0..60).map(|t| truth(t) * (1.0 + 0.01 * noise(t))).collect();
    let found = forecast("ets", &Series::with_season(&values, 4), 8);
    for (step, mean) in found.mean.iter().enumerate() {
        let expected = truth(60 + step);
        assert!((mean / expected - 1.0).abs() < 0.01, "step {step}: {mean} instead of {expected}");
    }
}

/// Hours of a day and days of a week together: the models that see both periods beat yesterday's values.
#[test]
fn models_of_several_seasons_see_the_week_in_hourly_data() {
    let truth = |t: usize| {
        let hour = (t % 24) as f64 * std::f64::consts::TAU / 24.0;
        let weekend = t / 24 % 7 >= 5;
        100.0 + hour.sin() * if weekend { 8.0 } else { 20.0 } - if weekend { 30.0 } else { 0.0 }
    };
    let values: Vec<f64> = (0..24 * 7 * 6 - 48).map(|t| truth(t) + noise(t)).collect();
    let series = Series { season_length: 24, periods: &[24, 168], ..Series::without_season(&values) };
    let error = |model: &str| {
        let found = forecast(model, &series, 96);
        let errors =
            found.mean.iter().enumerate().map(|(step, mean)| (mean - truth(values.len() + step)).abs());
        errors.sum::<f64>() / 96.0
    };
    let naive = error("seasonal_naive");
    for model in ["dotm", "ses", "ets", "autoregression"] {
        let found = error(model);
        assert!(found < 0.25 * naive, "{model}: {found} against {naive}");
    }
}
