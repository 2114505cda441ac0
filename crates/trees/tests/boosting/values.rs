//! Unusual values: missing, infinite, constant, very few.

use tabcast_trees::Feature;
use tabcast_trees::boosting::{Loss, Params};

use crate::generated::{Data, Random, all, exact, growths};

#[test]
fn missing_values_go_where_they_lower_the_loss() {
    for growth in growths() {
        for missing_is_high in [false, true] {
            let column = (0..100).map(|row| if row % 5 == 0 { f64::NAN } else { f64::from(row) }).collect();
            let target = (0..100)
                .map(|row| f64::from(if row % 5 == 0 { missing_is_high } else { row > 50 }))
                .collect();
            let data = Data::numeric(vec![column], target);
            let (ensemble, report) = data.train(&exact(Loss::SquaredError, growth));
            assert!(report.training_loss < 1e-12, "{growth:?} {report:?}");
            assert_eq!(ensemble.trees[0].missing_left[0], !missing_is_high);
        }
    }
}

#[test]
fn missing_alone_can_be_what_matters() {
    for growth in growths() {
        let column = (0..100).map(|row| if row < 30 { f64::NAN } else { f64::from(row % 7) }).collect();
        let data = Data::numeric(vec![column], (0..100).map(|row| f64::from(row < 30)).collect());
        let (ensemble, report) = data.train(&exact(Loss::SquaredError, growth));
        assert!(report.training_loss < 1e-12);
        // Every value goes one way, an infinite one too.
        assert_eq!(ensemble.trees[0].threshold[0], f64::INFINITY);
        let probe = Data { columns: vec![vec![f64::INFINITY, -1e9, f64::NAN]], target: vec![0.0; 3], ..data };
        let predicted = probe.predict(&ensemble);
        assert!(
            predicted[0].abs() < 1e-9 && predicted[1].abs() < 1e-9 && predicted[2] > 0.99,
            "{predicted:?}"
        );
    }
}

#[test]
fn values_without_a_missing_one_in_training_send_it_to_the_larger_side() {
    let data = Data::numeric(
        vec![(0..10).map(f64::from).collect()],
        (0..10).map(|row| f64::from(row > 6)).collect(),
    );
    for growth in growths() {
        let (ensemble, _) = data.train(&exact(Loss::SquaredError, growth));
        assert!(ensemble.trees[0].missing_left[0]);
    }
}

#[test]
fn infinite_values_are_the_ends_of_the_line() {
    let column = vec![f64::NEG_INFINITY, -1e308, 0.0, 1e308, f64::INFINITY, f64::NEG_INFINITY];
    let target = vec![1.0, 2.0, 3.0, 4.0, 5.0, 1.0];
    let data = Data::numeric(vec![column], target.clone());
    for growth in growths() {
        let (ensemble, _) = data.train(&exact(Loss::SquaredError, growth));
        assert!(data.predict(&ensemble).iter().zip(&target).all(|(a, b)| (a - b).abs() < 1e-9));
    }
}

#[test]
fn nothing_to_learn_gives_no_tree_and_a_good_constant() {
    let mut random = Random(1);
    let column: Vec<f64> = (0..50).map(|_| random.unit()).collect();
    let missing = vec![f64::NAN; 50];
    for growth in growths() {
        let constant = Data::numeric(vec![column.clone(), missing.clone()], vec![0.1; 50]);
        for loss in [Loss::SquaredError, Loss::Huber { delta: 1.0 }, Loss::Pinball { levels: vec![0.1, 0.9] }]
        {
            let (ensemble, _) = constant.train(&Params { growth, ..all(loss) });
            assert!(constant.predict(&ensemble).iter().all(|&value| value == 0.1));
        }
        let useless = Data::numeric(vec![missing.clone(), vec![3.0; 50]], column.clone());
        let (ensemble, report) = useless.train(&Params { growth, ..all(Loss::SquaredError) });
        assert!(ensemble.trees.is_empty() && report.rounds == 0, "{report:?}");
        let one = Data::numeric(vec![vec![1.0]], vec![7.0]);
        let (ensemble, _) = one.train(&exact(Loss::SquaredError, growth));
        assert_eq!(one.predict(&ensemble), [7.0]);
    }
}

#[test]
fn zeros_that_count_as_missing_are_missing_in_training_too() {
    let column = (0..40).map(|row| if row % 4 == 0 { 0.0 } else { f64::from(row) }).collect();
    let mut data = Data::numeric(vec![column], (0..40).map(|row| f64::from(row % 4 == 0)).collect());
    data.features = vec![Feature { zero_is_missing: true, ..Feature::numeric("x") }];
    let (_, report) = data.train(&exact(Loss::SquaredError, growths()[0]));
    assert!(report.training_loss < 1e-12);
}
