//! Margins and links.

use tabcast_trees::{Ensemble, Feature, Link, Rows, Tree};

use crate::random::{Kind, Random, columns, ensemble, slices};

#[test]
fn margins_are_sums_of_the_leaves_that_rows_end_in() {
    let mut random = Random(2);
    let ensemble = ensemble(Kind { outputs: 2, ..Kind::plain(6, 9, 5) }, &mut random);
    let columns = columns(6, 700, &mut random);
    let slices = slices(&columns);
    let mut margins = vec![0.0; 1400];
    ensemble.margins(&Rows::new(&slices).unwrap(), &mut margins).unwrap();
    for row in 0..700 {
        let mut expected = ensemble.base.clone();
        for tree in &ensemble.trees {
            expected[tree.output as usize] += tree.leaf_values[tree.leaf_of(|feature| columns[feature][row])];
        }
        assert_eq!(margins[row * 2..][..2], expected);
    }
    assert!(ensemble.margins(&Rows::new(&slices).unwrap(), &mut margins[1..]).is_err());
}

/// One split on one feature; left is 1, right is 2.
fn split(threshold: f64, missing_left: bool, set: &[u64]) -> Ensemble {
    let tree = Tree {
        feature: vec![0],
        threshold: vec![threshold],
        missing_left: vec![missing_left],
        left: vec![Tree::to_leaf(0)],
        right: vec![Tree::to_leaf(1)],
        cover: vec![2.0],
        gain: vec![0.0],
        set_start: if set.is_empty() { vec![] } else { vec![0, set.len() as u32] },
        sets: set.to_vec(),
        leaf_cover: vec![1.0; 2],
        leaf_values: vec![1.0, 2.0],
        width: 1,
        output: 0,
    };
    Ensemble {
        features: vec![Feature::numeric("x")],
        outputs: 1,
        base: vec![0.0],
        trees: vec![tree],
        link: Link::Identity,
    }
}

fn margins(ensemble: &Ensemble, values: &[f64]) -> Vec<f64> {
    let columns = [values];
    let mut out = vec![0.0; values.len()];
    ensemble.margins(&Rows::new(&columns).unwrap(), &mut out).unwrap();
    // The explanation routes rows on its own, in lanes.
    let explanation =
        tabcast_trees::Explainer::new(ensemble).unwrap().explain(&Rows::new(&columns).unwrap()).unwrap();
    assert_eq!(explanation.margins, out);
    out
}

#[test]
fn decisions_are_made_in_double_precision_with_missing_values_and_sets() {
    // In single precision both of the first two would be on one side.
    let values = [0.3, 0.300_000_005_96, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    assert_eq!(margins(&split(0.3, false, &[]), &values), [1.0, 2.0, 2.0, 2.0, 1.0]);
    assert_eq!(margins(&split(0.3, true, &[]), &values), [1.0, 2.0, 1.0, 2.0, 1.0]);
    assert_eq!(margins(&split(f64::INFINITY, false, &[]), &values), [1.0, 1.0, 2.0, 1.0, 1.0]);
    let codes = [0.0, 1.0, 1.9, 65.0, 128.0, -1.0, -0.5, f64::NAN, 1e300];
    let expected = [2.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0];
    assert_eq!(margins(&split(0.0, false, &[2, 2]), &codes), expected);
    let mut zero = split(0.5, false, &[]);
    zero.features[0].zero_is_missing = true;
    assert_eq!(margins(&zero, &[0.0, -0.0, 0.1, 1.0]), [2.0, 2.0, 1.0, 2.0]);
}

#[test]
fn links_turn_margins_into_predictions() {
    let mut ensemble = Ensemble { outputs: 3, base: vec![0.0, 1.0, 800.0], ..Ensemble::default() };
    ensemble.features.push(Feature::numeric("x"));
    let mut predict = |link| {
        ensemble.link = link;
        let mut out = vec![0.0; 3];
        ensemble.predict(&Rows::new(&[&[1.0]]).unwrap(), &mut out).unwrap();
        out
    };
    assert_eq!(predict(Link::Identity), [0.0, 1.0, 800.0]);
    assert_eq!(predict(Link::Logistic), [0.5, 1.0 / (1.0 + (-1.0_f64).exp()), 1.0]);
    assert_eq!(predict(Link::Exponential), [1.0, 1.0_f64.exp(), f64::INFINITY]);
    let shares = predict(Link::Softmax);
    assert_eq!(shares.iter().sum::<f64>(), 1.0);
    assert_eq!(shares[2], 1.0);
}
