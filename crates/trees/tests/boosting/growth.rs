//! Trees, rounds, sampling, threads.

use tabcast_trees::boosting::{Growth, Loss, Params};
use tabcast_trees::{Explainer, Feature, Rows, Split, Tree};

use crate::generated::{Data, Random, all, exact, growths};

#[test]
fn the_first_tree_of_four_rows_is_the_one_computed_by_hand() {
    let data = Data::numeric(vec![vec![4.0, 1.0, 3.0, 2.0]], vec![12.0, 0.0, 8.0, 0.0]);
    for growth in [Growth::LeafWise { leaves: 2, depth: None }, Growth::Oblivious { depth: 1 }] {
        let (ensemble, report) = data.train(&Params { l2: 2.0, ..exact(Loss::SquaredError, growth) });
        // The mean is 5; the residuals are -5, -5, 3, 7; with l2 the sums of 10 are divided by 2 + 2.
        assert_eq!(ensemble.base, [5.0]);
        let tree = &ensemble.trees[0];
        assert_eq!(
            (tree.threshold.as_slice(), tree.left.as_slice(), tree.right.as_slice()),
            (&[2.5][..], &[-1][..], &[-2][..])
        );
        assert_eq!(
            (tree.leaf_values.as_slice(), tree.leaf_cover.as_slice()),
            (&[-2.5, 2.5][..], &[2.0, 2.0][..])
        );
        assert_eq!(tree.cover, [4.0]);
        // Half of 10^2 / 4 on both sides, nothing at the root.
        assert!((tree.gain[0] - 25.0).abs() < 1e-4, "{}", tree.gain[0]);
        assert_eq!(report.importance, tree.gain);
        assert!((report.training_loss - 0.5 * (6.25 + 6.25 + 0.25 + 20.25) / 4.0).abs() < 1e-12);
    }
}

#[test]
fn friedmans_function_is_learnt_by_both_growers() {
    let (train, test) = (Data::friedman(5000, 1), Data::friedman(5000, 2));
    for growth in growths() {
        let params = Params { growth, rounds: 300, ..Params::new(Loss::SquaredError) };
        let (ensemble, report) = train.train(&params);
        let r2 = test.r2(&ensemble);
        assert!(r2 > 0.94, "{growth:?}: {r2}");
        let useful = report.importance[..5].iter().copied().fold(f64::INFINITY, f64::min);
        let useless = report.importance[5..].iter().copied().fold(0.0, f64::max);
        assert!(useful > 2.0 * useless, "{:?}", report.importance);
    }
}

#[test]
fn limits_of_leaves_depth_rows_and_gain_are_kept() {
    let data = Data::friedman(2000, 3);
    let growth = Growth::LeafWise { leaves: 40, depth: Some(6) };
    let (ensemble, _) = data.train(&Params { growth, min_rows: 30, rounds: 20, ..all(Loss::SquaredError) });
    for tree in &ensemble.trees {
        assert!(tree.leaves() <= 40 && depth(tree, 0) <= 6);
        assert!(tree.leaf_cover.iter().all(|&cover| cover >= 30.0), "{:?}", tree.leaf_cover);
    }
    let (ensemble, _) = data.train(&Params { min_gain: 1e9, ..Params::new(Loss::SquaredError) });
    assert!(ensemble.trees.is_empty());
}

fn depth(tree: &Tree, child: i32) -> usize {
    if child < 0 {
        return 0;
    }
    1 + depth(tree, tree.left[child as usize]).max(depth(tree, tree.right[child as usize]))
}

#[test]
fn oblivious_trees_have_one_split_a_level() {
    let data = Data::friedman(500, 4);
    let (ensemble, _) = data.train(&Params {
        growth: Growth::Oblivious { depth: 8 },
        rounds: 5,
        ..Params::new(Loss::SquaredError)
    });
    for tree in &ensemble.trees {
        assert_eq!(tree.leaves(), 256);
        for level in 0..8 {
            let nodes = (1 << level) - 1..(2 << level) - 1;
            let first = nodes.start;
            for node in nodes {
                assert_eq!(
                    (tree.feature[node], tree.threshold[node], tree.missing_left[node]),
                    (tree.feature[first], tree.threshold[first], tree.missing_left[first])
                );
            }
        }
    }
}

#[test]
fn early_stopping_keeps_the_best_round() {
    let mut random = Random(5);
    let noise = |random: &mut Random| {
        let columns: Vec<Vec<f64>> = (0..5).map(|_| (0..300).map(|_| random.unit()).collect()).collect();
        let target = (0..300).map(|row| columns[0][row] + random.bell()).collect();
        Data::numeric(columns, target)
    };
    let (train, valid) = (noise(&mut random), noise(&mut random));
    let params = Params { rounds: 500, patience: Some(10), ..Params::new(Loss::SquaredError) };
    let (ensemble, report) = train.train_with(&params, Some(&valid));
    assert!(report.rounds < 500 && report.best_round + 10 == report.rounds, "{report:?}");
    assert_eq!((ensemble.trees.len(), report.validation_losses.len()), (report.best_round, report.rounds));
    let least = report.validation_losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((valid.loss(&ensemble, &params.loss) - least).abs() < 1e-12);
}

#[test]
fn any_number_of_threads_gives_the_same_trees() {
    // Enough rows that few features make several tasks share one histogram.
    let mut data = Data::friedman(40_000, 6);
    let codes = (0..40_000).map(|row| f64::from(row * 7919 % 40)).collect();
    data.columns.push(codes);
    data.features.push(Feature::categorical("c", Vec::new()));
    let wide = Data {
        columns: [data.columns.clone(), data.columns.clone()].concat(),
        features: [data.features.clone(), data.features.clone()].concat(),
        ..data.clone()
    };
    let losses = [Loss::SquaredError, Loss::Pinball { levels: vec![0.1, 0.9] }, Loss::Poisson];
    for (data, growth) in [(&data, growths()[0]), (&wide, growths()[0]), (&data, growths()[1])] {
        for loss in &losses {
            let mut data = data.clone();
            data.target.iter_mut().for_each(|target| *target = target.abs());
            let params = Params {
                growth,
                rounds: 3,
                row_fraction: 0.8,
                column_fraction: 0.7,
                ..Params::new(loss.clone())
            };
            let trained = [1, 2, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
                pool.install(|| data.train(&params))
            });
            let bytes = trained.each_ref().map(|(ensemble, _)| {
                let mut file = Vec::new();
                ensemble.write(&mut file).expect("memory takes all bytes");
                file
            });
            assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2]);
            assert_eq!(trained[0].1, trained[2].1);
        }
    }
}

#[test]
fn samples_depend_on_the_seed_and_cover_all_rows_all_the_same() {
    let data = Data::friedman(3000, 7);
    let params = Params {
        rounds: 40,
        row_fraction: 0.5,
        column_fraction: 0.3,
        seed: 1,
        ..Params::new(Loss::SquaredError)
    };
    let (first, _) = data.train(&params);
    assert_eq!(data.train(&params).0, first);
    assert_ne!(data.train(&Params { seed: 2, ..params.clone() }).0, first);
    for tree in &first.trees {
        let mut used = tree.feature.clone();
        used.sort_unstable();
        used.dedup();
        assert!(used.len() <= 3, "{used:?}");
        assert_eq!(tree.cover[0], 3000.0);
    }
    assert!(data.r2(&first) > 0.5);
}

#[test]
fn weights_count_as_repetitions() {
    let mut data = Data::friedman(300, 8);
    let counts: Vec<usize> = (0..300).map(|row| row % 4).collect();
    let repeat = |values: &[f64]| -> Vec<f64> {
        values.iter().zip(&counts).flat_map(|(&value, &count)| vec![value; count]).collect()
    };
    let columns = data.columns.iter().map(|column| repeat(column)).collect();
    let repeated = Data::numeric(columns, repeat(&data.target));
    data.weights = Some(counts.iter().map(|&count| count as f64).collect());
    for growth in growths() {
        for loss in [Loss::SquaredError, Loss::Huber { delta: 2.0 }] {
            // Bins of the same borders, and no limit in rows, which are estimated where there are weights.
            let params = Params { growth, min_rows: 0, min_bin_rows: 1, rounds: 3, ..all(loss) };
            for column in &mut data.columns {
                for value in column {
                    *value = (*value * 50.0).round();
                }
            }
            let columns = data.columns.iter().map(|column| repeat(column)).collect();
            let repeated = Data { columns, ..repeated.clone() };
            let (weighted, _) = data.train(&params);
            let (plain, _) = repeated.train(&params);
            let differences =
                data.predict(&weighted).into_iter().zip(data.predict(&plain)).map(|(a, b)| (a - b).abs());
            let largest = differences.fold(0.0, f64::max);
            assert!(largest < 1e-9, "{growth:?} {:?}: {largest}", params.loss);
            assert_eq!(weighted.trees[0].cover[0], plain.trees[0].cover[0]);
        }
    }
}

#[test]
fn all_splits_of_numbers_are_thresholds() {
    let (ensemble, _) = Data::friedman(500, 9).train(&Params::new(Loss::SquaredError));
    let tree = &ensemble.trees[0];
    assert!((0..tree.nodes()).all(|node| matches!(tree.split(node), Split::Threshold(_))));
}

#[test]
fn explanations_of_grown_trees_add_up() {
    let mut data = Data::friedman(800, 10);
    data.features.push(Feature::categorical("c", Vec::new()));
    data.columns.push((0..800).map(|row| f64::from(row * 31 % 12)).collect());
    for row in 0..800 {
        data.target[row] += data.columns[10][row].sin() * 3.0;
        data.columns[row % 10][row] = f64::NAN;
    }
    for growth in growths() {
        for loss in [Loss::SquaredError, Loss::Pinball { levels: vec![0.2, 0.8] }] {
            let (ensemble, _) = data.train(&Params { growth, rounds: 30, ..Params::new(loss) });
            let columns: Vec<&[f64]> = data.columns.iter().map(Vec::as_slice).collect();
            let rows = Rows::new(&columns).expect("equal lengths");
            let explained = Explainer::new(&ensemble).and_then(|explainer| explainer.explain(&rows));
            assert!(explained.is_ok_and(|explained| explained.max_additivity_error < 1e-12), "{growth:?}");
        }
    }
}
