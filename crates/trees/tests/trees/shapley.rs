//! Shapley values against their definition, and what holds for them whatever the trees.

use proptest::prelude::*;
use tabcast_trees::{Ensemble, Explainer, Explanation, Rows};

use crate::brute;
use crate::random::{Kind, Random, columns, ensemble, slices};

fn explain(ensemble: &Ensemble, columns: &[Vec<f64>]) -> Explanation {
    let slices = slices(columns);
    Explainer::new(ensemble).unwrap().explain(&Rows::new(&slices).unwrap()).unwrap()
}

fn row(columns: &[Vec<f64>], at: usize) -> Vec<f64> {
    columns.iter().map(|column| column[at]).collect()
}

fn equals_brute_force(kind: Kind, seed: u64) {
    let mut random = Random(seed);
    let ensemble = ensemble(kind, &mut random);
    let columns = columns(kind.features, 11, &mut random);
    let explanation = explain(&ensemble, &columns);
    assert!(explanation.max_additivity_error < 1e-12, "additivity {}", explanation.max_additivity_error);
    for output in 0..kind.outputs {
        for at in 0..11 {
            let values = brute::values(&ensemble, output, &row(&columns, at));
            assert!((explanation.base[output] - values[0]).abs() < 1e-10, "base, seed {seed}");
            let margin = explanation.margins[output * 11 + at];
            assert!((margin - values[values.len() - 1]).abs() < 1e-10, "margin, seed {seed}");
            for feature in 0..kind.features {
                let expected = brute::shapley(&values, kind.features, feature);
                let found = explanation.column(output, feature)[at];
                assert!((found - expected).abs() < 1e-10, "seed {seed}: {found} is not {expected}");
            }
        }
    }
}

#[test]
fn values_equal_brute_force_over_all_subsets() {
    for seed in 0..12 {
        equals_brute_force(Kind::plain(10, 3, 9), seed);
        // Three features on paths of up to eight splits: nearly every split repeats a feature.
        equals_brute_force(Kind::plain(3, 4, 8), seed);
        equals_brute_force(Kind { stop: 0.0, ..Kind::plain(7, 3, 6) }, seed);
    }
}

#[test]
fn values_equal_brute_force_where_no_training_row_went() {
    for seed in 0..12 {
        equals_brute_force(Kind { zero_cover: 0.4, ..Kind::plain(5, 4, 6) }, seed);
        equals_brute_force(Kind { zero_cover: 1.0, ..Kind::plain(4, 2, 4) }, seed);
    }
}

#[test]
fn values_equal_brute_force_for_several_outputs() {
    for seed in 0..8 {
        equals_brute_force(Kind { outputs: 3, ..Kind::plain(5, 7, 5) }, seed);
        equals_brute_force(Kind { outputs: 3, wide: true, ..Kind::plain(5, 4, 5) }, seed);
        equals_brute_force(Kind { outputs: 2, wide: true, symmetric: true, ..Kind::plain(6, 3, 4) }, seed);
    }
}

#[test]
fn values_equal_brute_force_for_tables_of_symmetric_trees_and_for_stumps() {
    for seed in 0..12 {
        equals_brute_force(Kind { symmetric: true, ..Kind::plain(8, 3, 6) }, seed);
        equals_brute_force(Kind { symmetric: true, zero_cover: 0.3, ..Kind::plain(3, 3, 5) }, seed);
        equals_brute_force(Kind { stop: 0.5, ..Kind::plain(4, 6, 1) }, seed);
        equals_brute_force(Kind::plain(4, 3, 0), seed);
    }
}

#[test]
fn more_points_change_nothing() {
    for seed in 0..6 {
        for depth in [3, 6, 8, 17, 30] {
            let mut random = Random(seed);
            let kind = Kind { stop: if depth > 9 { 0.4 } else { 0.1 }, ..Kind::plain(40, 5, depth) };
            let ensemble = ensemble(kind, &mut random);
            let columns = columns(40, 20, &mut random);
            let slices = slices(&columns);
            let rows = Rows::new(&slices).unwrap();
            let exact = Explainer::new(&ensemble).unwrap().explain(&rows).unwrap();
            // At most 20 points are needed for paths of 40 features; this is at least twice as many.
            let more = Explainer::with_more_points(&ensemble, 20).unwrap().explain(&rows).unwrap();
            for (a, b) in exact.values.iter().zip(&more.values) {
                assert!((a - b).abs() <= 1e-12, "depth {depth}, seed {seed}: {a} is not {b}");
            }
        }
    }
}

/// A path that splits on one feature after the other, far deeper than any pass has points for.
#[test]
fn long_chains_of_features_are_exact() {
    let mut random = Random(5);
    let kind = Kind { stop: 0.48, ..Kind::plain(60, 30, 60) };
    let ensemble = ensemble(kind, &mut random);
    let columns = columns(60, 64, &mut random);
    let explanation = explain(&ensemble, &columns);
    assert!(explanation.max_additivity_error < 1e-12, "additivity {}", explanation.max_additivity_error);
}

#[test]
fn every_row_adds_up_whatever_the_block_and_the_threads() {
    let mut random = Random(77);
    let ensemble = ensemble(Kind { outputs: 2, ..Kind::plain(12, 60, 7) }, &mut random);
    let columns = columns(12, 1003, &mut random);
    let slices = slices(&columns);
    let rows = Rows::new(&slices).unwrap();
    let explainer = Explainer::new(&ensemble).unwrap();
    let whole = explainer.explain(&rows).unwrap();
    let mut margins = vec![0.0; 1003 * 2];
    ensemble.margins(&rows, &mut margins).unwrap();
    for at in 0..1003 {
        for output in 0..2 {
            let sum: f64 = (0..12).map(|feature| whole.column(output, feature)[at]).sum();
            let margin = margins[at * 2 + output];
            assert_eq!(margin, whole.margins[output * 1003 + at]);
            assert!((whole.base[output] + sum - margin).abs() <= 1e-9 * margin.abs().max(1.0));
        }
    }
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let three = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert_eq!(whole, one.install(|| explainer.explain(&rows).unwrap()));
    assert_eq!(whole, three.install(|| explainer.explain(&rows).unwrap()));
    let mut seen = 0;
    explainer
        .stream(&rows, 300, |first, part| {
            for output in 0..2 {
                for feature in 0..12 {
                    let expected = &whole.column(output, feature)[first..first + part.rows];
                    assert_eq!(part.column(output, feature), expected);
                }
            }
            seen += part.rows;
        })
        .unwrap();
    assert_eq!(seen, 1003);
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let ensemble = ensemble(Kind::plain(3, 2, 3), &mut Random(1));
    let explainer = Explainer::new(&ensemble).unwrap();
    let (long, short) = ([0.0; 4], [0.0; 3]);
    assert!(Rows::new(&[&long, &short]).unwrap_err().to_string().contains("column 1 has 3 rows"));
    let two = [&long[..], &long];
    let error = explainer.explain(&Rows::new(&two).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "arrays do not fit: 2 columns for a model of 3 features");
    let none: [&[f64]; 3] = [&[], &[], &[]];
    assert!(explainer.explain(&Rows::new(&none).unwrap()).unwrap().values.is_empty());
}

fn kinds() -> impl Strategy<Value = (Kind, u64)> {
    (2usize..12, 1usize..6, 0usize..9, prop::bool::ANY, any::<u64>()).prop_map(
        |(features, trees, depth, symmetric, seed)| {
            (
                Kind {
                    symmetric,
                    depth: if symmetric { depth.min(7) } else { depth },
                    ..Kind::plain(features, trees, depth)
                },
                seed,
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_feature_that_no_split_uses_gets_nothing((kind, seed) in kinds()) {
        let mut random = Random(seed);
        let mut ensemble = ensemble(kind, &mut random);
        let columns = columns(kind.features + 1, 9, &mut random);
        ensemble.features.push(tabcast_trees::Feature::numeric("unused"));
        let explanation = explain(&ensemble, &columns);
        prop_assert!(explanation.column(0, kind.features).iter().all(|&value| value == 0.0));
    }

    #[test]
    fn swapping_two_equal_columns_swaps_their_values((kind, seed) in kinds()) {
        let mut random = Random(seed);
        let ensemble = ensemble(kind, &mut random);
        let mut columns = columns(kind.features, 9, &mut random);
        // A copy of feature 0 at the end; the trees are grown once with one of them, once with the other.
        columns.push(columns[0].clone());
        let copy = kind.features as u32;
        let mut one = ensemble.clone();
        one.features.push(ensemble.features[0].clone());
        for tree in &mut one.trees {
            for (node, feature) in tree.feature.iter_mut().enumerate() {
                if *feature == 0 && node % 2 == 1 { *feature = copy; }
            }
        }
        let mut other = one.clone();
        for feature in other.trees.iter_mut().flat_map(|tree| &mut tree.feature) {
            *feature = match *feature { 0 => copy, f if f == copy => 0, f => f };
        }
        let (one, other) = (explain(&one, &columns), explain(&other, &columns));
        for at in 0..9 {
            prop_assert!((one.column(0, 0)[at] - other.column(0, copy as usize)[at]).abs() < 1e-13);
            prop_assert!((one.column(0, copy as usize)[at] - other.column(0, 0)[at]).abs() < 1e-13);
        }
    }

    #[test]
    fn values_of_a_sum_of_ensembles_are_sums_of_values((kind, seed) in kinds()) {
        let mut random = Random(seed);
        let (one, other) = (ensemble(kind, &mut random), ensemble(kind, &mut random));
        let columns = columns(kind.features, 9, &mut random);
        let mut both = one.clone();
        both.trees.extend(other.trees.iter().cloned());
        both.base[0] += other.base[0];
        let (both, one, other) = (explain(&both, &columns), explain(&one, &columns), explain(&other, &columns));
        for ((both, one), other) in both.values.iter().zip(&one.values).zip(&other.values) {
            prop_assert!((both - one - other).abs() < 1e-12);
        }
    }
}
