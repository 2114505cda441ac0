//! Series that have broken forecasting software, on every model and season.

use std::sync::atomic::AtomicBool;

use tabcast_models::{Interrupt, Series, Unfit, find, registry};

/// Numbers that look random but are the same everywhere, between -0.5 and 0.5.
fn noise(step: usize) -> f64 {
    ((step * step * 37 + step * 11) % 101) as f64 / 101.0 - 0.5
}

fn series() -> Vec<(&'static str, Vec<f64>)> {
    let build = |length: usize, value: &dyn Fn(usize) -> f64| (0..length).map(value).collect::<Vec<f64>>();
    let seasonal =
        |t: usize| 100.0 + t as f64 + 20.0 * (t as f64 * std::f64::consts::TAU / 12.0).sin() + noise(t);
    vec![
        ("two values", vec![3.0, 5.0]),
        ("two equal values", vec![7.0, 7.0]),
        ("three values", vec![1.0, -1.0, 2.0]),
        ("four values", vec![1.0, 2.0, 2.0, 3.0]),
        ("five values", vec![5.0, 4.0, 4.5, 3.0, 2.0]),
        ("constant", vec![42.0; 60]),
        ("all zero", vec![0.0; 60]),
        ("a perfect line", build(100, &|t| t as f64 + 1.0)),
        ("a falling line", build(100, &|t| 50.0 - t as f64)),
        ("one spike", build(80, &|t| if t == 40 { 1e6 } else { 0.0 })),
        ("a spike at the end", build(80, &|t| if t == 79 { 1e9 } else { 1.0 })),
        ("mostly zeros", build(90, &|t| if t % 7 == 3 { 5.0 + noise(t) } else { 0.0 })),
        ("zeros in a strong season", build(96, &|t| if t % 12 < 4 { 0.0 } else { 50.0 + noise(t) })),
        (
            "an exact season",
            build(72, &|t| [1.0, 5.0, 2.0, 9.0, 4.0, 3.0, 8.0, 7.0, 6.0, 2.0, 1.0, 5.0][t % 12]),
        ),
        ("seasonal and positive", build(120, &seasonal)),
        ("seasonal and negative", build(120, &|t| -seasonal(t))),
        ("one season and one value", build(13, &seasonal)),
        ("just below two seasons", build(23, &seasonal)),
        ("exactly two seasons", build(24, &seasonal)),
        ("just above two seasons", build(25, &seasonal)),
        ("tiny", build(60, &|t| 1e-12 * seasonal(t))),
        ("huge", build(60, &|t| 1e15 * seasonal(t))),
        ("smallest numbers", build(30, &|t| f64::MIN_POSITIVE * (1.0 + noise(t)))),
        ("largest numbers", build(30, &|t| f64::MAX * noise(t))),
        ("a level of 1e9 with unit noise", build(60, &|t| 1e9 + noise(t))),
        ("exponential growth", build(120, &|t| 1.1_f64.powi(t as i32))),
        ("alternating", build(60, &|t| if t % 2 == 0 { 1.0 } else { -1.0 })),
        ("a level shift", build(120, &|t| if t < 100 { 1.0 } else { 1000.0 } + noise(t))),
        ("leading zeros", build(60, &|t| if t < 45 { 0.0 } else { 10.0 + noise(t) })),
        ("nearly zero and positive", build(60, &|t| if t == 30 { 1e-9 } else { 10.0 + noise(t) })),
        (
            "hourly weeks",
            build(24 * 7 * 4, &|t| 50.0 + [0.0, 9.0, 3.0][t / 8 % 3] + noise(t) + (t / 24 % 7) as f64),
        ),
    ]
}

/// Some models are made for one kind of series and refuse all others, of whatever length.
fn is_made_for(model: &str, values: &[f64], season: usize) -> bool {
    match model {
        "croston_sba" | "tsb" | "adida" => values.iter().all(|&value| value >= 0.0),
        "seasonal_regression" => season >= 13 && values.len() >= season.saturating_mul(50),
        "level_shape" => (7..=values.len() / 3).contains(&season),
        _ => true,
    }
}

#[test]
fn every_model_stays_finite_and_ordered_or_says_why_not() {
    let seasons: [(usize, &[usize]); 6] =
        [(1, &[]), (4, &[4]), (12, &[12]), (1, &[52]), (24, &[24, 168]), (usize::MAX, &[0, 1, usize::MAX])];
    for (name, values) in series() {
        for (season_length, periods) in seasons {
            for model in registry() {
                let case = format!("{} on {name}, season {season_length}", model.name());
                let series = Series { season_length, periods, ..Series::without_season(&values) };
                let fit = match model.fit(&series) {
                    Ok(fit) => fit,
                    Err(unfit) => {
                        assert!(
                            values.len() < 24 || !is_made_for(model.name(), &values, season_length),
                            "{case}: {unfit}"
                        );
                        continue;
                    }
                };
                assert_eq!(fit.fitted().len(), values.len(), "{case}");
                for horizon in [1, 30] {
                    let forecast = fit.forecast(horizon);
                    assert_eq!((forecast.mean.len(), forecast.sd.len()), (horizon, horizon), "{case}");
                    for step in 0..horizon {
                        assert!(forecast.mean[step].is_finite(), "{case}: mean {:?}", forecast.mean);
                        let sd = forecast.sd[step];
                        assert!(sd.is_finite() && sd >= 0.0, "{case}: sd {:?}", forecast.sd);
                        let levels = [0.0, 0.001, 0.1, 0.5, 0.9, 0.999, 1.0];
                        let quantiles = levels.map(|level| forecast.quantile(step, level));
                        assert!(
                            quantiles.iter().all(|quantile| quantile.is_finite()),
                            "{case}: {quantiles:?}"
                        );
                        assert!(quantiles.is_sorted(), "{case}: {quantiles:?}");
                    }
                }
                assert_eq!(fit.forecast(0).horizon(), 0, "{case}");
            }
        }
    }
}

#[test]
fn the_naive_forecasts_always_exist() {
    for (name, values) in series() {
        for model in ["seasonal_naive", "drift"] {
            let model = find(model).expect("registered");
            assert!(model.fit(&Series::with_season(&values, 12)).is_ok(), "{} on {name}", model.name());
        }
    }
}

#[test]
fn short_and_broken_series_are_refused_with_a_reason() {
    for values in [&[][..], &[1.0], &[1.0, f64::NAN, 2.0], &[1.0, f64::INFINITY, 2.0]] {
        for model in registry() {
            assert!(model.fit(&Series::without_season(values)).is_err(), "{} on {values:?}", model.name());
        }
    }
}

/// A constant must come back as itself, and not as zero.
#[test]
fn a_constant_series_is_forecast_exactly_and_without_spread() {
    for model in registry() {
        for season in [1, 12] {
            if !is_made_for(model.name(), &[42.0; 60], season) {
                continue;
            }
            let fit = model.fit(&Series::with_season(&[42.0; 60], season)).expect("long enough");
            let forecast = fit.forecast(24);
            for step in 0..24 {
                assert!((forecast.mean[step] - 42.0).abs() < 1e-6, "{}: {:?}", model.name(), forecast.mean);
                assert!(forecast.sd[step] < 1e-6, "{}: {:?}", model.name(), forecast.sd);
            }
            // The errors of the first two values do not count in the theta models, whose first level is free then.
            let fitted = fit.fitted().iter().skip(2).filter(|value| !value.is_nan());
            let worst = fitted.map(|value| (value - 42.0).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-6, "{}: {:?}", model.name(), fit.fitted());
        }
    }
}

/// Zeros or signs must never reach a multiplicative form: no value far outside the history.
#[test]
fn intermittent_and_negative_series_do_not_explode() {
    for (name, values) in series() {
        let highest = values.iter().fold(0.0_f64, |highest, value| highest.max(value.abs()));
        if !["mostly zeros", "zeros in a strong season", "seasonal and negative", "leading zeros"]
            .contains(&name)
        {
            continue;
        }
        for model in registry() {
            for season in [1, 7, 12] {
                if !is_made_for(model.name(), &values, season) {
                    continue;
                }
                let fit = model.fit(&Series::with_season(&values, season)).expect("long enough");
                let forecast = fit.forecast(24);
                let outside = forecast.mean.iter().any(|mean| mean.abs() > 3.0 * highest);
                assert!(!outside, "{} on {name}: {:?}", model.name(), forecast.mean);
            }
        }
    }
}

/// More than six seasons at once, one of them of a single step: none may fail, and what the series has is found.
#[test]
fn any_number_of_periods_is_taken() {
    let values: Vec<f64> =
        (0..600).map(|t| 50.0 + 10.0 * [0.0, 3.0, 1.0, 4.0, 1.0, 5.0, 9.0][t % 7] + noise(t)).collect();
    let periods = [1, 2, 3, 4, 5, 6, 7, 11, 13, 52];
    for model in registry().iter().filter(|model| is_made_for(model.name(), &values, 7)) {
        let series = Series { season_length: 7, periods: &periods, ..Series::without_season(&values) };
        let forecast = model.fit(&series).expect("long enough").forecast(7);
        assert!(forecast.mean.iter().all(|mean| mean.is_finite()), "{}", model.name());
        if ["mstl", "seasonal_naive", "autoregression"].contains(&model.name()) {
            let worst = (0..7).map(|step| (forecast.mean[step] - values[593 + step]).abs());
            assert!(worst.fold(0.0, f64::max) < 6.0, "{}: {:?}", model.name(), forecast.mean);
        }
        let alone = Series { periods: &[1], ..Series::without_season(&values) };
        let none = Series::without_season(&values);
        let forecast = |series: &Series<'_>| model.fit(series).map(|fit| fit.forecast(3));
        assert_eq!(forecast(&alone), forecast(&none), "{}: a period of 1 is none", model.name());
    }
}

/// The constant of a differenced series is its drift, that of a stationary one its mean.
#[test]
fn arima_has_the_right_constant() {
    let arima = find("arima").expect("registered");
    let ahead = |values: &[f64], season| {
        let fit = arima.fit(&Series::with_season(values, season)).expect("long enough");
        fit.forecast(24).mean
    };
    let mut level = 100.0;
    let walk: Vec<f64> = (0..150)
        .map(|t| {
            level += 2.0 + 3.0 * noise(t);
            level
        })
        .collect();
    let drift = (ahead(&walk, 1)[23] - walk[149]) / 24.0;
    assert!((1.5..2.5).contains(&drift), "{drift}");
    let still: Vec<f64> = (0..150).map(|t| 500.0 + 4.0 * noise(t)).collect();
    let worst = ahead(&still, 1).iter().map(|mean| (mean - 500.0).abs()).fold(0.0, f64::max);
    assert!(worst < 4.0, "{worst}");
    let falling: Vec<f64> =
        (0..150).map(|t| 400.0 - 0.5 * t as f64 + [0.0, 30.0, 10.0, -20.0][t % 4] + noise(t)).collect();
    let year = ahead(&falling, 4)[19] - falling[149];
    assert!((year + 10.0).abs() < 5.0, "20 steps of -0.5: {year}");
}

#[test]
fn an_interrupted_fit_says_so() {
    let flag = AtomicBool::new(true);
    let values: Vec<f64> = (0..120).map(|t| 100.0 + t as f64 + noise(t)).collect();
    for model in registry() {
        let series = Series { interrupt: Interrupt::when(&flag), ..Series::with_season(&values, 12) };
        assert_eq!(model.fit(&series).err(), Some(Unfit::INTERRUPTED), "{}", model.name());
    }
}
