//! Monotone features, by property.

use proptest::prelude::*;
use tabcast_trees::boosting::{Loss, Monotone, Params};

use crate::generated::{Data, Random, growths};

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Data that fights the directions: the target depends on the features in any way and has missing values and noise.
    #[test]
    fn predictions_move_only_as_allowed(seed in 1_u64..1_000_000, loss in 0..4_usize, grower in 0..2_usize) {
        let mut random = Random(seed);
        let columns: Vec<Vec<f64>> = (0..3)
            .map(|_| (0..200).map(|_| if random.below(12) == 0 { f64::NAN } else { random.below(20) as f64 }).collect())
            .collect();
        let wave = [random.bell(), random.bell(), random.bell()];
        let target = (0..200)
            .map(|row| {
                let part = |at: usize| (wave[at] * columns[at][row]).sin() * 2.0;
                let sum: f64 = (0..3).map(part).filter(|part| !part.is_nan()).sum();
                (sum + random.bell()).abs()
            })
            .collect();
        let mut data = Data::numeric(columns, target);
        let loss = [Loss::SquaredError, Loss::Pinball { levels: vec![0.1, 0.5, 0.9] }, Loss::Poisson, Loss::Huber { delta: 0.5 }][loss].clone();
        let params = Params {
            growth: growths()[grower],
            rounds: 10,
            min_rows: 3,
            learning_rate: 0.5,
            monotone: vec![Monotone::Rising, Monotone::Falling, Monotone::Free],
            ..Params::new(loss)
        };
        let (ensemble, _) = data.train(&params);
        for (feature, sign) in [(0, 1.0), (1, -1.0)] {
            let others = [random.below(20) as f64, random.below(20) as f64, f64::NAN][random.below(3)];
            data.columns = vec![vec![others; 21]; 3];
            data.columns[feature] = (0..21).map(|value| f64::from(value) - 0.5).collect();
            data.target = vec![0.0; 21];
            let predicted = data.predict(&ensemble);
            for output in 0..ensemble.outputs {
                let line: Vec<f64> = predicted.iter().skip(output).step_by(ensemble.outputs).map(|value| sign * value).collect();
                prop_assert!(line.is_sorted_by(|a, b| *a <= *b + 1e-12), "feature {feature}: {line:?}");
            }
        }
    }
}

#[test]
fn a_direction_that_the_data_have_costs_little() {
    let (train, test) = (Data::friedman(4000, 1), Data::friedman(4000, 2));
    let mut monotone = vec![Monotone::Free; 10];
    (monotone[3], monotone[4]) = (Monotone::Rising, Monotone::Rising);
    for growth in growths() {
        let params = Params { growth, rounds: 200, ..Params::new(Loss::SquaredError) };
        let free = test.r2(&train.train(&params).0);
        let bound = test.r2(&train.train(&Params { monotone: monotone.clone(), ..params }).0);
        assert!(bound > free - 0.01, "{growth:?}: {bound} against {free}");
    }
}
