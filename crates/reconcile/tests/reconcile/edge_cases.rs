use tabcast_reconcile::{
    Choice, Counts, Covariance, ErrorWeights, Inputs, Method, MethodName, Proportions, ReconcileError,
    Reconciler, Residuals, Tree, max_incoherence, reconcile,
};

use crate::dense::{Random, difference, random_tree};

fn pair() -> Tree {
    Tree::from_paths(["x", "y"].into_iter(), "/", "total").unwrap()
}

fn chain() -> Tree {
    Tree::from_parents(&[None, Some(0), Some(1), Some(2)]).unwrap()
}

#[test]
fn a_tree_of_one_node_keeps_its_forecast() {
    let tree = Tree::from_parents(&[None]).unwrap();
    let errors = [1.0, -2.0, f64::NAN];
    for method in [
        Method::BottomUp,
        Method::TopDown { shares: &[0.0] },
        Method::ForecastProportions { shares: &[1.0] },
        Method::MinTrace(Covariance::Structural),
        Method::MinTrace(Covariance::Diagonal(&[0.0])),
        Method::MinTrace(Covariance::Shrinkage(Residuals::new(&errors, 3))),
    ] {
        let reconciler = Reconciler::new(&tree, method).unwrap();
        assert_eq!(reconciler.apply(&[3.0, -4.0], 2), [3.0, -4.0]);
        assert_eq!(reconciler.apply_non_negative(&[3.0, -4.0], 2), [3.0, 0.0]);
        assert_eq!(reconciler.variances(&[3.0, -4.0], &[1.0, 2.25], 2), [1.0, 2.25]);
    }
    assert_eq!(max_incoherence(&tree, &[5.0], 1), 0.0);
}

#[test]
fn a_chain_of_single_children_averages_by_precision() {
    let tree = chain();
    let base = [8.0, 4.0, 2.0, 2.0];
    let means = |covariance| Reconciler::new(&tree, Method::MinTrace(covariance)).unwrap().apply(&base, 1);
    assert!(difference(&means(Covariance::Identity), &[4.0; 4]) < 1e-15);
    assert!(difference(&means(Covariance::Structural), &[4.0; 4]) < 1e-15);
    let weighted = (8.0 / 1.0 + 4.0 / 2.0 + 2.0 / 4.0 + 2.0 / 4.0) / (1.0 + 0.5 + 0.25 + 0.25);
    assert!(difference(&means(Covariance::Diagonal(&[1.0, 2.0, 4.0, 4.0])), &[weighted; 4]) < 1e-15);
}

#[test]
fn a_node_that_never_erred_keeps_its_forecast_and_is_counted() {
    let tree = pair();
    for (variances, kept) in [([0.0, 1.0, 4.0], 0), ([4.0, 0.0, 1.0], 1), ([1.0, 4.0, 0.0], 2)] {
        let reconciler = Reconciler::new(&tree, Method::MinTrace(Covariance::Diagonal(&variances))).unwrap();
        let base = [10.0, 3.0, 4.0];
        let found = reconciler.apply(&base, 1);
        assert!((found[kept] - base[kept]).abs() < 1e-8);
        assert!(max_incoherence(&tree, &found, 1) < 1e-14);
        assert_eq!(reconciler.counts(), Counts { floored_variances: 1, ..Counts::default() });
    }
    let none = Reconciler::new(&tree, Method::MinTrace(Covariance::Diagonal(&[0.0; 3]))).unwrap();
    assert_eq!(
        none.apply(&[10.0, 3.0, 4.0], 1),
        [8.5, 3.75, 4.75],
        "equal ignorance is that of the structure"
    );
    assert_eq!(none.counts().floored_variances, 3);
}

#[test]
fn what_is_no_variance_is_estimated_from_the_others() {
    let tree = pair();
    for nothing in [f64::NAN, f64::INFINITY, -1.0] {
        let variances = [nothing, 3.0, 3.0];
        let given = Reconciler::new(&tree, Method::MinTrace(Covariance::Diagonal(&variances))).unwrap();
        assert_eq!(given.counts(), Counts { unknown_variances: 1, ..Counts::default() });
        let structural = Reconciler::new(&tree, Method::MinTrace(Covariance::Structural)).unwrap();
        assert_eq!(given.apply(&[10.0, 3.0, 4.0], 1), structural.apply(&[10.0, 3.0, 4.0], 1));
    }
    let (base, wild) = ([10.0, 3.0, 4.0], [f64::MAX, f64::INFINITY, f64::NAN, 5e-324, 0.0]);
    for case in 0..125 {
        let variances = [wild[case % 5], wild[case / 5 % 5], wild[case / 25]];
        let reconciler = Reconciler::new(&tree, Method::MinTrace(Covariance::Diagonal(&variances))).unwrap();
        let found = reconciler.apply(&base, 1);
        assert!(max_incoherence(&tree, &found, 1) < 1e-14, "{variances:?} gave {found:?}");
    }
    let wild = [f64::NAN, f64::INFINITY, f64::MAX, 1e154, 1e-160, 5e-324, 0.0, -1.0];
    for case in 0..8 * 8 * 8 * 8 {
        let errors = [0, 3, 6, 9, 1, 4].map(|shift| wild[(case >> shift) % 8]);
        let method = Method::MinTrace(Covariance::Shrinkage(Residuals::new(&errors, 2)));
        let found = Reconciler::new(&tree, method).unwrap().apply(&base, 1);
        assert!(max_incoherence(&tree, &found, 1) < 1e-12, "{errors:?} gave {found:?}");
    }
}

#[test]
fn residuals_are_counted_without_the_missing_ones() {
    let tree = pair();
    let nan = f64::NAN;
    let errors = [3.0, nan, nan, 1.0, 2.0, -2.0, nan, nan, nan];
    let residuals = Residuals::new(&errors, 3);
    assert_eq!(residuals.variances(&tree), [9.0, 3.0, 4.5], "the median of 9 / 2 and 3 / 1, times one leaf");
    let reconciler = Reconciler::new(&tree, Method::MinTrace(Covariance::Shrinkage(residuals))).unwrap();
    assert_eq!(reconciler.counts(), Counts { unknown_variances: 1, ..Counts::default() });
    assert!(max_incoherence(&tree, &reconciler.apply(&[10.0, 3.0, 4.0], 1), 1) < 1e-14);
    for columns in [0, 1, 4] {
        let errors = vec![nan; 3 * columns];
        let method = Method::MinTrace(Covariance::Shrinkage(Residuals::new(&errors, columns)));
        let reconciler = Reconciler::new(&tree, method).unwrap();
        assert_eq!((reconciler.shrinkage(), reconciler.counts().unknown_variances), (Some(1.0), 3));
        assert_eq!(reconciler.apply(&[10.0, 3.0, 4.0], 1), [8.5, 3.75, 4.75]);
    }
}

#[test]
fn perfectly_correlated_errors_still_give_finite_values() {
    let mut random = Random(17);
    let tree = random_tree(&mut random, 300);
    let common = random.many(40, Random::bell);
    let mut errors = vec![0.0; tree.len() * 40];
    for leaf in tree.bottom() {
        errors[leaf * 40..(leaf + 1) * 40].copy_from_slice(&common);
    }
    tree.sum_up(&mut errors, 40);
    let method = Method::MinTrace(Covariance::Shrinkage(Residuals::new(&errors, 40)));
    let reconciler = Reconciler::new(&tree, method).unwrap();
    assert!(reconciler.shrinkage().is_some_and(|intensity| intensity > 0.0));
    let base = random.many(tree.len(), Random::bell);
    let found = reconciler.apply(&base, 1);
    assert!(found.iter().all(|value| value.is_finite()) && max_incoherence(&tree, &found, 1) < 1e-9);
}

#[test]
fn every_scale_gives_the_same_digits() {
    let mut random = Random(19);
    let tree = random_tree(&mut random, 80);
    let base = random.many(tree.len(), |random| 5.0 + random.bell());
    let errors = random.many(tree.len() * 10, Random::bell);
    let run = |scale: f64, deviation: f64| {
        let scaled = |values: &[f64], by: f64| values.iter().map(|value| value * by).collect::<Vec<_>>();
        let (base, errors) = (scaled(&base, scale), scaled(&errors, deviation));
        let residuals = Residuals::new(&errors, 10);
        let variances = residuals.variances(&tree);
        [Covariance::Structural, Covariance::Diagonal(&variances), Covariance::Shrinkage(residuals)]
            .map(|covariance| reconcile(&base, 1, &tree, Method::MinTrace(covariance), false).unwrap())
            .map(|found| scaled(&found.values, 1.0 / scale))
    };
    let expected = run(1.0, 1.0);
    for (scale, deviation) in [(1e200, 1e140), (1e-200, 1e-140), (1e300, 1.0), (1.0, 1e-140)] {
        for (found, expected) in run(scale, deviation).iter().zip(&expected) {
            assert!(difference(found, expected) < 1e-12);
        }
    }
}

#[test]
fn totals_of_zero_and_below_are_divided_all_the_same() {
    let tree = Tree::from_paths(["a/x", "a/y", "b/x"].into_iter(), "/", "total").unwrap();
    let fixed = |shares: &[f64], total: f64| {
        let found = Reconciler::new(&tree, Method::TopDown { shares }).unwrap();
        let found = found.apply_counted(vec![total, 0.0, 0.0, 0.0, 0.0, 0.0], 1, false);
        (found.values, found.counts.equal_splits, found.counts.invalid_shares)
    };
    assert_eq!(fixed(&[0.0; 3], 6.0), (vec![6.0, 4.0, 2.0, 2.0, 2.0, 2.0], 1, 0));
    assert_eq!(
        fixed(&[f64::NAN, -1.0, f64::INFINITY], -6.0),
        (vec![-6.0, -4.0, -2.0, -2.0, -2.0, -2.0], 1, 3)
    );
    assert_eq!(fixed(&[0.0, 0.0, 5.0], -6.0), (vec![-6.0, 0.0, -6.0, 0.0, 0.0, -6.0], 0, 0));
    assert_eq!(fixed(&[f64::MAX, f64::MAX, 0.0], 4.0).0, [4.0, 4.0, 0.0, 2.0, 2.0, 0.0]);

    // Lane 0: b is negative, so that a and b take the fixed shares; lane 1: x and y are zero and have no shares either.
    let base = [8.0, 8.0, 9.0, 6.0, -1.0, 2.0, 1.0, 0.0, 3.0, 0.0, 1.0, 1.0];
    let method = Method::ForecastProportions { shares: &[0.0, 0.0, 1.0] };
    let found = Reconciler::new(&tree, method).unwrap().apply_counted(base.to_vec(), 2, false);
    assert_eq!(found.values, [8.0, 8.0, 0.0, 6.0, 8.0, 2.0, 0.0, 3.0, 0.0, 3.0, 8.0, 2.0]);
    assert_eq!((found.counts.share_fallbacks, found.counts.equal_splits), (2, 1));
}

#[test]
fn arrays_that_do_not_fit_are_refused_by_name() {
    let tree = pair();
    let length = |what, expected, found| Err(ReconcileError::WrongLength { what, expected, found });
    let run =
        |base: &[f64], steps, method| reconcile(base, steps, &tree, method, true).map(|found| found.values);
    assert_eq!(run(&[1.0; 5], 2, Method::BottomUp), length("base forecasts", 6, 5));
    assert_eq!(run(&[1.0; 3], usize::MAX, Method::BottomUp), length("base forecasts", usize::MAX, 3));
    assert_eq!(run(&[1.0; 3], 1, Method::TopDown { shares: &[1.0] }), length("shares", 2, 1));
    assert_eq!(run(&[1.0; 3], 1, Method::ForecastProportions { shares: &[1.0; 3] }), length("shares", 2, 3));
    let diagonal = Method::MinTrace(Covariance::Diagonal(&[1.0]));
    assert_eq!(run(&[1.0; 3], 1, diagonal), length("variances", 3, 1));
    let shrunk = Method::MinTrace(Covariance::Shrinkage(Residuals::new(&[1.0; 7], 2)));
    assert_eq!(run(&[1.0; 3], 1, shrunk), length("residuals", 6, 7));
    for nothing in [f64::NAN, f64::INFINITY] {
        let base = [1.0, 1.0, 1.0, nothing, 1.0, 1.0];
        let refused = run(&base, 2, Method::BottomUp);
        assert_eq!(refused, Err(ReconcileError::NotFinite { node: 1, lane: 1 }));
        assert!(refused.is_err_and(|error| error.to_string().contains("node 1")));
    }
    for method in [Method::BottomUp, Method::MinTrace(Covariance::Structural)] {
        assert_eq!(run(&[1.0, f64::MAX, f64::MAX], 1, method), Err(ReconcileError::Overflow));
    }
    assert_eq!(run(&[], 0, Method::MinTrace(Covariance::Structural)), Ok(Vec::new()));
    let errors = [1.0; 6];
    let shrunk = Method::MinTrace(Covariance::Shrinkage(Residuals::new(&errors, 2)));
    assert_eq!(run(&[], 0, shrunk), Ok(Vec::new()));
}

#[test]
fn incoherence_is_the_largest_gap_of_any_parent() {
    let tree = Tree::from_parents(&[None, Some(0), Some(0), Some(1), Some(1)]).unwrap();
    assert_eq!(max_incoherence(&tree, &[10.0, 0.0, 4.0, 0.0, 5.0, 0.0, 1.0, 0.0, 6.0, 0.0], 2), 3.0);
    assert!(max_incoherence(&tree, &[10.0, 4.0, f64::NAN, 1.0, 9.0], 1).is_nan());
}

#[test]
fn methods_are_found_by_name_and_say_what_they_need() {
    let (shares, variances, errors) = ([1.0; 2], [1.0; 3], [1.0; 6]);
    let residuals = Residuals::new(&errors, 2);
    let all = Inputs { shares: Some(&shares), variances: Some(&variances), residuals: Some(residuals) };
    let (ols, forecasts) = (ErrorWeights::Ols, Proportions::Forecasts);
    let bottom_up = Choice::of(MethodName::BottomUp, ols, forecasts);
    assert_eq!((bottom_up.method(), bottom_up.weights()), (MethodName::BottomUp, None));
    let shown = |choice: Choice, inputs| choice.with(inputs).map(|method| format!("{method:?}"));
    let expected = |method: Method<'_>| Ok(format!("{method:?}"));
    assert_eq!(shown(bottom_up, Inputs::default()), expected(Method::BottomUp));
    for (proportions, method) in [
        (Proportions::HistoricalTotals, Method::TopDown { shares: &shares }),
        (Proportions::AverageHistorical, Method::TopDown { shares: &shares }),
        (Proportions::Forecasts, Method::ForecastProportions { shares: &shares }),
    ] {
        let choice = Choice::of(MethodName::TopDown, ols, proportions);
        let names = (choice.method(), choice.weights(), choice.top_down_method());
        assert_eq!(names, (MethodName::TopDown, None, Some(proportions)));
        assert_eq!(shown(choice, all), expected(method));
    }
    let residuals_only = Inputs { variances: None, ..all };
    for (weights, inputs, covariance) in [
        (ErrorWeights::Ols, all, Covariance::Identity),
        (ErrorWeights::WlsStruct, all, Covariance::Structural),
        (ErrorWeights::WlsVar, all, Covariance::Diagonal(&variances)),
        (ErrorWeights::WlsVar, residuals_only, Covariance::ResidualVariances(residuals)),
        (ErrorWeights::Shrink, all, Covariance::Shrinkage(residuals)),
    ] {
        let choice = Choice::of(MethodName::MinTrace, weights, forecasts);
        let names = (choice.method(), choice.weights(), choice.top_down_method());
        assert_eq!(names, (MethodName::MinTrace, Some(weights), None));
        assert_eq!(shown(choice, inputs), expected(Method::MinTrace(covariance)));
    }
    for (choice, message) in [
        (Choice::TopDown(Proportions::Forecasts), "the method needs shares"),
        (Choice::MinTrace(ErrorWeights::WlsVar), "the method needs variances or residuals"),
        (Choice::MinTrace(ErrorWeights::Shrink), "the method needs residuals"),
    ] {
        let refused = choice.with(Inputs::default());
        assert_eq!(refused.map_err(|error| error.to_string()).err().as_deref(), Some(message));
    }
    let tree = pair();
    let base = [10.0, 3.0, 4.0];
    let apply = |covariance| Reconciler::new(&tree, Method::MinTrace(covariance)).unwrap().apply(&base, 1);
    let variances = residuals.variances(&tree);
    assert_eq!(apply(Covariance::ResidualVariances(residuals)), apply(Covariance::Diagonal(&variances)));
}

#[test]
fn too_many_residuals_for_a_covariance_are_refused_and_variances_take_them() {
    let tree = Tree::from_parents(&[None, Some(0), Some(0)]).expect("a tree");
    let values = vec![1.0; 3 * 5_000];
    let residuals = Residuals::new(&values, 5_000);
    let error = Reconciler::new(&tree, Method::MinTrace(Covariance::Shrinkage(residuals))).err();
    assert_eq!(error, Some(ReconcileError::TooManyColumns { most: 4_096, found: 5_000 }));
    assert!(Reconciler::new(&tree, Method::MinTrace(Covariance::ResidualVariances(residuals))).is_ok());
}
