//! Interaction values against their definition.

use tabcast_trees::{Explainer, Rows};

use crate::brute;
use crate::random::{Kind, Random, columns, ensemble, slices};

fn equals_brute_force(kind: Kind, seed: u64) {
    let mut random = Random(seed);
    let ensemble = ensemble(kind, &mut random);
    let (count, features) = (10, kind.features);
    let columns = columns(features, count, &mut random);
    let slices = slices(&columns);
    let rows = Rows::new(&slices).unwrap();
    let explainer = Explainer::new(&ensemble).unwrap();
    let (pairs, singles) = (explainer.interactions(&rows).unwrap(), explainer.explain(&rows).unwrap());
    for output in 0..kind.outputs {
        for at in 0..count {
            let row: Vec<f64> = columns.iter().map(|column| column[at]).collect();
            let values = brute::values(&ensemble, output, &row);
            for one in 0..features {
                let sum: f64 = (0..features).map(|other| pairs.column(output, one, other)[at]).sum();
                assert!((sum - singles.column(output, one)[at]).abs() < 1e-12, "row sum, seed {seed}");
                for other in (0..features).filter(|&other| other != one) {
                    let found = pairs.column(output, one, other)[at];
                    assert_eq!(found, pairs.column(output, other, one)[at], "symmetry, seed {seed}");
                    let expected = brute::interaction(&values, features, one, other);
                    assert!((found - expected).abs() < 1e-10, "seed {seed}: {found} is not {expected}");
                }
            }
        }
    }
}

#[test]
fn interactions_equal_brute_force_and_rows_sum_to_the_values() {
    for seed in 0..10 {
        equals_brute_force(Kind::plain(8, 3, 7), seed);
        equals_brute_force(Kind::plain(3, 3, 7), seed);
        equals_brute_force(Kind { zero_cover: 0.4, ..Kind::plain(5, 3, 6) }, seed);
        equals_brute_force(Kind { symmetric: true, ..Kind::plain(6, 3, 5) }, seed);
        equals_brute_force(Kind { outputs: 2, wide: true, ..Kind::plain(5, 3, 5) }, seed);
        equals_brute_force(Kind::plain(2, 2, 1), seed);
    }
}
