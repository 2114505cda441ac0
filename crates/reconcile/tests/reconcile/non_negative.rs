use tabcast_reconcile::{Covariance, Method, Reconciler, Residuals, Tree, max_incoherence};

use crate::dense::{Matrix, Random, difference, random_tree};

/// For every leaf the nodes on its way to the root.
fn summing(tree: &Tree, leaves: &[usize]) -> Matrix {
    let mut matrix = Matrix::zeros(tree.len(), leaves.len());
    for (column, &leaf) in leaves.iter().enumerate() {
        let mut node = Some(leaf);
        while let Some(own) = node {
            matrix.set(own, column, 1.0);
            node = tree.parent(own);
        }
    }
    matrix
}

/// The best values with every set of zeros, one after the other.
fn search(tree: &Tree, weights: &[f64], base: &[f64]) -> Vec<f64> {
    let leaves: Vec<usize> = tree.bottom().collect();
    let inverse = Matrix::diagonal(&weights.iter().map(|weight| 1.0 / weight).collect::<Vec<_>>());
    let column = Matrix { rows: base.len(), columns: 1, values: base.to_vec() };
    let mut best = (f64::INFINITY, Vec::new());
    for set in 0..1_usize << leaves.len() {
        let free: Vec<usize> =
            (0..leaves.len()).filter(|at| set >> at & 1 == 1).map(|at| leaves[at]).collect();
        let sums = summing(tree, &free);
        let values = if free.is_empty() {
            vec![0.0; tree.len()]
        } else {
            let weighted = sums.transposed().times(&inverse);
            let bottom = weighted.times(&sums).solve(&weighted.times(&column));
            if bottom.values.iter().any(|&value| value < -1e-12) {
                continue;
            }
            sums.times(&bottom).values
        };
        let cost: f64 = values
            .iter()
            .zip(base)
            .zip(weights)
            .map(|((value, base), weight)| (value - base).powi(2) / weight)
            .sum();
        if cost < best.0 {
            best = (cost, values);
        }
    }
    best.1
}

#[test]
fn the_values_are_the_best_that_an_exhaustive_search_finds() {
    let mut random = Random(3);
    let (mut compared, mut adjusted) = (0, 0);
    while compared < 400 {
        let tree = random_tree(&mut random, 16);
        if tree.num_bottom() > 8 {
            continue;
        }
        compared += 1;
        let base = random.many(tree.len(), |random| 1.0 + 4.0 * random.bell());
        let variances = random.many(tree.len(), |random| (1.5 * random.bell()).exp());
        let leaves: Vec<f64> = (0..tree.len()).map(|node| tree.leaf_count(node) as f64).collect();
        let ones = vec![1.0; tree.len()];
        for (covariance, weights) in [
            (Covariance::Identity, &ones),
            (Covariance::Structural, &leaves),
            (Covariance::Diagonal(&variances), &variances),
        ] {
            let reconciler = Reconciler::new(&tree, Method::MinTrace(covariance)).unwrap();
            let found = reconciler.apply_counted(base.clone(), 1, true);
            assert!(found.values.iter().all(|&value| value >= 0.0));
            assert_eq!(found.counts.clipped_lanes, 0);
            adjusted += usize::from(found.counts.pinned_values > 0);
            let expected = search(&tree, weights, &base);
            let scale = base.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
            assert!(
                difference(&found.values, &expected) * expected[0].max(f64::MIN_POSITIVE) < 1e-10 * scale
            );
        }
    }
    assert!(adjusted > 300, "{adjusted} cases put the search to work");
}

#[test]
fn large_trees_with_weights_of_all_sizes_meet_the_optimality_conditions() {
    let mut random = Random(5);
    for spread in [1.0, 3.0, 6.0] {
        for _ in 0..20 {
            let tree = random_tree(&mut random, 2000);
            let variances = random.many(tree.len(), |random| (spread * random.bell()).exp());
            let base = random.many(tree.len(), |random| 0.5 + random.bell());
            let reconciler =
                Reconciler::new(&tree, Method::MinTrace(Covariance::Diagonal(&variances))).unwrap();
            let found = reconciler.apply_counted(base.clone(), 1, true);
            assert_eq!(found.counts.clipped_lanes, 0);
            // The gradient in the direction of a leaf is that of all nodes above it together.
            let mut gradients = vec![0.0; tree.len()];
            for node in 0..tree.len() {
                let above = tree.parent(node).map_or(0.0, |parent| gradients[parent]);
                gradients[node] = above + (found.values[node] - base[node]) / variances[node];
                // With the widest weights the sums above a leaf have no digits left to judge by.
                if tree.is_leaf(node) && spread < 4.0 {
                    let slope = gradients[node] * variances[node];
                    let flat = if found.values[node] == 0.0 { slope > -1e-6 } else { slope.abs() < 1e-6 };
                    assert!(flat, "value {}, slope {slope}", found.values[node]);
                }
            }
        }
    }
}

#[test]
fn lanes_without_a_negative_value_stay_as_they_were() {
    let tree = Tree::from_paths(["a/x", "a/y", "b/x"].into_iter(), "/", "total").unwrap();
    // Two lanes: the second one has a negative bottom series.
    let base = [9.0, 9.0, 5.0, 5.0, 4.0, 4.0, 2.0, 8.0, 3.0, -4.0, 4.0, 4.0];
    let reconciler = Reconciler::new(&tree, Method::MinTrace(Covariance::Structural)).unwrap();
    let (free, bound) = (reconciler.apply(&base, 2), reconciler.apply_counted(base.to_vec(), 2, true));
    let lane =
        |values: &[f64], lane: usize| values.iter().skip(lane).step_by(2).copied().collect::<Vec<f64>>();
    assert_eq!(lane(&free, 0), lane(&bound.values, 0));
    assert_eq!(bound.counts.pinned_values, 1);
    assert_eq!(lane(&bound.values, 1)[4], 0.0);
    assert_eq!(bound.values, reconciler.apply_non_negative(&base, 2));
}

#[test]
fn the_other_methods_cut_negative_bottom_series_off() {
    let tree = Tree::from_paths(["x", "y"].into_iter(), "/", "total").unwrap();
    let cut = |method, base: &[f64]| {
        let found = Reconciler::new(&tree, method).unwrap().apply_counted(base.to_vec(), 1, true);
        (found.values, found.counts.pinned_values)
    };
    assert_eq!(cut(Method::BottomUp, &[5.0, -2.0, 3.0]), (vec![3.0, 0.0, 3.0], 1));
    assert_eq!(cut(Method::TopDown { shares: &[1.0, 3.0] }, &[-4.0, 1.0, 1.0]), (vec![0.0; 3], 2));
    assert_eq!(
        cut(Method::ForecastProportions { shares: &[1.0, 1.0] }, &[-4.0, 1.0, 3.0]),
        (vec![0.0; 3], 2)
    );
}

#[test]
fn a_shrunk_covariance_gives_coherent_values_near_the_free_ones() {
    let mut random = Random(9);
    for _ in 0..50 {
        let tree = random_tree(&mut random, 100);
        let errors = random.many(tree.len() * 12, Random::bell);
        let base = random.many(tree.len() * 2, |random| 1.0 + random.bell());
        let method = Method::MinTrace(Covariance::Shrinkage(Residuals::new(&errors, 12)));
        let reconciler = Reconciler::new(&tree, method).unwrap();
        let found = reconciler.apply_non_negative(&base, 2);
        assert!(found.iter().all(|&value| value >= 0.0));
        assert!(max_incoherence(&tree, &found, 2) < 1e-11);
        let positive = reconciler.apply_non_negative(&found, 2);
        assert!(difference(&positive, &found) < 1e-11, "what is coherent and not negative stays");
    }
}

#[test]
fn results_do_not_depend_on_the_threads() {
    let mut random = Random(13);
    let tree = random_tree(&mut random, 3000);
    let errors = random.many(tree.len() * 20, Random::bell);
    let base = random.many(tree.len() * 8, |random| 1.0 + random.bell());
    let method = Method::MinTrace(Covariance::Shrinkage(Residuals::new(&errors, 20)));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Reconciler::new(&tree, method).unwrap().apply_non_negative(&base, 8))
    };
    assert_eq!(run(1), run(4));
}
