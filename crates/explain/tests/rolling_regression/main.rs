//! Rolling regression through the public functions.

use proptest::prelude::*;
use tabcast_explain::{
    Feature, Features, RollingRegression, RollingRegressionOptions, SeriesRows, Skip, Values,
    rolling_regression,
};

/// Uniform between -0.5 and 0.5, by a generator of Steele, Lea and Flood (2014), `SplitMix64`.
fn random(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0xd134_2543_de82_ef95);
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..count).map(|_| next()).collect()
}

/// Columns called `c0`, `c1` and so on.
fn features(columns: Vec<Vec<f64>>) -> Features {
    let rows = columns.first().map_or(0, Vec::len);
    let named = columns.into_iter().enumerate();
    let named =
        named.map(|(place, values)| Feature { name: format!("c{place}"), values: Values::Numbers(values) });
    Features::new(rows, named.collect()).unwrap()
}

fn regress(columns: Vec<Vec<f64>>, target: &[f64], ends: Vec<usize>) -> Result<RollingRegression, Skip> {
    let series = SeriesRows::new(ends).unwrap();
    rolling_regression(&features(columns), target, &series, &RollingRegressionOptions::default(), &|| false)
}

/// The target of a feature whose coefficient is `effect` of the row, and of another that counts the same everywhere.
fn planted(rows: usize, effect: impl Fn(usize) -> f64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let (first, second, noise) = (random(rows, 1), random(rows, 2), random(rows, 3));
    let target = (0..rows).map(|row| effect(row) * first[row] + second[row] + 0.5 * noise[row]).collect();
    (vec![first, second], target)
}

#[test]
fn a_planted_change_of_sign_is_flagged_and_a_steady_effect_is_not() {
    let (columns, target) = planted(400, |row| if row < 200 { 1.0 } else { -1.0 });
    let found = regress(columns, &target, vec![400]).unwrap();
    let changes = &found.changes;
    let place = |name: &str| {
        changes.feature.iter().position(|&feature| found.features[feature as usize] == name).unwrap()
    };
    let (turned, steady) = (place("c0"), place("c1"));
    assert!(changes.sign_change[turned] && changes.separate_intervals[turned], "{changes:?}");
    assert!(changes.least[turned] < -0.4 && changes.most[turned] > 0.4, "{changes:?}");
    assert!(!changes.sign_change[steady] && !changes.separate_intervals[steady], "{changes:?}");
}

#[test]
fn an_effect_that_grows_is_flagged_without_a_change_of_sign() {
    let (columns, target) = planted(400, |row| if row < 200 { 0.3 } else { 2.0 });
    let found = regress(columns, &target, vec![400]).unwrap();
    let at =
        found.changes.feature.iter().position(|&feature| found.features[feature as usize] == "c0").unwrap();
    assert!(!found.changes.sign_change[at] && found.changes.separate_intervals[at], "{:?}", found.changes);
}

/// Of 600 coefficients that do not change, one in twenty is said to; 46 are three standard deviations above that.
#[test]
fn steady_effects_are_rarely_flagged() {
    let flags: Vec<bool> = (0..300)
        .flat_map(|seed| {
            let (a, b, noise) =
                (random(200, 10 + seed), random(200, 1_000 + seed), random(200, 2_000 + seed));
            let target: Vec<f64> = (0..200).map(|row| a[row] - 0.3 * b[row] + noise[row]).collect();
            regress(vec![a, b], &target, vec![200]).unwrap().changes.separate_intervals
        })
        .collect();
    let flagged = flags.iter().filter(|&&flag| flag).count();
    assert_eq!(flags.len(), 600);
    assert!(flagged <= 46, "{flagged} of 600");
}

/// The standard deviations are those of the series: x and noise are uniform, so the coefficient is 1 / sqrt(1.25).
#[test]
fn coefficients_are_in_standard_deviations() {
    let (x, noise) = (random(2_000, 1), random(2_000, 2));
    let target: Vec<f64> = x.iter().zip(noise).map(|(x, noise)| 30.0 * (x + 0.5 * noise) + 7.0).collect();
    let found = regress(vec![x], &target, vec![2_000]).unwrap();
    let mean =
        found.coefficients.coefficient.iter().sum::<f64>() / found.coefficients.coefficient.len() as f64;
    assert!((mean - 1.0 / 1.25_f64.sqrt()).abs() < 0.01, "{mean}");
    let covers = |at: usize| {
        (found.coefficients.ci_low[at]..=found.coefficients.ci_high[at]).contains(&(1.0 / 1.25_f64.sqrt()))
    };
    let covered = (0..found.coefficients.t.len()).filter(|&at| covers(at)).count() as f64;
    assert!(
        covered / found.coefficients.t.len() as f64 > 0.85,
        "{covered} of {}",
        found.coefficients.t.len()
    );
}

#[test]
fn windows_have_the_length_that_was_asked_for_and_end_with_the_series() {
    let (columns, target) = planted(200, |_| 1.0);
    let found = regress(columns.clone(), &target, vec![90, 200]).unwrap();
    // Two features: 10 · 3 rows, in steps of 7.
    assert_eq!(found.window, 30);
    let of_first: Vec<(u64, u64)> = (0..found.coefficients.series.len())
        .filter(|&at| found.coefficients.series[at] == 0 && found.coefficients.feature[at] == 0)
        .map(|at| (found.coefficients.window_start[at], found.coefficients.window_end[at]))
        .collect();
    assert_eq!(of_first[0], (4, 33));
    assert_eq!(of_first[1], (11, 40));
    assert_eq!(of_first[of_first.len() - 1], (60, 89));
    assert_eq!(*found.coefficients.window_end.last().unwrap(), 199);

    let series = SeriesRows::new(vec![200]).unwrap();
    let seasonal = RollingRegressionOptions { season: 24, ..RollingRegressionOptions::default() };
    let found =
        rolling_regression(&features(columns.clone()), &target, &series, &seasonal, &|| false).unwrap();
    assert_eq!(found.window, 72);
    let few = RollingRegressionOptions { max_windows: 4, ..RollingRegressionOptions::default() };
    let found = rolling_regression(&features(columns), &target, &series, &few, &|| false).unwrap();
    assert!(found.changes.windows.iter().all(|&windows| windows <= 4), "{:?}", found.changes);
    let single = regress(vec![random(60, 1)], &random(60, 2), vec![60]).unwrap();
    assert_eq!(single.window, 24);
}

#[test]
fn five_features_that_say_different_things_are_chosen() {
    let rows = 1_000;
    let mut columns: Vec<Vec<f64>> = (0..8).map(|seed| random(rows, 20 + seed)).collect();
    let weights = [0.1, 4.0, 0.1, 5.0, 6.0, 0.1, 7.0, 8.0];
    let weighted =
        |row: usize| weights.iter().zip(&columns).map(|(weight, column)| weight * column[row]).sum();
    let target: Vec<f64> = (0..rows).map(weighted).collect();
    columns.push(columns[7].iter().zip(random(rows, 30)).map(|(value, noise)| 0.2 * noise - value).collect());
    columns.push(vec![1.0; rows]);
    let found = regress(columns, &target, vec![rows]).unwrap();
    let mut chosen = found.features.clone();
    chosen.sort();
    assert_eq!(chosen, ["c1", "c3", "c4", "c6", "c7"]);
    assert!(found.coefficients.vif.iter().all(|vif| (1.0..3.0).contains(vif)));
}

/// A trend that the target shares is not chosen before what moves with it.
#[test]
fn what_only_grows_with_the_target_comes_after_what_moves_with_it() {
    let moves = random(200, 1);
    let target: Vec<f64> = (0..200).map(|row| 0.1 * row as f64 + moves[row]).collect();
    let trend: Vec<f64> = (0..200).map(f64::from).collect();
    assert_eq!(regress(vec![trend, moves], &target, vec![200]).unwrap().features, ["c1", "c0"]);
}

#[test]
fn windows_that_explain_little_are_weak() {
    let (columns, _) = planted(300, |_| 1.0);
    let found = regress(columns, &random(300, 9), vec![300]).unwrap();
    let coefficients = &found.coefficients;
    assert!((0..coefficients.r2.len()).all(|at| coefficients.weak[at] == (coefficients.r2[at] < 0.2)));
    assert!(coefficients.weak.iter().filter(|&&weak| weak).count() > coefficients.weak.len() / 2);
}

#[test]
fn missing_and_hostile_values_give_finite_columns() {
    let (mut columns, mut target) = planted(360, |_| 1.0);
    columns[0].iter_mut().step_by(9).for_each(|value| *value = f64::NAN);
    columns[1][50] = f64::INFINITY;
    columns[1][51] = 1e300;
    target[52] = -1e300;
    target[200..240].fill(3.0);
    columns.push((0..360).map(|row| if row < 300 { 0.0 } else { 1e-300 }).collect());
    let found = regress(columns, &target, vec![40, 200, 200, 360]).unwrap();
    assert_eq!(found.left_out, [0, 2]);
    let coefficients = &found.coefficients;
    let all = [
        &coefficients.coefficient,
        &coefficients.standard_error,
        &coefficients.ci_low,
        &coefficients.ci_high,
        &coefficients.t,
        &coefficients.p_value,
        &coefficients.p_adjusted,
        &coefficients.r2,
        &coefficients.vif,
    ];
    for column in all {
        assert_eq!(column.len(), coefficients.series.len());
        assert!(column.iter().all(|value| value.is_finite()));
    }
    assert!(coefficients.standard_error.iter().all(|&error| error > 0.0));
}

#[test]
fn reasons_are_given_where_there_is_nothing_to_say() {
    assert_eq!(regress(vec![random(49, 1)], &random(49, 2), vec![49]), Err(Skip::NotEnoughRows));
    assert_eq!(regress(vec![random(80, 1)], &random(80, 2), vec![40, 80]), Err(Skip::NotEnoughRows));
    assert_eq!(regress(vec![random(80, 1)], &[f64::NAN; 80], vec![80]), Err(Skip::NotEnoughRows));
    assert_eq!(regress(vec![random(80, 1)], &[4.0; 80], vec![80]), Err(Skip::NoFeatures));
    assert_eq!(
        regress(vec![vec![4.0; 80], vec![f64::NAN; 80]], &random(80, 2), vec![80]),
        Err(Skip::NoFeatures)
    );
    let level = Feature {
        name: "kind".to_owned(),
        values: Values::Levels { codes: vec![0; 80], names: vec!["a".to_owned()] },
    };
    let (only_levels, series) = (Features::new(80, vec![level]).unwrap(), SeriesRows::new(vec![80]).unwrap());
    let options = RollingRegressionOptions::default();
    let run = |features: &Features, options: &RollingRegressionOptions, stop: bool| {
        rolling_regression(features, &random(80, 2), &series, options, &move || stop)
    };
    assert_eq!(run(&only_levels, &options, false), Err(Skip::NoFeatures));
    assert_eq!(run(&features(vec![random(80, 1)]), &options, true), Err(Skip::Timeout));
    let none = RollingRegressionOptions { max_series: 0, ..options };
    assert_eq!(run(&features(vec![random(80, 1)]), &none, false), Err(Skip::TooManySeries));
}

#[test]
#[should_panic(expected = "rows")]
fn another_count_of_rows_is_a_mistake_of_the_caller() {
    let _ = regress(vec![vec![1.0; 60]], &[1.0; 61], vec![61]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn units_do_not_matter(seed in 0..1_000_u64, scale in 1e-3..1e3_f64, shift in -1e3..1e3_f64) {
        let (columns, target) = (vec![random(120, seed), random(120, seed + 1)], random(120, seed + 2));
        let moved = columns.iter().map(|column| column.iter().map(|value| scale * value + shift).collect()).collect();
        let moved_target: Vec<f64> = target.iter().map(|value| shift - scale * value).collect();
        let before = regress(columns, &target, vec![120]).unwrap();
        let after = regress(moved, &moved_target, vec![120]).unwrap();
        prop_assert_eq!(&before.coefficients.feature, &after.coefficients.feature);
        for (one, other) in before.coefficients.coefficient.iter().zip(&after.coefficients.coefficient) {
            prop_assert!((one + other).abs() < 1e-6, "{one} {other}");
        }
        for (one, other) in before.coefficients.p_adjusted.iter().zip(&after.coefficients.p_adjusted) {
            prop_assert!((one - other).abs() < 1e-6, "{one} {other}");
        }
    }

    #[test]
    fn a_series_does_not_depend_on_its_neighbours(seed in 0..1_000_u64) {
        let (feature, target) = (random(160, seed), random(160, seed + 2));
        let both = regress(vec![feature.clone()], &target, vec![80, 160]).unwrap().coefficients;
        let alone = regress(vec![feature[80..].to_vec()], &target[80..], vec![80]).unwrap().coefficients;
        let second = both.series.partition_point(|&series| series == 0);
        prop_assert_eq!(&both.coefficient[second..], &alone.coefficient[..]);
        prop_assert_eq!(&both.standard_error[second..], &alone.standard_error[..]);
    }
}
