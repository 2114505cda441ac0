//! Why there may be no explanation.

use std::sync::atomic::{AtomicUsize, Ordering};

use tabcast_explain::importance::{
    FeatureGroups, ImportanceError, Options, Predictions, explain_predictions, explain_trees,
};
use tabcast_explain::{Feature, Features, Skip, Values};
use tabcast_trees::{Ensemble, Feature as TreeFeature, Tree};

use crate::generated::{mixed, noise, numbers, table};

fn refusal(input: &Predictions<'_>, options: &Options) -> ImportanceError {
    explain_predictions(input, options, &|| false).expect_err("a refusal")
}

#[test]
fn few_rows_and_nothing_that_varies() {
    let options = Options::default();
    let (features, mut predictions) = mixed(60);
    predictions[..11].fill(f64::NAN);
    let input = Predictions::new(&features, &predictions);
    assert_eq!(refusal(&input, &options), Skip::NotEnoughRows.into());

    let (features, predictions) = mixed(60);
    let mut scale = vec![1.0; 60];
    scale[20..31].fill(0.0);
    let input = Predictions { scale: Some(&scale), ..Predictions::new(&features, &predictions) };
    assert_eq!(refusal(&input, &options), Skip::NotEnoughRows.into());

    let origin = vec![3; 60];
    let input = Predictions { fold_groups: Some(&origin), ..Predictions::new(&features, &predictions) };
    assert_eq!(refusal(&input, &options), Skip::NotEnoughRows.into());

    let input = Predictions::new(&features, &[5.0; 60]);
    assert_eq!(refusal(&input, &options), Skip::NoFeatures.into());
    let constant = table(vec![numbers("constant", vec![1.0; 60]), numbers("missing", vec![f64::NAN; 60])]);
    assert_eq!(refusal(&Predictions::new(&constant, &predictions), &options), Skip::NoFeatures.into());
    let empty = Features::new(60, Vec::new()).expect("no column");
    assert_eq!(refusal(&Predictions::new(&empty, &predictions), &options), Skip::NoFeatures.into());
}

#[test]
fn fifty_rows_are_enough() {
    let (features, predictions) = mixed(50);
    let simple: Vec<f64> = predictions.iter().map(|value| f64::from(*value > 50.0)).collect();
    match explain_predictions(&Predictions::new(&features, &simple), &Options::default(), &|| false) {
        Ok(explained) => assert_eq!(explained.explained_rows, 50),
        Err(error) => assert_eq!(error, Skip::LowFidelity.into()),
    }
}

#[test]
fn it_ends_when_it_is_told_to() {
    let (features, predictions) = mixed(300);
    let input = Predictions::new(&features, &predictions);
    let asked = AtomicUsize::new(0);
    let run = |most: usize| {
        asked.store(0, Ordering::Relaxed);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= most;
        explain_predictions(&input, &Options::default(), &stop).err()
    };
    assert_eq!(run(usize::MAX), None);
    let whole = asked.load(Ordering::Relaxed);
    // At once, during training, and during the last permutation.
    for most in [0, whole / 2, whole - 1] {
        assert_eq!(run(most), Some(Skip::Timeout.into()), "after {most} of {whole}");
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let (features, predictions) = mixed(60);
    let input = Predictions::new(&features, &predictions);
    let options = Options::default();
    let says = |input: &Predictions<'_>, options: &Options, text: &str| {
        assert_eq!(refusal(input, options), ImportanceError::Input(text.to_owned()));
    };
    says(&Predictions::new(&features, &predictions[1..]), &options, "59 predictions for 60 rows");
    says(&Predictions { actuals: Some(&[1.0]), ..input }, &options, "1 actuals for 60 rows");
    says(&Predictions { series: Some(&[1]), ..input }, &options, "1 series for 60 rows");
    says(&Predictions { fold_groups: Some(&[]), ..input }, &options, "0 fold_groups for 60 rows");
    says(&input, &Options { max_features: 0, ..options }, "max_features is 0, the least is 1");
    says(&input, &Options { max_rows: 49, ..options }, "max_rows is 49, the least is 50");
    let groups = FeatureGroups { names: vec!["all".to_owned()], of_column: vec![0; 4] };
    let grouped = |groups| Predictions { feature_groups: Some(groups), ..input };
    says(&grouped(&groups), &options, "groups of 4 columns, for 5 columns");
    let unknown = FeatureGroups { of_column: vec![0, 0, 1, 0, 0], ..groups.clone() };
    says(&grouped(&unknown), &options, "group 1 of 1 groups");
    let levels = Values::Levels { codes: vec![2; 60], names: vec!["a".to_owned(), "b".to_owned()] };
    let unknown = table(vec![Feature { name: "kind".to_owned(), values: levels }]);
    says(&Predictions::new(&unknown, &predictions), &options, "code 2 of 2 levels of kind");
    let huge: Vec<f64> = predictions.iter().map(|value| value * 1e300).collect();
    assert_eq!(refusal(&Predictions::new(&features, &huge), &options), Skip::NotEnoughRows.into());
}

#[test]
fn trees_that_do_not_fit_or_say_one_thing() {
    let features = table(vec![noise("x", 1, 60)]);
    let predictions = vec![0.0; 60];
    let input = Predictions::new(&features, &predictions);
    let constant = Ensemble {
        features: vec![TreeFeature::numeric("x")],
        outputs: 1,
        base: vec![2.0],
        trees: vec![Tree::constant(vec![1.0], 0, 60.0)],
        ..Ensemble::default()
    };
    let refusal = |trees: &Ensemble, output: usize| {
        explain_trees(trees, output, &input, &Options::default(), &|| false).expect_err("a refusal")
    };
    assert_eq!(refusal(&constant, 0), Skip::NoFeatures.into());
    assert_eq!(refusal(&constant, 1), ImportanceError::Input("output 1 of 1".to_owned()));
    let wider = Ensemble { features: vec![TreeFeature::numeric("x"); 2], ..constant };
    let text = "1 columns for a model of 2 features".to_owned();
    assert_eq!(refusal(&wider, 0), ImportanceError::Input(text));
}
