use tabcast_reconcile::{Covariance, Method, Reconciler, Residuals, Tree, max_incoherence, reconcile};

use crate::dense::{Matrix, Random, difference, project, random_tree, shrunk_covariance};

const LANES: usize = 4;
const COLUMNS: usize = 9;

/// A random tree with everything that a method may ask for.
struct Case {
    tree: Tree,
    base: Vec<f64>,
    shares: Vec<f64>,
    variances: Vec<f64>,
    residuals: Vec<f64>,
}

impl Case {
    fn new(random: &mut Random) -> Self {
        let tree = random_tree(random, 60);
        let common = random.many(COLUMNS, Random::bell);
        let residuals =
            (0..tree.len() * COLUMNS).map(|at| 3.0 * random.bell() + 5.0 * common[at % COLUMNS]).collect();
        Self {
            base: random.many(tree.len() * LANES, |random| 20.0 + 10.0 * random.bell()),
            shares: random.many(tree.num_bottom(), |random| random.bell().exp()),
            variances: random.many(tree.len(), |random| (2.0 * random.bell()).exp()),
            residuals,
            tree,
        }
    }

    fn min_trace(&self) -> Vec<Method<'_>> {
        let covariances = [
            Covariance::Identity,
            Covariance::Structural,
            Covariance::Diagonal(&self.variances),
            Covariance::Shrinkage(Residuals::new(&self.residuals, COLUMNS)),
        ];
        covariances.into_iter().map(Method::MinTrace).collect()
    }

    fn all(&self) -> Vec<Method<'_>> {
        let shares = &self.shares;
        let mut methods =
            vec![Method::BottomUp, Method::TopDown { shares }, Method::ForecastProportions { shares }];
        methods.extend(self.min_trace());
        methods
    }
}

fn cases(count: usize) -> impl Iterator<Item = Case> {
    let mut random = Random(7);
    (0..count).map(move |_| Case::new(&mut random))
}

#[test]
fn every_method_gives_coherent_values_and_leaves_them_alone_the_second_time() {
    for case in cases(100) {
        for method in case.all() {
            let once = reconcile(&case.base, LANES, &case.tree, method, false).unwrap();
            let scale = once.values.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
            assert!(once.max_incoherence_after <= 1e-13 * scale, "{method:?}");
            assert_eq!(once.max_incoherence_before, max_incoherence(&case.tree, &case.base, LANES));
            let twice = Reconciler::new(&case.tree, method).unwrap().apply(&once.values, LANES);
            // A negative total's parts are no proportions for the second time.
            let again = !matches!(method, Method::ForecastProportions { .. })
                || once.values.iter().all(|&value| value >= 0.0);
            assert!(!again || difference(&twice, &once.values) < 1e-12, "{method:?}");
            assert_eq!(
                once.shrinkage.is_some(),
                matches!(method, Method::MinTrace(Covariance::Shrinkage(_)))
            );
        }
    }
}

#[test]
fn coherent_forecasts_come_back_from_all_but_fixed_shares() {
    for case in cases(100) {
        let mut coherent = case.base.clone();
        case.tree.sum_up(&mut coherent, LANES);
        for method in case.all().into_iter().filter(|method| !matches!(method, Method::TopDown { .. })) {
            let positive = coherent.iter().map(|value| value.abs()).collect::<Vec<_>>();
            let given = if matches!(method, Method::ForecastProportions { .. }) {
                let mut positive = positive;
                case.tree.sum_up(&mut positive, LANES);
                positive
            } else {
                coherent.clone()
            };
            let found = Reconciler::new(&case.tree, method).unwrap().apply(&given, LANES);
            assert!(difference(&found, &given) < 1e-12, "{method:?}");
        }
    }
}

#[test]
fn values_and_variances_equal_those_of_dense_algebra() {
    for case in cases(60) {
        let nodes = case.tree.len();
        let ones = vec![1.0; nodes];
        let leaves: Vec<f64> = (0..nodes).map(|node| case.tree.leaf_count(node) as f64).collect();
        let (shrunk, intensity) = shrunk_covariance(&case.residuals, COLUMNS);
        let base = Matrix { rows: nodes, columns: LANES, values: case.base.clone() };
        let spread: Vec<f64> = case.base.iter().map(|value| value * value).collect();
        let covariances = [&ones, &leaves, &case.variances].map(|variances| Matrix::diagonal(variances));
        for (method, covariance) in case.min_trace().into_iter().zip(covariances.iter().chain([&shrunk])) {
            let reconciler = Reconciler::new(&case.tree, method).unwrap();
            let expected = project(&case.tree, covariance, &base);
            assert!(difference(&reconciler.apply(&case.base, LANES), &expected.values) < 1e-12, "{method:?}");
            let mut weights = covariance.clone();
            if let Some(found) = reconciler.shrinkage() {
                assert!((found - intensity).abs() < 1e-12);
                // The variances are those of the diagonal part, without what the common factors explain.
                weights =
                    Matrix::diagonal(&(0..nodes).map(|node| covariance.at(node, node)).collect::<Vec<_>>());
            }
            let mut squared = project(&case.tree, &weights, &Matrix::diagonal(&ones));
            for value in &mut squared.values {
                *value *= *value;
            }
            let expected = squared.times(&Matrix { rows: nodes, columns: LANES, values: spread.clone() });
            let variances = reconciler.variances(&case.base, &spread, LANES);
            assert!(difference(&variances, &expected.values) < 1e-12, "{method:?}");
        }
    }
}

#[test]
fn the_best_weights_never_make_a_variance_larger() {
    for case in cases(50) {
        let reconciler =
            Reconciler::new(&case.tree, Method::MinTrace(Covariance::Diagonal(&case.variances))).unwrap();
        let after = reconciler.variances(&case.base[..case.tree.len()], &case.variances, 1);
        assert!(after.iter().zip(&case.variances).all(|(after, before)| *after <= before * (1.0 + 1e-12)));
    }
}

#[test]
fn shares_divide_values_and_standard_deviations_alike() {
    let tree = Tree::from_paths(["a/x", "a/y", "b/x"].into_iter(), "/", "total").unwrap();
    let base = [100.0, 30.0, 10.0, 6.0, 2.0, 5.0];
    let variance = [400.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    let shares = [3.0, 1.0, 4.0];
    let fixed = Reconciler::new(&tree, Method::TopDown { shares: &shares }).unwrap();
    assert_eq!(fixed.apply(&base, 1), [100.0, 50.0, 50.0, 37.5, 12.5, 50.0]);
    assert_eq!(fixed.variances(&base, &variance, 1), [400.0, 100.0, 100.0, 56.25, 6.25, 100.0]);
    let forecast = Reconciler::new(&tree, Method::ForecastProportions { shares: &shares }).unwrap();
    assert_eq!(forecast.apply(&base, 1), [100.0, 75.0, 25.0, 56.25, 18.75, 25.0]);
    assert_eq!(forecast.variances(&base, &variance, 1), [400.0, 225.0, 25.0, 126.5625, 14.0625, 25.0]);
    let sums = Reconciler::new(&tree, Method::BottomUp).unwrap();
    assert_eq!(sums.apply(&base, 1), [13.0, 8.0, 5.0, 6.0, 2.0, 5.0]);
    assert_eq!(sums.variances(&base, &variance, 1), [3.0, 2.0, 1.0, 1.0, 1.0, 1.0]);
}

#[test]
fn the_order_of_siblings_does_not_matter() {
    let mut random = Random(11);
    for case in cases(60) {
        let nodes = case.tree.len();
        // Any order in which parents come first.
        let mut order = vec![0];
        let mut waiting: Vec<usize> = (1..nodes).filter(|&node| case.tree.parent(node) == Some(0)).collect();
        while !waiting.is_empty() {
            let next = waiting.swap_remove(random.below(waiting.len()));
            waiting.extend((1..nodes).filter(|&node| case.tree.parent(node) == Some(next)));
            order.push(next);
        }
        let mut place = vec![0; nodes];
        for (to, &from) in order.iter().enumerate() {
            place[from] = to;
        }
        let parents: Vec<Option<usize>> =
            order.iter().map(|&node| case.tree.parent(node).map(|parent| place[parent])).collect();
        let tree = Tree::from_parents(&parents).unwrap();
        let moved = |values: &[f64], width: usize| -> Vec<f64> {
            order.iter().flat_map(|&node| &values[node * width..][..width]).copied().collect()
        };
        let leaves: Vec<usize> = case.tree.bottom().collect();
        let share = |leaf: usize| case.shares[leaves.iter().position(|&own| own == order[leaf]).unwrap()];
        let other = Case {
            base: moved(&case.base, LANES),
            shares: tree.bottom().map(share).collect(),
            variances: moved(&case.variances, 1),
            residuals: moved(&case.residuals, COLUMNS),
            tree,
        };
        for (method, again) in case.all().into_iter().zip(other.all()) {
            let found = reconcile(&case.base, LANES, &case.tree, method, true).unwrap();
            let again = reconcile(&other.base, LANES, &other.tree, again, true).unwrap();
            assert!(difference(&again.values, &moved(&found.values, LANES)) < 1e-11, "{method:?}");
        }
    }
}

#[test]
fn large_levels_are_cut_for_several_threads_without_a_difference() {
    let paths: Vec<String> = (0..30_000).map(|leaf| format!("{:03}/{leaf:05}", leaf / 149)).collect();
    let tree = Tree::from_paths(paths.iter().map(String::as_str), "/", "total").unwrap();
    let mut random = Random(11);
    let lanes = 8;
    let base: Vec<f64> = (0..tree.len() * lanes).map(|_| 10.0 * random.bell()).collect();
    for covariance in [Covariance::Identity, Covariance::Structural] {
        let reconciler = Reconciler::new(&tree, Method::MinTrace(covariance)).unwrap();
        let together = reconciler.apply(&base, lanes);
        for lane in 0..lanes {
            let alone: Vec<f64> = base.iter().skip(lane).step_by(lanes).copied().collect();
            let found: Vec<f64> = together.iter().skip(lane).step_by(lanes).copied().collect();
            assert_eq!(reconciler.apply(&alone, 1), found, "lane {lane}");
        }
    }
}
