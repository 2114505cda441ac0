//! What the numbers of a series may be like.

use super::{Table, means, noise, stamps, wave};

/// Group 1: automatic ARIMA that does not come to an end on long seasons. Three weeks of each.
#[test]
fn seasons_of_a_day_and_a_week_at_every_step_are_forecast() {
    for (alias, day) in [("h", 24), ("30min", 48), ("15min", 96), ("5min", 288)] {
        let values = wave(day, 3 * 7 * day);
        let truth = wave(day, values.len() + day);
        Table::of(alias, &values).forecast(day, |preset, rows, finished| {
            assert_eq!(finished.summary.freq, alias);
            let ahead = truth[values.len()..].iter();
            let worst = rows.iter().zip(ahead).map(|(row, y)| (row.mean - y).abs()).fold(0.0, f64::max);
            assert!(worst < 5.0, "{alias} {preset}: {worst}");
        });
    }
}

/// Groups 1 and 11: seasons of 288 and 2,016 steps and more points than any preset looks at.
#[test]
fn twenty_thousand_points_in_one_series_are_forecast() {
    let values = wave(288, 20_000);
    let truth = wave(288, 20_288);
    Table::of("5min", &values).forecast(288, |preset, rows, _| {
        let ahead = truth[20_000..].iter();
        let worst = rows.iter().zip(ahead).map(|(row, y)| (row.mean - y).abs()).fold(0.0, f64::max);
        assert!(worst < 5.0, "{preset}: {worst}");
    });
}

/// Groups 4 and 12: histories of 2 to 10 values, too short for most models; four values once gave intervals of NaN.
#[test]
fn two_to_ten_values_are_enough() {
    let mut table = Table::new();
    for length in 2..=10 {
        let values: Vec<f64> = (0..length).map(|step| 10.0 + step as f64 + 3.0 * noise(step)).collect();
        for alias in ["D", "MS"] {
            Table::of(alias, &values).forecast(14, |preset, rows, _| {
                let near = rows.iter().all(|row| (-60.0..90.0).contains(&row.mean));
                assert!(near, "{length} {alias} {preset}: {:?}", means(rows));
            });
        }
        table.add(&format!("n{length}"), &stamps("D", "2024-01-01", length), &values);
    }
    table.forecast(14, |_, rows, finished| {
        assert_eq!((rows.len(), finished.summary.num_items), (9 * 14, 9));
    });
}

/// Group 5: fewer values than one season, and between one season and two.
#[test]
fn less_than_a_season_and_less_than_two_are_enough() {
    for (alias, season) in [("MS", 12), ("h", 24), ("D", 7), ("QS", 4)] {
        for length in [season - 1, season, season + 1, 2 * season - 1, 2 * season, 2 * season + 1] {
            let values = wave(season, length);
            Table::of(alias, &values).forecast(season, |preset, rows, _| {
                let near = rows.iter().all(|row| (0.0..250.0).contains(&row.mean));
                assert!(near, "{length} {alias} {preset}: {:?}", means(rows));
            });
        }
    }
}

/// Group 6: no errors to estimate a variance from, and no model of noise may bend or flatten what is certain.
#[test]
fn a_perfect_line_goes_on() {
    for slope in [1.0, 0.1, 1e-12] {
        let values: Vec<f64> = (1..=100).map(|step| slope * f64::from(step)).collect();
        for alias in ["D", "MS", "YS", "h"] {
            Table::of(alias, &values).forecast(10, |preset, rows, _| {
                for (step, row) in rows.iter().enumerate() {
                    let expected = slope * (101.0 + step as f64);
                    let off = (row.mean - expected).abs().max((row.quantiles[0] - expected).abs());
                    assert!(off < 1e-9 * expected, "{alias} {preset}: {:?}", means(rows));
                }
            });
        }
    }
    let falling: Vec<f64> = (0..20).rev().map(f64::from).collect();
    Table::of("D", &falling).forecast(3, |preset, rows, _| {
        assert_eq!(means(rows), [0.0; 3], "{preset}: not below zero where the history never was");
    });
}

/// Group 7: the level of a constant must not be lost, and its intervals have no width.
#[test]
fn a_constant_comes_back_exactly() {
    for value in [42.0, 0.0, -1e-9, 1e15] {
        for length in [2, 3, 30, 500] {
            Table::of("D", &vec![value; length]).forecast(5, |preset, rows, _| {
                let exact = rows.iter().all(|row| row.mean == value && row.quantiles == [value; 9]);
                assert!(exact, "{value} {length} {preset}: {rows:?}");
            });
        }
    }
}

/// Group 9: a multiplicative season cannot be divided by zero, and must not answer with billions or below zero.
#[test]
fn zeros_in_a_strong_season_neither_explode_nor_go_below_zero() {
    let closed: Vec<f64> =
        (0..96).map(|step| if step % 12 < 4 { 0.0 } else { 50.0 + 10.0 * noise(step) }).collect();
    let rare: Vec<f64> = (0..96).map(|step| if step % 9 == 4 { 5.0 } else { 0.0 }).collect();
    let one_zero: Vec<f64> = (0..96).map(|step| if step == 40 { 0.0 } else { 50.0 + noise(step) }).collect();
    for values in [closed, rare, one_zero] {
        Table::of("MS", &values).forecast(24, |preset, rows, _| {
            for row in rows {
                let within =
                    row.quantiles.iter().chain([&row.mean]).all(|value| (0.0..200.0).contains(value));
                assert!(within, "{preset}: {row:?}");
            }
        });
    }
}

/// Group 11: every length from one year of weeks to two.
#[test]
fn weekly_series_between_one_year_and_two_are_forecast() {
    let mut table = Table::new();
    for length in 53..=103 {
        table.add(&format!("w{length}"), &stamps("W-MON", "2021-01-04", length), &wave(52, length));
    }
    table.forecast(13, |preset, rows, finished| {
        assert_eq!((finished.summary.num_items, finished.summary.freq.as_str()), (51, "W-MON"));
        assert!(rows.iter().all(|row| (0.0..250.0).contains(&row.mean)), "{preset}");
    });
}

/// Group 13: backtests on histories with little or nothing to hold back, and a step that has no season.
#[test]
fn horizons_longer_than_the_history_and_steps_without_a_season_are_forecast() {
    Table::of("D", &wave(7, 15)).forecast(60, |_, rows, _| assert_eq!(rows.len(), 60));
    Table::of("36h", &wave(5, 40)).forecast(8, |preset, rows, finished| {
        assert_eq!(finished.summary.freq, "36h");
        assert!(rows.iter().all(|row| (50.0..150.0).contains(&row.mean)), "{preset}: {:?}", means(rows));
    });
}

/// Group 17: what was never negative is never forecast to be.
#[test]
fn positive_series_stay_positive_on_the_way_down() {
    let falling: Vec<f64> = (0..40).map(|step| 80.0 - 2.0 * step as f64 + noise(step)).collect();
    let fading: Vec<f64> = (0..60).map(|step| 100.0 * 0.9_f64.powi(step) + 0.01).collect();
    for values in [falling, fading] {
        for alias in ["D", "MS", "YS"] {
            Table::of(alias, &values).forecast(40, |preset, rows, _| {
                let negative = rows.iter().find(|row| row.mean < 0.0 || row.quantiles[0] < 0.0);
                assert!(negative.is_none(), "{alias} {preset}: {negative:?}");
            });
        }
    }
}

/// Group 24: intervals that grow without end, and multiplicative trends that reach 1e12.
#[test]
fn exponential_growth_stays_within_reach_of_the_history() {
    for base in [1.05_f64, 1.3, 2.0] {
        for alias in ["D", "MS", "YS"] {
            let values: Vec<f64> =
                (0..48).map(|step| base.powi(step) * (1.0 + 0.1 * noise(step as usize))).collect();
            let highest = values.iter().copied().fold(0.0, f64::max);
            Table::of(alias, &values).forecast(100, |preset, rows, _| {
                for row in rows {
                    // Three ranges, more as the horizon is longer than the history; half of it again for the intervals.
                    let within = row.quantiles.iter().chain([&row.mean]).all(|value| *value < 50.0 * highest);
                    assert!(within, "{base} {alias} {preset}: {row:?} after {highest}");
                }
            });
        }
    }
}

/// Group 25: tiny values must not look constant, large ones must not lose their digits. Powers of two change nothing at
/// all (`properties.rs`); others round the values, which may tip the choice between two models that are equally good.
#[test]
fn the_unit_of_the_values_does_not_matter() {
    let values: Vec<f64> = (0..60).map(|step| 5.0 + 3.0 * noise(step) + (step % 12) as f64 / 4.0).collect();
    for preset in super::PRESETS {
        let forecast = |scale: f64| {
            let scaled: Vec<f64> = values.iter().map(|value| value * scale).collect();
            let finished = Table::of("MS", &scaled).run(preset, 12, |_| {}).expect("a forecast");
            crate::support::rows(&finished.csv)
        };
        let unit = forecast(1.0);
        for scale in [1e-12, 1e-9, 1e6, 1e15, 1e-300, 1e300] {
            for (unit, row) in unit.iter().zip(forecast(scale)) {
                let ends = [(unit.mean, row.mean), (unit.quantiles[0], row.quantiles[0])];
                for (expected, found) in ends {
                    let off = (found / scale - expected).abs();
                    assert!(off < 0.02 * expected.abs(), "{preset} {scale}: {found} and {expected}");
                }
            }
        }
    }
}

/// Group 25: a level of a million with the smallest of changes, and the ends of what numbers can hold.
#[test]
fn extreme_levels_and_spikes_give_finite_forecasts() {
    let level: Vec<f64> = (0..60).map(|step| 1e9 + noise(step)).collect();
    Table::of("D", &level).forecast(14, |preset, rows, _| {
        assert!(rows.iter().all(|row| (row.mean - 1e9).abs() < 3.0), "{preset}: {:?}", means(rows));
    });
    let build = |value: &dyn Fn(usize) -> f64| (0..40).map(value).collect::<Vec<f64>>();
    for values in [
        build(&|step| f64::MAX * (2.0 * noise(step))),
        build(&|step| f64::MAX * (0.5 + noise(step).abs())),
        build(&|step| f64::MIN_POSITIVE * (step % 5) as f64),
        build(&|step| if step == 39 { 1e300 } else { 1.0 }),
        build(&|step| if step == 20 { -1e300 } else { noise(step) }),
        build(&|step| if step % 2 == 0 { 1e-300 } else { 1e300 }),
    ] {
        for alias in ["D", "h"] {
            Table::of(alias, &values).forecast(30, |_, rows, _| assert_eq!(rows.len(), 30));
        }
    }
}

/// Half a year after two and a half years of weeks that repeat: neither level nor trend, but the season.
#[test]
fn weeks_with_a_yearly_season_repeat_it() {
    let wave = |week: usize| 100.0 + 20.0 * (week as f64 * std::f64::consts::TAU / 52.0).sin();
    for length in [110, 130, 200] {
        let values: Vec<f64> = (0..length).map(|week| wave(week) + 2.0 * noise(week)).collect();
        Table::of("W-MON", &values).forecast(26, |preset, rows, _| {
            for (step, row) in rows.iter().enumerate() {
                let off = (row.mean - wave(length + step)).abs();
                assert!(off < 8.0, "{length} {preset}, step {step}: {}", row.mean);
            }
        });
    }
}
