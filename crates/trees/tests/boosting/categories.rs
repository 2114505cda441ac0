//! Splits by sets of categories.

use tabcast_trees::boosting::{Growth, Loss, Params};
use tabcast_trees::{Feature, Split};

use crate::generated::{Data, Random, all, growths};

/// A feature of codes whose means are in no order, with a noise feature.
fn shuffled(levels: usize, rows: usize, seed: u64) -> Data {
    let mut random = Random(seed);
    let means: Vec<f64> = (0..levels).map(|_| random.bell()).collect();
    let codes: Vec<f64> = (0..rows).map(|_| random.below(levels) as f64).collect();
    let noise = (0..rows).map(|_| random.unit()).collect();
    let target = codes.iter().map(|&code| means[code as usize] + 0.3 * random.bell()).collect();
    let features = vec![Feature::categorical("c", Vec::new()), Feature::numeric("x")];
    Data { features, columns: vec![codes, noise], target, weights: None }
}

#[test]
fn sets_need_fewer_leaves_than_codes_in_order() {
    let data = shuffled(60, 6000, 1);
    let as_numbers = Data { features: vec![Feature::numeric("c"), Feature::numeric("x")], ..data.clone() };
    for growth in [Growth::LeafWise { leaves: 6, depth: None }, Growth::Oblivious { depth: 3 }] {
        let params = Params { growth, rounds: 40, ..all(Loss::SquaredError) };
        let (sets, _) = data.train(&params);
        let (order, _) = as_numbers.train(&params);
        let (sets, order) = (data.r2(&sets), as_numbers.r2(&order));
        assert!(sets > 0.85 && sets > order + 0.2, "{growth:?}: {sets} against {order}");
    }
}

#[test]
fn unseen_and_missing_categories_are_predicted_and_many_levels_fit() {
    let mut data = shuffled(400, 8000, 2);
    for row in 0..2000 {
        data.columns[0][row * 4] = f64::NAN;
        data.target[row * 4] = 9.0;
    }
    for growth in growths() {
        let (ensemble, _) = data.train(&Params { growth, ..all(Loss::SquaredError) });
        assert!(data.r2(&ensemble) > 0.9);
        let tree = &ensemble.trees[0];
        assert!((0..tree.nodes()).any(|node| matches!(tree.split(node), Split::Set(_))));
        let probe = Data {
            columns: vec![vec![f64::NAN, 5000.0, -1.0], vec![0.5; 3]],
            target: vec![0.0; 3],
            ..data.clone()
        };
        let predicted = probe.predict(&ensemble);
        assert!((predicted[0] - 9.0).abs() < 1.0 && predicted.iter().all(|value| value.is_finite()));
        // A code that training never saw is in no set, so all of them go one way.
        assert_eq!(predicted[1], predicted[2]);
    }
}

#[test]
fn two_categories_part_like_two_numbers() {
    let mut random = Random(3);
    let codes: Vec<f64> = (0..200).map(|_| random.below(2) as f64).collect();
    let target: Vec<f64> = codes.iter().map(|code| 3.0 * code).collect();
    for kind in [Feature::numeric("b"), Feature::categorical("b", vec!["no".into(), "yes".into()])] {
        for growth in growths() {
            let data = Data {
                features: vec![kind.clone()],
                columns: vec![codes.clone()],
                target: target.clone(),
                weights: None,
            };
            let params = Params {
                growth,
                learning_rate: 1.0,
                rounds: 1,
                categories: tabcast_trees::boosting::CategoryParams { l2: 0.0, ..Default::default() },
                ..all(Loss::SquaredError)
            };
            let (ensemble, report) = data.train(&params);
            assert!(report.training_loss < 1e-9, "{growth:?} {:?}", ensemble.trees);
        }
    }
}
