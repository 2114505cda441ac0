//! What training refuses, and why.

use tabcast_trees::boosting::{Booster, Growth, Labelled, Loss, Monotone, Params, TrainError};
use tabcast_trees::{Feature, Rows};

fn train(
    column: &[f64],
    target: &[f64],
    weights: Option<&[f64]>,
    feature: Feature,
    params: Params,
) -> Result<(), TrainError> {
    let columns = [column];
    let rows = Rows::new(&columns).expect("one column");
    let labelled = Labelled { rows: &rows, target, weights };
    Booster::new(params).train(&[feature], &labelled, None, None).map(|_| ())
}

#[test]
fn arrays_and_values_that_do_not_fit_are_named() {
    let plain = |target: &[f64], weights: Option<&[f64]>, loss: Loss| {
        train(&[1.0, 2.0], target, weights, Feature::numeric("x"), Params::new(loss))
            .map_err(|error| error.to_string())
    };
    let squared = || Loss::SquaredError;
    for (result, text) in [
        (plain(&[1.0], None, squared()), "2 rows with 1 targets"),
        (plain(&[1.0, f64::NAN], None, squared()), "target NaN of row 1"),
        (plain(&[1.0, 2.0], None, Loss::Logistic), "target 2 of row 1"),
        (plain(&[0.5, 1.0], None, Loss::Softmax { classes: 2 }), "target 0.5 of row 0"),
        (plain(&[1.0, -1.0], None, Loss::Poisson), "target -1 of row 1"),
        (plain(&[1.0, 2.0], Some(&[1.0]), squared()), "1 weights for 2 rows"),
        (plain(&[1.0, 2.0], Some(&[1.0, -1.0]), squared()), "weight -1 of row 1"),
        (plain(&[1.0, 2.0], Some(&[0.0, 0.0]), squared()), "weights that sum to 0"),
        (plain(&[1.0, 2.0], None, Loss::Pinball { levels: vec![0.9, 0.1] }), "levels are ascending"),
        (plain(&[1.0, 2.0], None, Loss::Tweedie { power: 2.0 }), "power is in (1, 2)"),
    ] {
        let message = result.expect_err(text);
        assert!(message.contains(text), "{message}");
    }
    let feature = || Feature::categorical("c", vec!["a".into(), "b".into()]);
    let refused = train(&[0.0, 2.0], &[1.0, 2.0], None, feature(), Params::new(squared()));
    assert_eq!(refused, Err(TrainError::Value("code 2 of feature \"c\" in row 1".into())));
}

#[test]
fn parameters_out_of_bounds_are_named() {
    let base = || Params::new(Loss::SquaredError);
    for (params, text) in [
        (Params { learning_rate: 0.0, ..base() }, "learning_rate"),
        (Params { row_fraction: 1.1, ..base() }, "row_fraction"),
        (Params { max_bins: 255, ..base() }, "max_bins"),
        (Params { l2: f64::NAN, ..base() }, "l2"),
        (Params { growth: Growth::Oblivious { depth: 9 }, ..base() }, "depth"),
        (Params { growth: Growth::LeafWise { leaves: 1, depth: None }, ..base() }, "leaves"),
        (Params { monotone: vec![Monotone::Free; 2], ..base() }, "monotone"),
    ] {
        let refused = train(&[1.0], &[1.0], None, Feature::numeric("x"), params);
        assert!(
            matches!(&refused, Err(TrainError::Parameter(message)) if message.contains(text)),
            "{refused:?}"
        );
    }
}

#[test]
fn training_stops_when_it_is_told_to() {
    let columns: [&[f64]; 1] = [&[1.0, 2.0]];
    let rows = Rows::new(&columns).expect("one column");
    let labelled = Labelled { rows: &rows, target: &[1.0, 2.0], weights: None };
    let booster = Booster::new(Params::new(Loss::SquaredError));
    let stopped = booster.train(&[Feature::numeric("x")], &labelled, None, Some(&|| true));
    assert_eq!(stopped.map(|_| ()), Err(TrainError::Stopped));
}

#[test]
fn a_table_without_a_column_gives_a_constant() {
    let rows = Rows::new(&[]).expect("no column");
    let labelled = Labelled { rows: &rows, target: &[1.0, 3.0], weights: None };
    let trained = Booster::new(Params::new(Loss::SquaredError)).train(&[], &labelled, None, None);
    assert!(trained.is_ok_and(|(ensemble, _)| ensemble.trees.is_empty() && ensemble.base == [2.0]));
}
