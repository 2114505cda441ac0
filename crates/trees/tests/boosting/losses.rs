//! What each loss learns.

use tabcast_trees::boosting::{Loss, Params};

use crate::generated::{Data, Random, growths};

/// A target drawn by `draw` from a wave of two features.
fn drawn(rows: usize, seed: u64, draw: impl Fn(f64, &mut Random) -> f64) -> Data {
    let mut random = Random(seed);
    let columns: Vec<Vec<f64>> = (0..4).map(|_| (0..rows).map(|_| random.unit()).collect()).collect();
    let target =
        (0..rows).map(|row| draw((6.0 * columns[0][row]).sin() + columns[1][row], &mut random)).collect();
    Data::numeric(columns, target)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn quantiles_cover_their_share_and_do_not_cross() {
    // The spread depends on a feature, so that constant distances between levels would not do.
    let draw = |wave: f64, random: &mut Random| 3.0 * wave + (0.2 + wave.abs()) * random.bell();
    let (train, test) = (drawn(6000, 1, draw), drawn(6000, 2, draw));
    let levels = vec![0.1, 0.5, 0.9];
    for growth in growths() {
        let params = Params { growth, rounds: 150, ..Params::new(Loss::Pinball { levels: levels.clone() }) };
        let (ensemble, _) = train.train(&params);
        assert!(ensemble.trees.iter().all(|tree| tree.width == 3));
        let predicted = test.predict(&ensemble);
        assert!(predicted.chunks(3).all(|row| row[0] <= row[1] && row[1] <= row[2]));
        for (at, level) in levels.iter().enumerate() {
            let below =
                predicted.chunks(3).zip(&test.target).filter(|(row, target)| **target <= row[at]).count();
            let share = below as f64 / 6000.0;
            assert!((share - level).abs() < 0.05, "{growth:?}, level {level}: {share}");
        }
        // What quantiles of the whole lose, and what the true ones would.
        let constant = train.train(&Params { rounds: 0, ..params.clone() }).0;
        assert!(test.loss(&ensemble, &params.loss) < 0.55 * test.loss(&constant, &params.loss));
    }
}

#[test]
fn huber_is_not_moved_by_outliers() {
    let draw = |wave: f64, random: &mut Random| {
        wave + 0.1 * random.bell() + if random.below(20) == 0 { 100.0 } else { 0.0 }
    };
    let dirty = drawn(3000, 3, draw);
    let huber = dirty.train(&Params::new(Loss::Huber { delta: 0.3 })).0;
    let squared = dirty.train(&Params::new(Loss::SquaredError)).0;
    let test = drawn(3000, 4, |wave, _| wave);
    assert!(
        test.r2(&huber) > 0.9 && test.r2(&huber) > test.r2(&squared),
        "{} {}",
        test.r2(&huber),
        test.r2(&squared)
    );
}

#[test]
fn probabilities_are_calibrated_and_separate() {
    for growth in growths() {
        let draw =
            |wave: f64, random: &mut Random| f64::from(random.unit() < 1.0 / (1.0 + (-4.0 * wave).exp()));
        let (train, test) = (drawn(5000, 5, draw), drawn(5000, 6, draw));
        let params = Params { growth, ..Params::new(Loss::Logistic) };
        let (ensemble, _) = train.train(&params);
        let predicted = test.predict(&ensemble);
        assert!((mean(&predicted) - mean(&test.target)).abs() < 0.03);
        // The entropy of the true probabilities is about 0.33, that of the overall share 0.6.
        let constant = train.train(&Params { rounds: 0, ..params.clone() }).0;
        assert!(test.loss(&ensemble, &params.loss) < 0.75 * test.loss(&constant, &params.loss));

        let draw =
            |wave: f64, random: &mut Random| (wave + 0.1 * random.bell() + 1.2).clamp(0.0, 2.99).floor();
        let (train, test) = (drawn(4000, 7, draw), drawn(4000, 8, draw));
        let (ensemble, _) = train.train(&Params { growth, ..Params::new(Loss::Softmax { classes: 3 }) });
        assert_eq!(ensemble.outputs, 3);
        let predicted = test.predict(&ensemble);
        let right = predicted.chunks(3).zip(&test.target).filter(|(row, target)| {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            row.iter().all(|&share| share <= row[**target as usize])
        });
        let right = right.count();
        assert!(right > 3500, "{growth:?}: {right} of 4000");
    }
}

#[test]
fn counts_and_amounts_are_met_on_average() {
    let count = |wave: f64, random: &mut Random| {
        // Knuth's product of uniform numbers.
        let (limit, mut product, mut count) = ((-wave.exp()).exp(), random.unit(), 0.0);
        while product > limit {
            product *= random.unit();
            count += 1.0;
        }
        count
    };
    let amount = |wave: f64, random: &mut Random| {
        if random.below(2) == 0 { 0.0 } else { -(1.0 - random.unit()).ln() * wave.exp() }
    };
    for growth in growths() {
        for (loss, train, test) in [
            (Loss::Poisson, drawn(5000, 9, count), drawn(5000, 10, count)),
            (Loss::Tweedie { power: 1.5 }, drawn(5000, 9, amount), drawn(5000, 10, amount)),
        ] {
            let params = Params { growth, rounds: 150, learning_rate: 0.05, ..Params::new(loss) };
            let (ensemble, _) = train.train(&params);
            let constant = train.train(&Params { rounds: 0, ..params.clone() }).0;
            // Where the derivative by a common shift is zero: sums of mean^(2 - power) and target mean^(1 - power)
            // are equal.
            let power = if let Loss::Tweedie { power } = params.loss { power } else { 1.0 };
            let predicted = train.predict(&ensemble);
            let mean: f64 = predicted.iter().map(|mean| mean.powf(2.0 - power)).sum();
            let pairs = predicted.iter().zip(&train.target);
            let target: f64 = pairs.map(|(mean, target)| target * mean.powf(1.0 - power)).sum();
            assert!((target / mean - 1.0).abs() < 0.02, "{:?}: {target} {mean}", params.loss);
            assert!(test.loss(&ensemble, &params.loss) < test.loss(&constant, &params.loss) - 0.01);
        }
        // Nothing but zeros, and a class that never comes: margins stay finite.
        let zeros = drawn(200, 11, |_, _| 0.0);
        for loss in
            [Loss::Poisson, Loss::Tweedie { power: 1.1 }, Loss::Logistic, Loss::Softmax { classes: 4 }]
        {
            let (ensemble, _) = zeros.train(&Params { growth, ..Params::new(loss) });
            assert!(zeros.predict(&ensemble).iter().all(|value| value.is_finite()));
        }
    }
}
