//! What the rules find, through the public door.

use std::f64::consts::PI;

use proptest::prelude::*;
use tabcast_explain::findings::{
    Backtest, Counts, Findings, Forecast, Grade, Panel, Series, SeriesFindings, Standing, find,
};
use tabcast_statistics::random::normal;

mod planted;

fn of(history: &[f64], season_length: usize) -> Series<'_> {
    Series {
        start: 0,
        history,
        regressors: &[],
        season_length,
        newest: history.len().saturating_sub(1),
        counts: Counts::default(),
        forecast: Forecast::default(),
        backtest: None,
    }
}

/// A level of 100 with a season of twelve that is highest in its fourth step, a trend and noise.
fn monthly(seed: u64, length: usize) -> Vec<f64> {
    let season = |t: usize| 10.0 * (t as f64 * PI / 6.0).sin() + if t % 12 == 3 { 4.0 } else { 0.0 };
    (0..length).map(|t| 100.0 + 0.3 * t as f64 + season(t) + normal(seed, t as u64)).collect()
}

/// Of 60 series and of 600, at least 95 % of what is stated was planted, and at least 90 % of what was
/// planted is stated, by every rule.
#[test]
fn planted_facts_are_found_and_others_are_not() {
    for (seed, count) in [(1, 60), (2, 600)] {
        let series: Vec<_> = planted::planted(seed, count)
            .into_iter()
            .map(|planted| {
                let found = find(&planted.series());
                (planted, found)
            })
            .collect();
        let scores = planted::score(&series);
        assert_eq!(scores.len(), 24, "every rule was planted");
        for (rule, score) in scores {
            assert!(score.planted > 0, "{rule}");
            assert!(score.precision() >= 0.95, "{rule} of {count}: {score:?}");
            assert!(score.recall() >= 0.9, "{rule} of {count}: {score:?}");
        }
    }
}

#[test]
fn findings_have_the_numbers_that_were_planted() {
    let mut history = monthly(1, 120);
    history[50] += 40.0;
    let mean: Vec<f64> = history[108..].iter().map(|value| value * 1.1).collect();
    let band = |offset: f64| -> Vec<f64> { mean.iter().map(|mean| mean + offset).collect() };
    let (lower, upper) = (band(-5.0), band(5.0));
    let errors: Vec<f64> = (0..36).map(|t| if t % 2 == 0 { 3.0 } else { -3.0 }).collect();
    let naive_errors = [6.0; 36];
    let found = find(&Series {
        start: 10,
        newest: 129,
        forecast: Forecast { mean: &mean, lower: &lower, median: &mean, upper: &upper },
        backtest: Some(Backtest {
            errors: &errors,
            naive_errors: &naive_errors,
            naive_season: 12,
            coverage: 0.8,
        }),
        ..of(&history, 12)
    });
    assert_eq!((found.steps, found.from, found.to), (120, 10, 129));
    let trend = found.trend.unwrap();
    assert!((trend.slope - 0.3).abs() < 0.01 && (trend.change - 3.6).abs() < 0.12, "{trend:?}");
    assert!((trend.total - 119.0 * trend.slope).abs() < 1e-9 && !trend.strong && trend.p < 1e-9);
    let season = found.season.unwrap();
    // The fourth step of the last cycle is at 10 + 111.
    assert_eq!((season.peak, season.next_peak), (121, 133));
    assert!(season.trough.abs_diff(127) <= 1 && season.trough_change < -8.0);
    assert!(season.strong && (season.peak_change - 13.7).abs() < 1.5, "{season:?}");
    let outliers = found.outliers.unwrap();
    assert_eq!((outliers.count, outliers.largest, outliers.steps), (1, 60, vec![60]));
    assert!((outliers.value - outliers.expected - 40.0).abs() < 3.0);
    let comparison = found.comparison.unwrap();
    assert!((comparison.relative.unwrap() - 0.1).abs() < 1e-9 && comparison.outside_band == Some(true));
    assert_eq!((comparison.from, comparison.to, comparison.previous_from), (130, 141, 118));
    assert_eq!((comparison.previous_to, comparison.seasons), (129, Some(1)));
    let accuracy = found.accuracy.unwrap();
    assert_eq!((accuracy.error, accuracy.naive_error, accuracy.skill), (3.0, 6.0, 0.5));
    assert_eq!(accuracy.standing, Standing::ClearlyBetter);
    assert!(found.bias.is_none() && found.coverage.is_none() && found.uncertainty.is_none());
    let outlook = found.outlook.unwrap();
    assert_eq!((outlook.from, outlook.to, outlook.steps), (130, 141, 12));
    assert!((outlook.total - mean.iter().sum::<f64>()).abs() < 1e-9);
    let confidence = found.confidence;
    assert_eq!((confidence.accuracy, confidence.coverage, confidence.depth), (1.0, 1.0, 1.0));
    assert!((confidence.quality - (1.0 - 1.0 / 120.0)).abs() < 1e-12);
    let sum = 0.35 + 0.2 + 0.15 * (1.0 + confidence.forecastability + confidence.quality);
    assert!((confidence.score - sum).abs() < 1e-12);
}

#[test]
fn confidence_is_capped_without_backtest_and_without_skill() {
    let history = monthly(1, 120);
    assert!(find(&of(&history, 12)).confidence.score <= 0.3);
    let (errors, naive_errors) = ([1.1; 24], [1.0; 24]);
    let backtest = Backtest { errors: &errors, naive_errors: &naive_errors, naive_season: 12, coverage: 0.8 };
    let found = find(&Series { backtest: Some(backtest), ..of(&history, 12) });
    assert_eq!(found.accuracy.unwrap().standing, Standing::NotBetter);
    assert!(found.confidence.score <= 0.4);
}

#[test]
fn gaps_are_graded_by_their_share_and_doubles_are_told() {
    let history = monthly(1, 100);
    let with = |missing, duplicates| {
        let counts = Counts { missing, duplicates };
        find(&Series { counts, ..of(&history, 12) }).missing
    };
    assert_eq!(with(1, 0), None);
    let grade = |missing| with(missing, 0).unwrap().grade;
    assert_eq!((grade(5), grade(20), grade(40)), (Grade::Note, Grade::Caveat, Grade::Severe));
    assert_eq!(with(0, 3).unwrap().duplicates, 3);
}

#[test]
fn horizons_of_several_seasons_and_of_no_season_are_compared() {
    let history: Vec<f64> = (0..40).map(|t| f64::from(t % 4)).collect();
    let mean: Vec<f64> = (0..10).map(|t| f64::from(t % 4)).collect();
    let ahead = Forecast { mean: &mean, ..Forecast::default() };
    let found = find(&Series { forecast: ahead, ..of(&history, 4) }).comparison.unwrap();
    assert_eq!((found.previous_from, found.previous_to, found.seasons), (28, 37, Some(3)));
    assert!(found.about_same && found.change == 0.0 && found.outside_band.is_none());
    let found = find(&Series { forecast: ahead, ..of(&history, 1) }).comparison.unwrap();
    assert_eq!((found.previous_from, found.previous_to, found.seasons), (30, 39, None));
    // Three seasons back there is nothing: only the first season is compared.
    let found = find(&Series { forecast: ahead, ..of(&history[..6], 4) }).comparison.unwrap();
    assert_eq!((found.steps, found.previous_from, found.seasons), (4, 2, Some(1)));
    assert!(find(&Series { forecast: ahead, ..of(&history[..3], 4) }).comparison.is_none());
}

/// Promotions on about every tenth day that double the sales, known as a regressor.
#[test]
fn promotions_are_no_outliers_and_a_spike_beside_them_is() {
    let mut odd = 0;
    for seed in 0..30 {
        let promoted = |t: usize| (t * t * 31 + t * 7 + seed as usize) % 101 < 10;
        let flag: Vec<f64> = (0..300).map(|t| f64::from(u8::from(promoted(t)))).collect();
        let week = |t: usize| [0.0, 3.0, 6.0, 3.0, 0.0, 12.0, 15.0][t % 7];
        let mut history: Vec<f64> = (0..300)
            .map(|t| 100.0 + 0.05 * t as f64 + week(t) + 80.0 * flag[t] + 3.0 * normal(seed, t as u64))
            .collect();
        let regressors = [flag, vec![1.0; 300]];
        let with = |history: &[f64]| find(&Series { regressors: &regressors, ..of(history, 7) });
        assert!(find(&of(&history, 7)).outliers.is_some(), "without the regressor they look odd");
        if let Some(outliers) = with(&history).outliers {
            odd += outliers.count;
            assert!(!outliers.steps.iter().any(|step| promoted(*step)), "{seed}: {outliers:?}");
        }
        let at = (150..300).find(|&t| !promoted(t)).unwrap();
        history[at] += 90.0;
        let found = with(&history);
        let outliers = found.outliers.expect("the spike");
        assert!(outliers.count <= 2 && outliers.largest == at, "{seed}: {outliers:?}");
        assert!((outliers.value - outliers.expected - 90.0).abs() < 15.0, "{outliers:?}");
        assert!(found.season.is_some_and(|season| season.strong), "{seed}");
    }
    assert!(odd <= 3, "{odd} values of 9000 are far out by chance");
}

/// Of the sum of series as well.
#[test]
fn promotions_of_all_series_are_no_outliers_of_their_sum() {
    let flag: Vec<f64> = (0..200).map(|t| f64::from(u8::from(t * t % 31 == 5))).collect();
    let shop = |shop: u64| -> Vec<f64> {
        (0..200)
            .map(|t| 100.0 * (shop as f64 + 1.0) * (1.0 + flag[t] + 0.03 * normal(shop, t as u64)))
            .collect()
    };
    let shops: Vec<Vec<f64>> = (0..5).map(shop).collect();
    let regressors = [flag.clone()];
    let mean = [100.0; 7];
    let forecast = Forecast { mean: &mean, ..Forecast::default() };
    let total = |regressors: &[Vec<f64>]| {
        let series: Vec<_> =
            shops.iter().map(|shop| ("shop", Series { regressors, forecast, ..of(shop, 7) })).collect();
        let mut panel = Panel::default();
        panel.add(&series);
        panel.finish().total.unwrap().findings
    };
    assert!(total(&[]).outliers.is_some());
    assert_eq!(total(&regressors).outliers, None);
}

#[test]
fn less_than_a_season_has_a_change_in_total_and_no_bend() {
    let history: Vec<f64> = (0..40).map(|t| 100.0 + f64::from(t) + normal(3, t as u64)).collect();
    let found = find(&of(&history, 52));
    let trend = found.trend.unwrap();
    assert!(trend.whole && (trend.change - 39.0).abs() < 2.0, "{trend:?}");
    assert_eq!((trend.change, trend.relative), (trend.total, trend.total_relative));
    assert_eq!(found.trend_change, None);
    let trend = find(&of(&history, 12)).trend.unwrap();
    assert!(!trend.whole && (trend.change - 12.0).abs() < 0.7, "{trend:?}");
}

/// Sales that become three times as large, with a season of the same height throughout.
#[test]
fn the_season_of_a_growing_series_is_told_of_its_last_cycle() {
    let shape = |t: usize| if t % 12 == 10 { 60.0 } else { -60.0 / 11.0 };
    let history: Vec<f64> =
        (0..96).map(|t| 100.0 + 2.0 * t as f64 + shape(t) + normal(1, t as u64)).collect();
    let season = find(&of(&history, 12)).season.unwrap();
    assert_eq!(season.peak, 94);
    assert!((season.peak_relative.unwrap() - 60.0 / 279.0).abs() < 0.01, "{season:?}");
}

#[test]
fn a_series_with_a_value_beyond_all_bounds_is_counted_and_not_judged() {
    let usual = monthly(1, 60);
    let mut large = usual.clone();
    large[30] = 1e305;
    assert_eq!(find(&of(&large, 12)), SeriesFindings::default());
    let mut panel = Panel::default();
    panel.add(&[("usual", of(&usual, 12)), ("large", of(&large, 12)), ("none", of(&[f64::NAN; 60], 12))]);
    let found = panel.finish();
    assert_eq!((found.series, found.empty, found.beyond), (1, 1, 1));
    assert!(found.single.is_some());
}

/// Lengths, seasons, values and forecasts that break arithmetic.
#[test]
fn odd_series_neither_panic_nor_give_odd_numbers() {
    let odd: [&[f64]; 18] = [
        &[],
        &[1.0],
        &[f64::NAN],
        &[f64::NAN; 50],
        &[0.0; 50],
        &[7.5; 50],
        &[1e300; 50],
        &[-1e300; 50],
        &[f64::INFINITY; 50],
        &[5e-324; 50],
        &[
            1e300,
            -1e300,
            5e-324,
            0.0,
            1.0,
            f64::NAN,
            1e300,
            2.0,
            -3.0,
            1e-300,
            4.0,
            5.0,
            6.0,
            1.0,
            2.0,
            3.0,
            9.0,
        ],
        &[1.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN, 2.0],
        &[-5.0, -4.0, -6.0, -5.0, -5.5, -4.5, -5.0, -6.0, -4.0, -5.0],
        &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0],
        &[1.0, 2.0],
        &[1.0, 2.0, 3.0],
        &[f64::MAX, f64::MIN, f64::MAX, f64::MIN, 1.0, 2.0, 3.0, 4.0, 5.0],
        &[0.1; 200],
    ];
    let forecasts: [&[f64]; 6] =
        [&[], &[1.0], &[f64::NAN; 12], &[1e300; 12], &[f64::INFINITY; 3], &[0.0; 12]];
    for history in odd {
        for season_length in [0, 1, 2, 7, 12, 10_000] {
            for values in forecasts {
                let forecast = Forecast { mean: values, lower: values, median: values, upper: values };
                let backtest =
                    Backtest { errors: values, naive_errors: values, naive_season: 1, coverage: f64::NAN };
                let series = Series { forecast, backtest: Some(backtest), ..of(history, season_length) };
                let mut panel = Panel::default();
                panel.add(&[("a", series), ("b", series)]);
                let panel = panel.finish();
                assert_finite(&serde_json::to_value(find(&series)).unwrap(), history);
                assert_finite(&serde_json::to_value(&panel).unwrap(), history);
            }
        }
    }
    assert_eq!(find(&of(&[], 12)), SeriesFindings::default());
    assert_eq!(find(&of(&[f64::NAN; 5], 12)), SeriesFindings::default());
}

/// Numbers that are not finite become null, and null stands only where a field may be absent.
fn assert_finite(json: &serde_json::Value, history: &[f64]) {
    const MAY_BE_ABSENT: [&str; 32] = [
        "trend",
        "trend_change",
        "season",
        "level_shift",
        "outliers",
        "intermittent",
        "short_history",
        "missing",
        "constant",
        "negatives",
        "stale_end",
        "uncertainty",
        "accuracy",
        "bias",
        "coverage",
        "comparison",
        "outlook",
        "relative",
        "total_relative",
        "before_relative",
        "after_relative",
        "peak_relative",
        "trough_relative",
        "seasons",
        "ratio",
        "outside_band",
        "last_lower",
        "last_upper",
        "single",
        "item",
        "total",
        "example",
    ];
    match json {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                let may = MAY_BE_ABSENT.contains(&name.as_str())
                    || ["standing", "concentration"].contains(&name.as_str());
                assert!(!value.is_null() || may, "{name} is null for {history:?}");
                assert_finite(value, history);
            }
        }
        serde_json::Value::Array(values) => {
            for value in values {
                assert_finite(value, history);
            }
        }
        _ => {}
    }
}

fn panel_of(histories: &[Vec<f64>], threads: usize) -> Findings {
    let ids: Vec<String> = (0..histories.len()).map(|index| format!("item {index}")).collect();
    let newest = histories.iter().map(Vec::len).max().unwrap_or(1) - 1;
    let means = vec![100.0; 12];
    let series: Vec<(&str, Series<'_>)> = ids
        .iter()
        .zip(histories)
        .map(|(id, history)| {
            let forecast = Forecast { mean: &means, ..Forecast::default() };
            let start = newest + 1 - history.len();
            (id.as_str(), Series { start, newest, forecast, ..of(history, 12) })
        })
        .collect();
    let mut panel = Panel::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        for chunk in series.chunks(7) {
            panel.add(chunk);
        }
    });
    panel.finish()
}

#[test]
fn a_panel_counts_series_adds_them_up_and_names_the_largest() {
    let mut histories: Vec<Vec<f64>> = (0..30).map(|seed| monthly(seed, 96)).collect();
    // One falls, and has most of the volume.
    histories[3] = (0..96).map(|t| 50_000.0 - 200.0 * f64::from(t)).collect();
    // One begins late: it is in the sum of no early step, and too few to shorten it.
    histories[5].drain(..60);
    histories.push(vec![f64::NAN; 96]);
    let found = panel_of(&histories, 2);
    assert_eq!((found.series, found.empty, found.season_length, found.newest), (30, 1, 12, 95));
    assert!(found.single.is_none() && found.item.is_none());
    assert_eq!(
        (found.rules.trend_up.series + found.rules.trend_down.series, found.rules.trend_up.of),
        (30, 30)
    );
    assert_eq!(found.rules.trend_down.series, 1);
    assert_eq!(found.rules.trend_down.example.as_deref(), Some("item 3"));
    assert!(found.rules.trend_down.volume_share > 0.8);
    assert_eq!(found.rules.season.series, 29);
    assert_eq!((found.rules.clearly_better.of, found.accuracy.series, found.accuracy.standing), (0, 0, None));
    let concentration = found.concentration.clone().unwrap();
    assert_eq!((concentration.series, concentration.of), (3, 30));
    let total = found.total.clone().unwrap();
    assert_eq!((total.series, total.findings.from, total.findings.to), (30, 0, 95));
    assert!(total.findings.trend.unwrap().slope < -150.0);
    let outlook = total.findings.outlook.unwrap();
    assert_eq!((outlook.total, outlook.from), (36_000.0, 96));
    let steps = found.steps();
    assert!(steps.is_sorted() && steps.contains(&95) && steps.contains(&107));
}

#[test]
fn a_panel_does_not_depend_on_threads_and_one_series_is_told_alone() {
    let histories: Vec<Vec<f64>> = (0..40).map(|seed| monthly(seed, 60 + seed as usize)).collect();
    assert_eq!(panel_of(&histories, 1), panel_of(&histories, 3));
    let one = panel_of(&histories[..1], 1);
    assert_eq!((one.series, one.item.as_deref(), one.total.is_none()), (1, Some("item 0"), true));
    assert_eq!(one.confidence, one.single.unwrap().confidence);
    let none = panel_of(&[], 1);
    assert_eq!((none.series, none.total.is_none(), none.confidence.value), (0, true, 0.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Which rules find something, and every share, are the same in another unit; other numbers follow it.
    #[test]
    fn another_unit_changes_no_finding(seed in 0u64..1000, factor in 0.001f64..1000.0) {
        let planted = planted::planted(seed, 12);
        for one in &planted {
            let mut other = one.clone();
            for values in [&mut other.history, &mut other.mean, &mut other.lower, &mut other.upper, &mut other.errors, &mut other.naive_errors] {
                for value in values.iter_mut() {
                    *value *= factor;
                }
            }
            let (found, scaled) = (find(&one.series()), find(&other.series()));
            prop_assert_eq!(planted::stated(&found), planted::stated(&scaled));
            prop_assert!((found.confidence.value - scaled.confidence.value).abs() < 1e-9);
            if let (Some(trend), Some(other)) = (found.trend, scaled.trend) {
                prop_assert!((trend.slope * factor - other.slope).abs() <= 1e-9 * other.slope.abs());
                prop_assert!((trend.p - other.p).abs() <= 1e-6);
            }
        }
    }

    /// Patterns do not depend on where the grid begins or what is added to all values; only shares of the level do.
    #[test]
    fn a_shift_moves_dates_or_levels_and_no_pattern(seed in 0u64..1000, added in 1.0f64..500.0, start in 0usize..5000) {
        let history = monthly(seed, 90);
        let higher: Vec<f64> = history.iter().map(|value| value + added).collect();
        let found = find(&of(&history, 12));
        let later = find(&Series { start, newest: start + 89, ..of(&history, 12) });
        let above = find(&of(&higher, 12));
        let (season, later_season, above_season) = (found.season.unwrap(), later.season.unwrap(), above.season.unwrap());
        prop_assert_eq!(season.peak + start, later_season.peak);
        prop_assert_eq!(season.peak, above_season.peak);
        prop_assert!((season.strength - above_season.strength).abs() < 1e-6);
        prop_assert!((season.peak_change - above_season.peak_change).abs() < 1e-6);
        prop_assert_eq!(found.outliers.map(|one| one.count), above.outliers.map(|one| one.count));
        prop_assert!((found.confidence.forecastability - above.confidence.forecastability).abs() < 1e-6);
    }
}
