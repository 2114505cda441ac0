//! Extremely randomised trees through their public interface.

use proptest::prelude::*;
use tabcast_trees::boosting::TrainError;
use tabcast_trees::forest::{Aim, Drawn, Forest, ForestParams};
use tabcast_trees::{Ensemble, Explainer, Feature, Rows};

/// A number in [0, 1) by place (`SplitMix64`).
fn unit(seed: u64, at: usize) -> f64 {
    let mut z = seed.wrapping_add((at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Two numbers, one of them sometimes missing, a category of five levels and a column of noise.
fn columns(rows: usize, seed: u64) -> Vec<Vec<f64>> {
    let column = |number: u64| (0..rows).map(move |row| unit(seed.wrapping_mul(7).wrapping_add(number), row));
    vec![
        column(1).collect(),
        column(2).map(|value| if value < 0.2 { f64::NAN } else { value }).collect(),
        column(3).map(|value| (value * 5.0).floor()).collect(),
        column(4).collect(),
    ]
}

fn features() -> Vec<Feature> {
    let category = Feature::categorical("c", (0..5).map(|level| level.to_string()).collect());
    vec![Feature::numeric("a"), Feature::numeric("b"), category, Feature::numeric("noise")]
}

/// Depends on all columns but the noise, and on whether the second one is missing.
fn signal(columns: &[Vec<f64>], row: usize) -> f64 {
    let second = if columns[1][row].is_nan() { 2.0 } else { columns[1][row] };
    4.0 * columns[0][row] + second + if columns[2][row] % 2.0 == 0.0 { 1.0 } else { -1.0 }
}

fn grow(params: &ForestParams, columns: &[Vec<f64>], aim: Aim<'_>) -> Result<Ensemble, TrainError> {
    let borrowed: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    Forest::new(params.clone()).grow(&features(), &Rows::new(&borrowed).expect("equal lengths"), aim, None)
}

fn predict(ensemble: &Ensemble, columns: &[Vec<f64>]) -> Vec<f64> {
    let borrowed: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let rows = Rows::new(&borrowed).expect("equal lengths");
    let mut out = vec![0.0; rows.len() * ensemble.outputs];
    ensemble.predict(&rows, &mut out).expect("the columns fit");
    out
}

#[test]
fn values_are_learned_far_better_than_by_their_mean() {
    let (known, new) = (columns(800, 1), columns(400, 2));
    let target: Vec<f64> = (0..800).map(|row| signal(&known, row)).collect();
    let params = ForestParams { trees: 50, drawn: Drawn::Share(1.0), ..ForestParams::default() };
    let ensemble = grow(&params, &known, Aim::Values(&target)).expect("the data can be learned from");
    assert_eq!(ensemble.check(), Ok(()));
    let truth: Vec<f64> = (0..400).map(|row| signal(&new, row)).collect();
    let mean = truth.iter().sum::<f64>() / 400.0;
    let spread: f64 = truth.iter().map(|value| (value - mean).powi(2)).sum();
    let missed: f64 = predict(&ensemble, &new).iter().zip(&truth).map(|(a, b)| (a - b).powi(2)).sum();
    assert!(missed < 0.1 * spread, "{}", missed / spread);
    // Grown to the last row, each tree knows the rows that it has seen.
    let again = predict(&ensemble, &known);
    assert!(again.iter().zip(&target).all(|(a, b)| (a - b).abs() < 1e-9));
}

#[test]
fn classes_get_probabilities() {
    let (known, new) = (columns(900, 3), columns(300, 4));
    for classes in [2, 4] {
        let label = |columns: &[Vec<f64>], row: usize| {
            ((signal(columns, row) + 1.0) / 7.0 * classes as f64).clamp(0.0, classes as f64 - 1.0) as u32
        };
        let labels: Vec<u32> = (0..900).map(|row| label(&known, row)).collect();
        let params = ForestParams { trees: 40, min_rows: 2, ..ForestParams::default() };
        let ensemble = grow(&params, &known, Aim::Classes { labels: &labels, classes });
        let ensemble = ensemble.expect("the data can be learned from");
        assert_eq!(ensemble.check(), Ok(()));
        assert_eq!(ensemble.outputs, if classes == 2 { 1 } else { classes });
        let found = predict(&ensemble, &new);
        let mut right = 0;
        for (row, shares) in found.chunks_exact(ensemble.outputs).enumerate() {
            assert!(shares.iter().all(|share| *share > 0.0 && *share < 1.0));
            let largest = if classes == 2 {
                u32::from(shares[0] > 0.5)
            } else {
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                (0..classes).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).map_or(0, |class| class as u32)
            };
            right += usize::from(largest == label(&new, row));
        }
        assert!(right > 210, "{right} of 300 with {classes} classes");
    }
}

#[test]
fn contributions_add_up() {
    let known = columns(300, 5);
    let target: Vec<f64> = (0..300).map(|row| signal(&known, row)).collect();
    let params = ForestParams { trees: 5, ..ForestParams::default() };
    let ensemble = grow(&params, &known, Aim::Values(&target)).expect("the data can be learned from");
    let borrowed: Vec<&[f64]> = known.iter().map(Vec::as_slice).collect();
    let explainer = Explainer::new(&ensemble).expect("valid trees");
    let explanation =
        explainer.explain(&Rows::new(&borrowed).expect("equal lengths")).expect("the columns fit");
    assert!(explanation.max_additivity_error < 1e-9, "{}", explanation.max_additivity_error);
}

#[test]
fn leaves_keep_to_their_limits() {
    let known = columns(2_000, 6);
    let labels: Vec<u32> = (0..2_000).map(|row| (unit(9, row) * 5.0) as u32).collect();
    let aim = Aim::Classes { labels: &labels, classes: 5 };
    let params = ForestParams { trees: 3, most_values: 200, ..ForestParams::default() };
    let ensemble = grow(&params, &known, aim).expect("the data can be learned from");
    assert!(ensemble.trees.iter().all(|tree| tree.leaves() <= 40 && tree.leaves() > 10));
    let params = ForestParams { trees: 3, min_rows: 30, tree_rows: 600, ..ForestParams::default() };
    let ensemble = grow(&params, &known, aim).expect("the data can be learned from");
    for tree in &ensemble.trees {
        assert!(tree.leaf_cover.iter().all(|cover| *cover >= 30.0));
        assert_eq!(tree.leaf_cover.iter().sum::<f64>(), 600.0);
    }
}

#[test]
fn what_cannot_be_grown_is_refused() {
    let known = columns(4, 7);
    let refused =
        |params: ForestParams, aim: Aim<'_>| grow(&params, &known, aim).expect_err("nothing to grow");
    let base = ForestParams { trees: 2, ..ForestParams::default() };
    let short = refused(base.clone(), Aim::Values(&[1.0]));
    assert!(matches!(short, TrainError::Shape(_)), "{short}");
    let infinite = refused(base.clone(), Aim::Values(&[1.0, f64::INFINITY, 0.0, 0.0]));
    assert!(matches!(&infinite, TrainError::Value(text) if text.contains("row 1")), "{infinite}");
    let beyond = refused(base.clone(), Aim::Classes { labels: &[0, 1, 2, 0], classes: 2 });
    assert!(matches!(&beyond, TrainError::Value(text) if text.contains("row 2")), "{beyond}");
    let trees = refused(ForestParams { trees: 0, ..base.clone() }, Aim::Values(&[0.0; 4]));
    assert!(matches!(&trees, TrainError::Parameter(text) if text.contains("trees")), "{trees}");
    let rows = Rows::new(&[]).expect("no column");
    let forest = Forest::new(base);
    assert_eq!(forest.grow(&[], &rows, Aim::Values(&[1.0]), Some(&|| true)), Err(TrainError::Stopped));
    let constant = forest.grow(&[], &rows, Aim::Values(&[1.0, 2.0]), None).expect("a constant");
    assert!(constant.trees.iter().all(|tree| tree.leaf_values == [0.75]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The same bytes whatever the number of threads, and valid trees whatever the data.
    #[test]
    fn threads_change_nothing(seed in 0u64..1000, rows in 1usize..200, classes in 0usize..4, min_rows in 1usize..4) {
        let known = columns(rows, seed);
        let values: Vec<f64> = (0..rows).map(|row| signal(&known, row)).collect();
        let labels: Vec<u32> = values.iter().map(|value| (value.abs() as usize % classes.max(2)) as u32).collect();
        let aim = if classes < 2 { Aim::Values(&values) } else { Aim::Classes { labels: &labels, classes } };
        let params = ForestParams { trees: 5, min_rows, seed, ..ForestParams::default() };
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| grow(&params, &known, aim)).expect("the data can be learned from")
        };
        let ensemble = with(1);
        prop_assert_eq!(ensemble.check(), Ok(()));
        prop_assert_eq!(&ensemble, &with(3));
    }
}
