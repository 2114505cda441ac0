//! Weights of the members by greedy selection with replacement on held-back rows (Caruana et al., ICML 2004).

use rayon::prelude::*;
use tabcast_statistics::random;

use crate::Target;
use crate::loss::loss;

/// Number of steps; each adds one member, possibly one that was added before.
const STEPS: usize = 50;
/// Up to this many rows, the selection is repeated on bootstrap samples, and the mean of the weights is used: a single
/// selection would overfit.
const FEW_ROWS: usize = 5_000;
const DRAWS: u64 = 20;

/// One weight per member; the weights sum to 1. `predictions` are those of the held-back rows, one array per member. A
/// member whose loss is not finite has no weight. None if that is true of all members.
pub(crate) fn select(target: &Target, predictions: &[&[f64]], seed: u64) -> Option<Vec<f64>> {
    let able: Vec<usize> =
        (0..predictions.len()).filter(|&member| loss(target, predictions[member]).is_finite()).collect();
    let chosen: Vec<&[f64]> = able.iter().map(|&member| predictions[member]).collect();
    let mut weights = vec![0.0; predictions.len()];
    for (member, weight) in able.into_iter().zip(select_able(target, &chosen, seed)?) {
        weights[member] = weight;
    }
    Some(weights)
}

/// The same for members that all have a finite loss.
fn select_able(target: &Target, predictions: &[&[f64]], seed: u64) -> Option<Vec<f64>> {
    if target.len() > FEW_ROWS {
        return greedy(target, predictions);
    }
    let outputs = target.outputs();
    // Samples that repeat some rows may have an infinite loss even if all rows together do not.
    let selections: Vec<Vec<f64>> = (0..DRAWS)
        .into_par_iter()
        .filter_map(|draw| {
            let stream = random::bits(seed, draw);
            let row = |at: u64| (random::bits(stream, at) % target.len() as u64) as u32;
            let rows: Vec<u32> = (0..target.len() as u64).map(row).collect();
            let drawn: Vec<Vec<f64>> = predictions
                .iter()
                .map(|one| {
                    rows.iter().flat_map(|&row| &one[row as usize * outputs..][..outputs]).copied().collect()
                })
                .collect();
            greedy(&target.select(&rows), &drawn.iter().map(Vec::as_slice).collect::<Vec<_>>())
        })
        .collect();
    let count = selections.len() as f64;
    let mean = |member: usize| selections.iter().map(|weights| weights[member]).sum::<f64>() / count;
    (count > 0.0).then(|| (0..predictions.len()).map(mean).collect())
}

fn greedy(target: &Target, predictions: &[&[f64]]) -> Option<Vec<f64>> {
    let mut sum = vec![0.0; predictions.first().map_or(0, |one| one.len())];
    let mut counts = vec![0_u32; predictions.len()];
    let mut best = (f64::INFINITY, counts.clone());
    for step in 1..=STEPS {
        let losses: Vec<f64> = predictions
            .par_iter()
            .map(|one| {
                let mean: Vec<f64> =
                    sum.iter().zip(*one).map(|(sum, value)| (sum + value) / step as f64).collect();
                loss(target, &mean)
            })
            .collect();
        let Some(chosen) = (0..losses.len()).min_by(|&a, &b| losses[a].total_cmp(&losses[b])) else { break };
        sum.iter_mut().zip(predictions[chosen]).for_each(|(sum, value)| *sum += value);
        counts[chosen] += 1;
        if losses[chosen] < best.0 {
            best = (losses[chosen], counts.clone());
        }
    }
    let whole: u32 = best.1.iter().sum();
    (whole > 0).then(|| best.1.iter().map(|&count| f64::from(count) / f64::from(whole)).collect())
}

/// The weighted mean of predictions.
pub(crate) fn blend(weights: &[f64], predictions: &[&[f64]]) -> Vec<f64> {
    let mut blended = vec![0.0; predictions.first().map_or(0, |one| one.len())];
    for (&weight, one) in weights.iter().zip(predictions).filter(|(weight, _)| **weight > 0.0) {
        blended.iter_mut().zip(*one).for_each(|(sum, value)| *sum += weight * value);
    }
    blended
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values(rows: usize) -> Target {
        Target::Values((0..rows).map(|row| (row % 7) as f64).collect())
    }

    fn off_by(target: &Target, of: impl Fn(usize) -> f64) -> Vec<f64> {
        let Target::Values(values) = target else { return Vec::new() };
        values.iter().enumerate().map(|(row, value)| value + of(row)).collect()
    }

    #[test]
    fn errors_that_cancel_are_taken_together() {
        for rows in [200, 6_000] {
            let target = values(rows);
            let wave = |row: usize| (row as f64).sin();
            let (up, down, worse) =
                (off_by(&target, wave), off_by(&target, |row| -wave(row)), off_by(&target, |_| 3.0));
            let weights = select(&target, &[&up, &worse, &down], 1).expect("finite losses");
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert_eq!(weights, [0.5, 0.0, 0.5]);
            let blended = blend(&weights, &[&up, &worse, &down]);
            assert!(loss(&target, &blended) < 1e-12);
        }
    }

    #[test]
    fn one_that_is_far_ahead_stands_alone() {
        let target = values(50);
        let (good, bad) = (
            off_by(&target, |row| 0.01 * (row as f64).cos()),
            off_by(&target, |row| (row as f64).cos() + 1.0),
        );
        assert_eq!(select(&target, &[&bad, &good], 4), Some(vec![0.0, 1.0]));
    }

    #[test]
    fn squares_beyond_the_largest_number_give_no_weights() {
        let target = Target::Values(vec![1e200; 30]);
        assert_eq!(select(&target, &[&[0.0; 30], &[1.0; 30]], 4), None);
        assert_eq!(select(&target, &[], 4), None);
    }

    proptest! {
        /// Squares of errors of up to 1e154 are finite one by one, but not when samples contain many of them.
        #[test]
        fn weights_sum_to_one_whatever_the_losses(
            members in proptest::collection::vec(
                proptest::collection::vec(
                    prop_oneof![
                        8 => -1e3..1e3,
                        1 => Just(1.2e154),
                        1 => Just(f64::INFINITY),
                        1 => Just(f64::NAN),
                    ],
                    12,
                ),
                1..5,
            ),
            clean in 0usize..3,
            seed in any::<u64>(),
        ) {
            let target = values(12);
            let mut members = members;
            members.extend((0..clean).map(|at| vec![at as f64; 12]));
            let borrowed: Vec<&[f64]> = members.iter().map(Vec::as_slice).collect();
            let is_able = |one: &&[f64]| loss(&target, one).is_finite();
            let found = select(&target, &borrowed, seed);
            prop_assert!(found.is_some() || clean == 0);
            prop_assert!(found.is_none() || borrowed.iter().any(is_able));
            if let Some(weights) = found {
                prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{weights:?}");
                for (weight, one) in weights.iter().zip(&borrowed) {
                    prop_assert!(*weight == 0.0 || is_able(one), "{weights:?}");
                }
            }
        }
    }
}
