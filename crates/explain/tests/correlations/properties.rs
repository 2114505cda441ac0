//! What holds for every table.

use proptest::prelude::*;
use tabcast_explain::{
    FeatureFeature, FeatureFeatureOptions, FeatureTargetOptions, Method, Values, feature_feature,
    feature_target,
};

use crate::support::{features, first, levels};

fn measure(columns: Vec<Values>) -> Option<FeatureFeature> {
    feature_feature(&features(columns), None, &FeatureFeatureOptions::default(), &|| false).ok()
}

/// Few different numbers, so that there are ties, and some missing ones.
fn numbers() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(
        prop_oneof![9 => (-20..20_i32).prop_map(|value| f64::from(value) / 4.0), 1 => Just(f64::NAN)],
        70,
    )
}

fn codes() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![9 => 0..4_u32, 1 => Just(u32::MAX)], 70)
}

fn shuffled<T: Copy>(values: &[T], by: usize) -> Vec<T> {
    // 71 is prime and larger than the count, so that every place is met once.
    (1..=values.len()).map(|at| values[(at * by % 71) - 1]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn measures_stay_in_their_ranges_and_do_not_depend_on_the_order_of_columns(
        x in numbers(), y in numbers(), a in codes(), b in codes(),
    ) {
        let columns = vec![Values::Numbers(x), Values::Numbers(y), levels(a), levels(b)];
        let turned: Vec<Values> = columns.iter().rev().cloned().collect();
        let (Some(found), Some(turned)) = (measure(columns), measure(turned)) else { return Ok(()) };
        let mut order = found.order.clone();
        order.sort_unstable();
        prop_assert_eq!(order, (0..found.features.len() as u32).collect::<Vec<_>>());
        for at in 0..found.pairs.value.len() {
            let (value, method) = (found.pairs.value[at], found.pairs.method[at]);
            let least = if matches!(method, Method::Pearson | Method::Spearman) { -1.0 } else { 0.0 };
            prop_assert!((least..=1.0).contains(&value));
            prop_assert!((0.0..=1.0).contains(&found.pairs.p_value[at]));
            let (a, b) = (3 - found.pairs.feature_b[at], 3 - found.pairs.feature_a[at]);
            let other = (0..turned.pairs.value.len())
                .find(|&at| (turned.pairs.feature_a[at], turned.pairs.feature_b[at], turned.pairs.method[at]) == (a, b, method));
            let other = other.map(|at| (turned.pairs.value[at], turned.pairs.n[at]));
            prop_assert!(other.is_some_and(|(other, n)| (other - value).abs() < 1e-7 && n == found.pairs.n[at]), "{other:?}");
        }
    }

    #[test]
    fn a_column_with_itself_is_one(x in numbers(), a in codes()) {
        for (method, values) in [(Method::Pearson, Values::Numbers(x.clone())), (Method::Spearman, Values::Numbers(x)), (Method::CramersV, levels(a))] {
            let Some(found) = measure(vec![values.clone(), values]) else { continue };
            let (value, _, p_value) = first(&found, method);
            prop_assert!((value - 1.0).abs() < 1e-12 && p_value < 1e-6, "{method:?}: {value} {p_value}");
            prop_assert!(found.pairs.redundant.iter().all(|&redundant| redundant));
        }
    }

    #[test]
    fn units_do_not_matter(x in numbers(), y in numbers(), scale in 1e-3..1e3_f64, shift in -1e3..1e3_f64, turn: bool) {
        let sign = if turn { -1.0 } else { 1.0 };
        let moved = Values::Numbers(x.iter().map(|value| sign * scale * value + shift).collect());
        let monotone = Values::Numbers(x.iter().map(|value| sign * (value / 3.0).exp()).collect());
        let (x, y) = (Values::Numbers(x), Values::Numbers(y));
        let Some(plain) = measure(vec![x, y.clone()]) else { return Ok(()) };
        let (moved, monotone) = (measure(vec![moved, y.clone()]).unwrap(), measure(vec![monotone, y]).unwrap());
        prop_assert!((first(&moved, Method::Pearson).0 - sign * first(&plain, Method::Pearson).0).abs() < 1e-9);
        for other in [moved, monotone] {
            prop_assert!((first(&other, Method::Spearman).0 - sign * first(&plain, Method::Spearman).0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_order_of_rows_does_not_matter(x in numbers(), y in numbers(), a in codes(), by in 2..70_usize) {
        let table = |x: &[f64], y: &[f64], a: &[u32]| vec![Values::Numbers(x.to_vec()), Values::Numbers(y.to_vec()), levels(a.to_vec())];
        let before = measure(table(&x, &y, &a));
        let after = measure(table(&shuffled(&x, by), &shuffled(&y, by), &shuffled(&a, by)));
        prop_assert_eq!(before.is_some(), after.is_some());
        if let (Some(before), Some(after)) = (before, after) {
            prop_assert_eq!(&before.pairs.n, &after.pairs.n);
            for (one, other) in before.pairs.value.iter().zip(&after.pairs.value) {
                // The square root of what rounding leaves of nothing.
                prop_assert!((one - other).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn with_a_target_it_is_as_with_another_feature(x in numbers(), y in numbers()) {
        let (x, y) = (Values::Numbers(x), Values::Numbers(y));
        let with_target = feature_target(&features(vec![x.clone()]), &y, None, &FeatureTargetOptions::default(), &|| false);
        if let Some(found) = measure(vec![x, y]) {
            let with_target = with_target.unwrap();
            prop_assert_eq!(&found.pairs.value, &with_target.value);
            prop_assert_eq!(&found.pairs.p_value, &with_target.p_adjusted);
        }
    }
}
