//! Columns with a target.

use tabcast_explain::{
    FeatureFeatureOptions, FeatureTarget, FeatureTargetOptions, Method, SeriesRows, Skip, Transform, Values,
    feature_feature, feature_target,
};

use crate::support::{assert_close, features, levels, noise, random, walk};

fn measure(
    columns: Vec<Values>,
    target: &Values,
    series: Option<&SeriesRows>,
) -> Result<FeatureTarget, Skip> {
    let options = FeatureTargetOptions { season: 7, ..FeatureTargetOptions::default() };
    feature_target(&features(columns), target, series, &options, &|| false)
}

fn one(found: &FeatureTarget, feature: u32, transform: Transform, method: Method) -> usize {
    (0..found.feature.len())
        .find(|&at| {
            (found.feature[at], found.transform[at], found.method[at]) == (feature, transform, method)
        })
        .unwrap_or_else(|| panic!("no row: {found:?}"))
}

#[test]
fn two_random_walks_go_together_until_they_are_differenced() {
    let (a, b) = (walk(400, 3), walk(400, 7));
    let series = SeriesRows::new(vec![400]).unwrap();
    let found = measure(vec![Values::Numbers(a)], &Values::Numbers(b), Some(&series)).unwrap();
    let of = |transform| found.abs_value[one(&found, 0, transform, Method::Pearson)];
    assert!(of(Transform::Levels) > 0.7, "{found:?}");
    assert!(of(Transform::FirstDifferences) < 0.15, "{found:?}");
    assert_eq!(found.n, [400, 400, 399, 399, 393, 393]);
}

#[test]
fn a_planted_lag_is_found_within_series() {
    let (series, length) = (SeriesRows::new(vec![100, 200, 300]).unwrap(), 100);
    let drive = random(300, 5);
    let lagged = |lag: i64| -> Vec<f64> {
        let value = |row: usize| {
            let (start, from) = (row / length * length, row as i64 - lag);
            let inside = (start as i64..(start + length) as i64).contains(&from);
            // Each series has a level of its own.
            (start * start) as f64 + if inside { drive[from as usize] } else { noise(row, 4) - 0.5 }
        };
        (0..300).map(value).collect()
    };
    for lag in [0, 3, -5, 12] {
        let target = Values::Numbers(lagged(lag));
        let mut with_gaps = drive.clone();
        with_gaps.iter_mut().step_by(17).for_each(|value| *value = f64::NAN);
        let found = measure(vec![Values::Numbers(with_gaps)], &target, Some(&series)).unwrap();
        for transform in [Transform::Levels, Transform::FirstDifferences] {
            let at = one(&found, 0, transform, Method::Pearson);
            assert_eq!(found.best_lag[at], Some(lag as i32), "{transform:?}");
            assert!(found.value_at_best_lag[at].unwrap() > 0.85, "{found:?}");
            assert_eq!(found.best_lag[one(&found, 0, transform, Method::Spearman)], None);
        }
    }
}

/// A pair of values of different series would depend on which series come one after the other.
#[test]
fn no_lag_reaches_into_the_next_series() {
    let series = SeriesRows::new((1..=30).map(|index| index * 10).collect()).unwrap();
    let (feature, target) = (random(300, 8), random(300, 9));
    let measured = |order: &[usize]| {
        let turned = |values: &[f64]| -> Values {
            Values::Numbers(order.iter().flat_map(|&index| values[index * 10..][..10].to_vec()).collect())
        };
        let found = measure(vec![turned(&feature)], &turned(&target), Some(&series)).unwrap();
        let at = one(&found, 0, Transform::FirstDifferences, Method::Pearson);
        (found.best_lag[at].unwrap(), found.value_at_best_lag[at].unwrap())
    };
    let (forward, backward): (Vec<usize>, Vec<usize>) = ((0..30).collect(), (0..30).rev().collect());
    let ((lag, value), (other_lag, other_value)) = (measured(&forward), measured(&backward));
    assert_eq!(lag, other_lag);
    assert!((value - other_value).abs() < 1e-12, "{value} {other_value}");
}

#[test]
fn at_lag_zero_of_one_series_both_values_are_the_same() {
    let a = random(200, 1);
    let target: Vec<f64> = a.iter().zip(random(200, 2)).map(|(a, noise)| 3.0 * a + noise).collect();
    let series = SeriesRows::new(vec![200]).unwrap();
    let found = measure(vec![Values::Numbers(a)], &Values::Numbers(target), Some(&series)).unwrap();
    let at = one(&found, 0, Transform::Levels, Method::Pearson);
    assert_eq!(found.best_lag[at], Some(0));
    assert!((found.value_at_best_lag[at].unwrap() - found.value[at]).abs() < 1e-12);
}

#[test]
fn p_values_are_adjusted_over_all_features() {
    let target = random(100, 1);
    let mixed = |weight: f64, seed| -> Values {
        let noise = random(100, seed);
        Values::Numbers(target.iter().zip(noise).map(|(value, noise)| weight * value + noise).collect())
    };
    let columns =
        vec![mixed(0.0, 11), mixed(0.3, 12), mixed(2.0, 13), levels((0..100).map(|row| row % 3).collect())];
    let found = measure(columns, &Values::Numbers(target.clone()), None).unwrap();
    assert_eq!(found.feature, [0, 0, 1, 1, 2, 2, 3]);
    assert!(found.transform.iter().all(|&transform| transform == Transform::Levels));
    for by_rank in [false, true] {
        let mut family: Vec<(f64, f64)> = (0..found.feature.len())
            .filter(|&at| (found.method[at] == Method::Spearman) == by_rank)
            .map(|at| (found.p_value[at], found.p_adjusted[at]))
            .collect();
        family.sort_by(|one, other| one.0.total_cmp(&other.0));
        let count = family.len() as f64;
        assert_close(
            family[0].1,
            (0..family.len()).map(|at| family[at].0 * count / (at + 1) as f64).fold(1.0, f64::min),
        );
        assert!(family.is_sorted_by(|one, other| one.1 <= other.1));
        assert_close(family[family.len() - 1].1, family[family.len() - 1].0);
    }
}

#[test]
fn a_target_of_classes_has_ratios_and_contingency() {
    let target = levels((0..90).map(|row| row % 3).collect());
    let number = Values::Numbers((0..90).map(|row| f64::from(row % 3) + noise(row as usize, 2)).collect());
    let category = levels((0..90).map(|row| row % 3 + u32::from(row % 10 == 0)).collect());
    let series = SeriesRows::new(vec![90]).unwrap();
    let found = measure(vec![number, category], &target, Some(&series)).unwrap();
    assert_eq!(found.method, [Method::CorrelationRatio, Method::CramersV]);
    assert!(found.value.iter().all(|&value| value > 0.8) && found.best_lag.iter().all(Option::is_none));
}

#[test]
fn whole_series_are_taken_where_there_are_too_many_rows() {
    let series = SeriesRows::new((1..=40).map(|index| index * 100).collect()).unwrap();
    let target: Vec<f64> = random(4_000, 1);
    let feature: Vec<f64> = (0..4_000).map(|row| if row % 100 < 3 { 0.0 } else { target[row - 3] }).collect();
    let options = FeatureTargetOptions { max_rows: 1_050, ..FeatureTargetOptions::default() };
    let columns = features(vec![Values::Numbers(feature)]);
    let found =
        feature_target(&columns, &Values::Numbers(target), Some(&series), &options, &|| false).unwrap();
    let at = one(&found, 0, Transform::Levels, Method::Pearson);
    assert_eq!((found.n[at], found.best_lag[at]), (1_000, Some(-3)));
}

#[test]
fn hostile_values_give_finite_measures() {
    let series = SeriesRows::new(vec![0, 60, 60, 120]).unwrap();
    let target: Vec<f64> =
        (0..120).map(|row| if row == 3 { -f64::MAX } else { 1e300 * noise(row, 1) }).collect();
    let columns = vec![
        Values::Numbers((0..120).map(|row| if row == 4 { f64::MAX } else { noise(row, 2) }).collect()),
        Values::Numbers(
            (0..120).map(|row| if row % 5 == 0 { f64::INFINITY } else { noise(row, 3) }).collect(),
        ),
        Values::Numbers(vec![2.0; 120]),
        Values::Numbers(vec![f64::NAN; 120]),
        levels((0..120).map(|row| if row < 80 { u32::MAX } else { row % 2 }).collect()),
        Values::Numbers((0..120).map(|row| if row < 60 { 1.0 } else { 2.0 }).collect()),
    ];
    let found = measure(columns, &Values::Numbers(target), Some(&series)).unwrap();
    assert!(found.value.iter().all(|value| value.abs() <= 1.0));
    assert!(found.p_value.iter().chain(&found.p_adjusted).all(|p| (0.0..=1.0).contains(p)));
    assert!(found.value_at_best_lag.iter().flatten().all(|value| value.abs() <= 1.0));
    assert_eq!(found.features.len(), 6);
    assert!(found.feature.iter().all(|feature| ![2, 3, 4].contains(feature)));
}

#[test]
fn reasons_are_given_where_there_is_nothing_to_say() {
    let number = |count| Values::Numbers(random(count, 1));
    assert_eq!(measure(vec![number(49)], &number(49), None), Err(Skip::NotEnoughRows));
    assert_eq!(
        measure(vec![number(60)], &Values::Numbers(vec![f64::NAN; 60]), None),
        Err(Skip::NotEnoughRows)
    );
    assert_eq!(measure(vec![number(60)], &Values::Numbers(vec![5.0; 60]), None), Err(Skip::NoFeatures));
    assert_eq!(measure(vec![Values::Numbers(vec![5.0; 60])], &number(60), None), Err(Skip::NoFeatures));
    let mostly_missing =
        Values::Numbers((0..60).map(|row| if row < 49 { noise(row, 1) } else { f64::NAN }).collect());
    assert_eq!(measure(vec![mostly_missing], &number(60), None), Err(Skip::NotEnoughRows));
    let options = FeatureTargetOptions::default();
    assert_eq!(
        feature_target(&features(vec![number(60)]), &number(60), None, &options, &|| true),
        Err(Skip::Timeout)
    );
}

#[test]
#[should_panic(expected = "rows of the target")]
fn another_count_of_rows_is_a_mistake_of_the_caller() {
    let _ = measure(vec![Values::Numbers(vec![1.0; 60])], &Values::Numbers(vec![1.0; 61]), None);
}

/// A store with higher prices sells more, and within each store a promotion lowers the price by as much as it sells
/// more.
#[test]
fn levels_of_several_series_are_those_within_them() {
    let series = SeriesRows::new(vec![80, 160, 240, 320]).unwrap();
    let promoted = |row: usize| f64::from(u8::from(noise(row, 9) > 0.8));
    let scale = |row: usize| [1.0, 10.0, 100.0, 1000.0][row / 80];
    let promo = Values::Numbers((0..320).map(promoted).collect());
    let price = Values::Numbers((0..320).map(|row| scale(row) * (5.0 - promoted(row))).collect());
    // One series never has a promotion: it says nothing of it.
    let rare =
        Values::Numbers((0..320).map(|row| if row < 80 { 0.0 } else { promoted(row) }).collect::<Vec<_>>());
    let sales: Vec<f64> =
        (0..320).map(|row| scale(row) * (20.0 + 4.0 * promoted(row) + noise(row, 3))).collect();
    let found =
        measure(vec![promo.clone(), price.clone(), rare], &Values::Numbers(sales), Some(&series)).unwrap();
    for transform in [Transform::Levels, Transform::FirstDifferences] {
        for (feature, sign, n) in [(0, 1.0, 320), (1, -1.0, 320), (2, 1.0, 240)] {
            let at = one(&found, feature, transform, Method::Pearson);
            assert!(found.value[at] * sign > 0.9, "{transform:?} {feature}: {}", found.value[at]);
            assert_eq!(found.best_lag[at], Some(0));
            assert!((found.value_at_best_lag[at].unwrap() - found.value[at]).abs() < 1e-11);
            assert_eq!(found.n[at] as usize, if transform == Transform::Levels { n } else { n - n / 80 });
        }
    }
    let options = FeatureFeatureOptions::default();
    let among = feature_feature(&features(vec![promo, price]), Some(&series), &options, &|| false).unwrap();
    assert!(among.pairs.value.iter().all(|value| (value + 1.0).abs() < 1e-9), "{:?}", among.pairs);
}
