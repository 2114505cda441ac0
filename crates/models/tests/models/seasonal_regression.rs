//! The regression of deviations from the usual day, on series whose law is known.

use proptest::prelude::*;
use tabcast_models::{Forecast, LEVELS, Series, find};

const SEASON: usize = 24;

fn fit(values: &[f64], horizon: usize) -> Option<Forecast> {
    let model = find("seasonal_regression").expect("registered");
    model.fit(&Series::with_season(values, SEASON)).ok().map(|fit| fit.forecast(horizon))
}

/// Numbers from -1 to 1 (Steele, Lea and Flood, 2014).
fn noise(seed: u64) -> f64 {
    let mut mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for factor in [0xbf58_476d_1ce4_e5b9_u64, 0x94d0_49bb_1331_11eb] {
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(factor);
    }
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn course(step: usize) -> f64 {
    100.0 + 30.0 * (step as f64 * std::f64::consts::TAU / SEASON as f64).sin()
}

/// The usual day plus deviations of which nine tenths last for another step.
fn wandering(days: usize, seed: u64) -> Vec<f64> {
    let mut deviation = 0.0;
    (0..days * SEASON)
        .map(|step| {
            deviation = 0.9 * deviation + 3.0 * noise(seed * 1_000_003 + step as u64);
            course(step) + deviation
        })
        .collect()
}

#[test]
fn intervals_cover_what_they_claim_and_stop_growing() {
    let (days, horizon) = (120, 4 * SEASON);
    let (mut inside, mut count, mut near, mut far) = (0, 0, 0.0, 0.0);
    for seed in 1..=60 {
        let values = wandering(days + 4, seed);
        let forecast = fit(&values[..days * SEASON], horizon).expect("long enough");
        for step in 0..horizon {
            let (low, high) = (forecast.quantile(step, 0.1), forecast.quantile(step, 0.9));
            inside += usize::from((low..=high).contains(&values[days * SEASON + step]));
            count += 1;
            if step == 0 {
                near += high - low;
            }
            if step == horizon - 1 {
                far += high - low;
            }
        }
    }
    let covered = inside as f64 / f64::from(count);
    assert!((0.75..0.85).contains(&covered), "{covered}");
    // The deviations have a standard deviation of 3.97, so the central 80 % are about 10.2 wide, and 4.4 one step ahead.
    assert!((8.5..12.0).contains(&(far / 60.0)), "{far}");
    assert!(near < 0.65 * far, "{near} {far}");
}

#[test]
fn the_next_hours_follow_the_last_ones_and_the_next_days_the_usual_day() {
    let mut values: Vec<f64> = wandering(120, 7);
    let end = values.len();
    // Three unusual hours.
    for (at, value) in values.iter_mut().enumerate().skip(end - 3) {
        *value = course(at) + 12.0;
    }
    let forecast = fit(&values, 3 * SEASON).expect("long enough");
    let above = |step: usize| forecast.quantile(step, 0.5) - course(end + step);
    assert!(above(0) > 6.0, "{}", above(0));
    assert!(above(2 * SEASON + 12).abs() < 3.0, "{}", above(2 * SEASON + 12));
}

#[test]
fn hours_that_are_always_zero_stay_zero() {
    let values: Vec<f64> = wandering(80, 3)
        .iter()
        .enumerate()
        .map(|(step, value)| if step % SEASON < 8 { 0.0 } else { *value })
        .collect();
    let forecast = fit(&values, 2 * SEASON).expect("long enough");
    for step in 0..2 * SEASON {
        let is_night = step % SEASON < 8;
        for level in [0.05, 0.5, 0.95] {
            assert_eq!(forecast.quantile(step, level) == 0.0, is_night, "{step} {level}");
        }
    }
}

#[test]
fn fifty_days_are_needed() {
    let values = wandering(50, 1);
    assert!(fit(&values, 5).is_some());
    assert!(fit(&values[1..], 5).is_none());
    let model = find("seasonal_regression").expect("registered");
    assert!(model.fit(&Series::with_season(&values, 12)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// The properties of all models, which the short series of the others do not reach.
    #[test]
    fn forecasts_are_finite_ordered_and_scale_exactly(
        kind in 0..4_u8, seed in 1..1_000_u64, horizon in 1..200_usize, exponent in -60..60_i32,
    ) {
        let mut values = wandering(51, seed);
        match kind {
            1 => values.iter_mut().enumerate().for_each(|(at, value)| if at % 3 > 0 { *value = 0.0 }),
            2 => values[700..].iter_mut().for_each(|value| *value *= 1e6),
            3 => values[..1_100].fill(4.0),
            _ => {}
        }
        let forecast = fit(&values, horizon).expect("long enough");
        let factor = 2.0_f64.powi(exponent);
        let scaled: Vec<f64> = values.iter().map(|value| value * factor).collect();
        let other = fit(&scaled, horizon).expect("long enough");
        for step in 0..horizon {
            let quantiles = LEVELS.map(|level| forecast.quantile(step, level));
            prop_assert!(forecast.mean[step].is_finite() && forecast.sd[step] >= 0.0);
            prop_assert!(quantiles.iter().all(|quantile| quantile.is_finite()) && quantiles.is_sorted());
            prop_assert_eq!(forecast.mean[step] * factor, other.mean[step]);
            prop_assert_eq!(quantiles[3] * factor, other.quantile(step, LEVELS[3]));
        }
    }
}
