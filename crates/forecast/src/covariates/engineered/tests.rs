//! Compares the features with a plain implementation of their definitions.

use proptest::prelude::*;
use tabcast_calendar::{Frequency, parse_timestamp};

use super::*;

const UNIT: Unit = Unit { level: 3.0, scale: 0.5 };

/// The history features of a row, each from its definition.
fn plain(values: &[f64], recipe: &Recipe, origin: usize, step: usize) -> Vec<f64> {
    let known = &values[..origin];
    let leveled = |value: f64| (value - UNIT.level) / UNIT.scale;
    let mut row = Vec::new();
    for &lag in &recipe.lags {
        // Starts at the step that is forecast and goes back by whole lags until a value is known.
        let mut at = (origin + step - 1) as i64;
        while at >= origin as i64 {
            at -= lag as i64;
        }
        row.push(if at >= 0 { leveled(known[at as usize]) } else { f64::NAN });
    }
    for &window in &recipe.windows {
        for &stat in &recipe.stats {
            if origin < window {
                row.push(f64::NAN);
                continue;
            }
            let last = &known[origin - window..];
            let mean = last.iter().sum::<f64>() / window as f64;
            let squares: f64 = last.iter().map(|value| (value - mean).powi(2)).sum();
            row.push(match stat {
                RollingStat::Mean => leveled(mean),
                RollingStat::Std => (squares / (window as f64 - 1.0)).sqrt() / UNIT.scale,
                RollingStat::Min => leveled(last.iter().copied().fold(f64::INFINITY, f64::min)),
                RollingStat::Max => leveled(last.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
            });
        }
    }
    for &period in &recipe.growth {
        let grown = origin > period && known[origin - 1 - period] != 0.0;
        row.push(if grown { known[origin - 1] / known[origin - 1 - period] - 1.0 } else { f64::NAN });
    }
    row
}

fn written(past: &Past<'_>, recipe: &Recipe, origin: usize, step: usize) -> Vec<f64> {
    let mut row = vec![f64::INFINITY; recipe.history_width()];
    past.write(origin, step, UNIT, &mut row);
    row
}

/// Asserts equality to 1e-9 of the larger number, or of the `size` of the values that a difference was taken of.
fn assert_close(found: &[f64], expected: &[f64], size: f64) {
    assert_eq!(found.len(), expected.len());
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        let same = (found.is_nan() && expected.is_nan())
            || (found - expected).abs() <= 1e-9 * size.max(expected.abs());
        assert!(same, "feature {place}: {found} instead of {expected}");
    }
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let steps =
        || proptest::collection::btree_set(1_usize..25, 0..5).prop_map(|set| set.into_iter().collect());
    let stats = proptest::sample::subsequence(RollingStat::ALL.to_vec(), 1..=4);
    (steps(), steps(), stats, steps()).prop_map(|(lags, windows, stats, growth)| Recipe {
        lags,
        windows,
        stats,
        growth,
        ..Recipe::default()
    })
}

/// Ordinary values, whole numbers with zeros, and spikes.
fn histories() -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![
        4 => -100.0..100.0,
        2 => (0_i32..4).prop_map(f64::from),
        1 => -1e6..1e6,
    ];
    proptest::collection::vec(value, 1..70)
}

proptest! {
    #[test]
    fn history_features_are_those_of_the_plain_definition(values in histories(), recipe in recipes(), step in 1_usize..60) {
        let past = Past::since(&values, &recipe, 0);
        let size = values.iter().fold(0.0_f64, |size, value| size.max(value.abs())) / UNIT.scale;
        for origin in 1..=values.len() {
            let expected = plain(&values, &recipe, origin, step);
            assert_close(&written(&past, &recipe, origin, step), &expected, size);
            let end = Past::since(&values[..origin], &recipe, origin);
            assert_close(&written(&end, &recipe, origin, step), &expected, size);
        }
    }

    #[test]
    fn the_future_of_an_origin_moves_none_of_its_features(
        values in histories(),
        recipe in recipes(),
        step in 1_usize..60,
        at in 0.0..1.0,
        other in -1e9..1e9,
    ) {
        let origin = 1 + (at * (values.len() - 1) as f64) as usize;
        let before = written(&Past::since(&values, &recipe, 0), &recipe, origin, step);
        let mut changed = values.clone();
        changed[origin..].iter_mut().for_each(|value| *value = other - *value);
        let after = written(&Past::since(&changed, &recipe, 0), &recipe, origin, step);
        // Compares bits: not even rounding may depend on the future.
        let bits = |row: &[f64]| row.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
        prop_assert_eq!(bits(&before), bits(&after));
    }
}

#[test]
fn a_spike_leaves_no_trace_in_later_windows() {
    let mut values = vec![0.1; 40];
    values[7] = 1e17;
    let recipe = Recipe { windows: vec![5], stats: RollingStat::ALL.to_vec(), ..Recipe::default() };
    let row = written(&Past::since(&values, &recipe, 0), &recipe, 30, 1);
    assert_eq!(row, [(0.1 - 3.0) / 0.5, 0.0, (0.1 - 3.0) / 0.5, (0.1 - 3.0) / 0.5]);
}

#[test]
fn what_overflows_or_is_too_short_is_missing() {
    let values = [f64::MAX, -f64::MAX, f64::MAX, 0.0, 1.0];
    let recipe = Recipe {
        lags: vec![1, 6],
        windows: vec![1, 4],
        stats: vec![RollingStat::Std],
        growth: vec![1, 3, 4, 5],
        ..Recipe::default()
    };
    let row = written(&Past::since(&values, &recipe, 0), &recipe, 5, 1);
    assert_eq!(row[0], -4.0);
    // One value has no deviation, the squares of such values have no sum, and growth from 0 has no ratio.
    for place in [1, 2, 3, 4, 7] {
        assert!(row[place].is_nan(), "{place}: {row:?}");
    }
    assert_eq!(row[5], -1.0);
}

fn calendar(recipe: &Recipe, alias: &str, stamp: &str) -> Vec<(String, f64)> {
    let frequency = Frequency::parse(alias).expect("a frequency");
    let stamp = parse_timestamp(stamp.as_bytes()).expect("a stamp").micros;
    let mut row = vec![f64::NAN; recipe.calendar_width(frequency)];
    write_calendar(recipe, frequency, stamp, &mut row);
    recipe.names(frequency).into_iter().zip(row).collect()
}

#[test]
fn a_frequency_has_the_calendar_features_that_vary_with_it() {
    let time = Recipe { time: true, ..Recipe::default() };
    let numbers = |alias: &str, stamp: &str| {
        calendar(&time, alias, stamp)
            .into_iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers("YE", "2024-12-31"), ["year 2024"]);
    assert_eq!(numbers("QE", "2024-09-30"), ["year 2024", "quarter 3"]);
    assert_eq!(numbers("ME", "2024-02-29"), ["year 2024", "quarter 1", "month 2"]);
    assert_eq!(
        numbers("W-SUN", "2021-01-03"),
        ["year 2021", "quarter 1", "month 1", "week_of_year 53", "day_of_year 3", "day_of_month 3"]
    );
    let friday =
        "year 2024, quarter 1, month 3, week_of_year 9, day_of_year 61, day_of_month 1, day_of_week 4";
    for alias in ["D", "B"] {
        assert_eq!(numbers(alias, "2024-03-01").join(", "), friday);
    }
    assert_eq!(numbers("h", "2024-03-01 17:00").join(", "), format!("{friday}, hour 17"));
    assert_eq!(numbers("15min", "2024-03-01 17:45").join(", "), format!("{friday}, hour 17, minute 45"));
}

#[test]
fn flags_and_circles_follow_the_calendar() {
    let flags = Recipe { flags: true, ..Recipe::default() };
    let raised = |alias: &str, stamp: &str| {
        let raised: Vec<String> = calendar(&flags, alias, stamp)
            .into_iter()
            .filter(|(_, value)| *value == 1.0)
            .map(|(name, _)| name.trim_start_matches("is_").to_owned())
            .collect();
        raised.join(" ")
    };
    assert_eq!(raised("D", "2023-12-31"), "weekend month_end quarter_end year_end");
    assert_eq!(raised("h", "2024-01-01 13:00"), "month_start quarter_start year_start");
    assert_eq!(raised("D", "2024-02-28"), "");
    assert_eq!(raised("D", "2023-02-28"), "month_end");
    assert_eq!(raised("B", "2024-03-29"), "");
    assert_eq!(raised("MS", "2024-04-01"), "quarter_start");
    assert_eq!(raised("ME", "2024-12-31"), "quarter_end year_end");
    assert_eq!(raised("YE", "2024-12-31"), "");

    let cyclical = Recipe { cyclical: true, ..Recipe::default() };
    let row = calendar(&cyclical, "h", "2024-02-29 06:00");
    let value = |name: &str| row.iter().find(|(other, _)| other == name).expect("a feature").1;
    assert!((value("hour_sin") - 1.0).abs() < 1e-12 && value("hour_cos").abs() < 1e-12);
    let last_day = std::f64::consts::TAU * 28.0 / 29.0;
    assert!((value("day_of_month_sin") - last_day.sin()).abs() < 1e-12);
    assert!(row.iter().all(|(name, _)| !name.starts_with("year")));
}

#[test]
fn the_block_gives_its_features_in_order() {
    let recipe = Recipe::of(&FeatureEngineering {
        lag_periods: vec![7, 1, 7],
        rolling_windows: vec![3],
        rolling_stats: vec![RollingStat::Max, RollingStat::Mean],
        growth_periods: vec![2],
        time_features: false,
        cyclical_encoding: false,
        event_flags: false,
        ..FeatureEngineering::default()
    });
    let recipe = recipe.expect("allowed").expect("switched on");
    let daily = Frequency::parse("D").expect("a frequency");
    assert_eq!(recipe.names(daily), ["lag_1", "lag_7", "rolling_mean_3", "rolling_max_3", "growth_2"]);
    assert_eq!((recipe.history_width(), recipe.calendar_width(daily), recipe.reach()), (5, 0, 7));
}

/// A field and a change to it that must be refused.
type Refused = (&'static str, &'static dyn Fn(&mut FeatureEngineering));

#[test]
fn a_block_that_makes_no_sense_is_refused_by_field() {
    let of = |change: &dyn Fn(&mut FeatureEngineering)| {
        let mut block = FeatureEngineering::default();
        change(&mut block);
        Recipe::of(&block)
    };
    let refused: [Refused; 7] = [
        ("lag_periods", &|block| block.lag_periods = vec![0]),
        ("lag_periods", &|block| block.lag_periods = vec![10_001]),
        ("lag_periods", &|block| block.lag_periods.clear()),
        ("lag_periods", &|block| block.lag_periods = (1..=65).collect()),
        ("rolling_windows", &|block| block.rolling_windows.clear()),
        ("rolling_stats", &|block| block.rolling_stats.clear()),
        ("growth_periods", &|block| block.growth_periods = vec![0, 1]),
    ];
    for (field, change) in refused {
        let message = of(change).expect_err(field).to_string();
        assert!(message.contains(field), "{message}");
    }
    assert!(of(&|_| ()).expect("the defaults").is_some());
    let nothing = of(&|block| {
        for switch in [
            &mut block.time_features,
            &mut block.cyclical_encoding,
            &mut block.lag_features,
            &mut block.rolling_features,
            &mut block.growth_features,
            &mut block.event_flags,
        ] {
            *switch = false;
        }
    });
    assert_eq!(nothing.expect("off"), None);
    // A list counts only if its switch is on.
    let off = of(&|block| {
        block.lag_features = false;
        block.lag_periods = vec![0];
    });
    assert!(off.expect("allowed").expect("switched on").lags.is_empty());
}
