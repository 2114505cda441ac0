//! Models that are trees themselves.

use tabcast_explain::Features;
use tabcast_explain::importance::{Explanation, Method, Options, Predictions, Reason, explain_trees};
use tabcast_trees::boosting::{Booster, Labelled, Loss, Params};
use tabcast_trees::{Ensemble, Explainer, Feature as TreeFeature, Rows};

use crate::generated::{cells, noise, table};

const ROWS: usize = 600;
const COLUMNS: usize = 8;

/// Trees for three outputs of which the second is asked about.
fn model(features: &Features) -> Ensemble {
    let columns: Vec<&[f64]> = (0..COLUMNS).map(|at| cells(features, at)).collect();
    let target: Vec<f64> = (0..ROWS)
        .map(|row| f64::from(columns[0][row] > 0.3) + f64::from(columns[1][row] + columns[2][row] > 0.0))
        .collect();
    let names: Vec<TreeFeature> = (0..COLUMNS).map(|at| TreeFeature::numeric(format!("x{at}"))).collect();
    let params = Params { rounds: 30, ..Params::new(Loss::Softmax { classes: 3 }) };
    let rows = Rows::new(&columns).expect("columns");
    let labelled = Labelled { rows: &rows, target: &target, weights: None };
    Booster::new(params).train(&names, &labelled, None, None).expect("trees").0
}

fn explain(trees: &Ensemble, features: &Features, options: &Options, scale: f64) -> Explanation {
    let scale = vec![scale; ROWS];
    let predictions = vec![0.5; ROWS];
    let input = Predictions { scale: Some(&scale), ..Predictions::new(features, &predictions) };
    explain_trees(trees, 1, &input, options, &|| false).expect("an explanation")
}

#[test]
fn values_are_those_of_the_explainer_times_the_scale() {
    let features = table((0..COLUMNS).map(|at| noise(&format!("x{at}"), at as u64, ROWS)).collect());
    let trees = model(&features);
    let explained = explain(&trees, &features, &Options::default(), 4.0);
    assert_eq!(explained.method, Method::ExactTreeShap);
    assert_eq!(explained.method.name(), "exact_tree_shap");
    assert!(explained.fidelity.is_none() && explained.left_out.is_empty());
    assert!(explained.max_additivity_error <= 1e-9);
    let shapley = explained.features.shapley.as_ref().expect("rows");
    let columns: Vec<&[f64]> = (0..COLUMNS).map(|at| cells(&features, at)).collect();
    let expected = Explainer::new(&trees)
        .expect("trees")
        .explain(&Rows::new(&columns).expect("columns"))
        .expect("values");
    for (name, values) in shapley.features.iter().zip(&shapley.values) {
        let at = (0..COLUMNS).find(|at| *name == format!("x{at}")).expect("a column");
        for (&row, value) in shapley.rows.iter().zip(values) {
            assert_eq!(*value, 4.0 * expected.column(1, at)[row]);
        }
    }
    // What the trees themselves say is reproduced in full, until a column is shuffled.
    let [first, .., last] = &explained.features.importance[..] else { panic!("features") };
    assert!(first.permutation_drop > 0.2 && first.permutation_drop > last.permutation_drop, "{first:?}");
}

#[test]
fn what_there_is_no_room_for_is_summed() {
    let features = table((0..COLUMNS).map(|at| noise(&format!("x{at}"), at as u64, ROWS)).collect());
    let trees = model(&features);
    let options = Options { max_features: 3, ..Options::default() };
    let few = explain(&trees, &features, &options, 1.0);
    let all = explain(&trees, &features, &Options::default(), 1.0);
    assert_eq!(few.features.importance.len(), 3);
    assert!((few.features.importance.iter().map(|feature| feature.share).sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(few.left_out.len(), COLUMNS - 2);
    assert!(few.left_out.iter().all(|left_out| left_out.reason == Reason::Summed));
    let [few, all] = [&few, &all].map(|explained| explained.features.shapley.as_ref().expect("rows"));
    assert!(few.features.iter().any(|name| name == "other features"));
    for place in 0..few.rows.len() {
        let [few, all] =
            [few, all].map(|shapley| shapley.values.iter().map(|values| values[place]).sum::<f64>());
        assert!((few - all).abs() < 1e-12);
    }
}
