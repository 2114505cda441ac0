//! Groups of features are sums of their columns.

use proptest::prelude::*;
use tabcast_explain::Features;
use tabcast_explain::importance::{
    FeatureGroups, FeatureImportance, Options, Predictions, explain_predictions,
};

use crate::generated::mixed;

fn check(features: &Features, predictions: &[f64], of_column: Vec<usize>) {
    let names = ["price", "recent level", "nothing"].map(str::to_owned).to_vec();
    let groups = FeatureGroups { names, of_column };
    let input = Predictions { feature_groups: Some(&groups), ..Predictions::new(features, predictions) };
    let explained = explain_predictions(&input, &Options::default(), &|| false).expect("an explanation");
    let view = explained.groups.as_ref().expect("groups");
    let whole: f64 = view.importance.iter().map(|group| group.share).sum();
    assert!((whole - 1.0).abs() < 1e-12);
    let (single, merged) =
        (explained.features.shapley.as_ref().expect("rows"), view.shapley.as_ref().expect("rows"));
    assert_eq!((&single.rows, &single.base), (&merged.rows, &merged.base));
    for (name, values) in merged.features.iter().zip(&merged.values) {
        let group = groups.names.iter().position(|known| known == name).expect("a group");
        let is_part = |feature: &&usize| {
            let at = features.columns().iter().position(|column| column.name == single.features[**feature]);
            groups.of_column[at.expect("a column")] == group
        };
        let parts: Vec<usize> =
            (0..single.features.len()).collect::<Vec<_>>().iter().filter(is_part).copied().collect();
        for (place, value) in values.iter().enumerate() {
            let sum: f64 = parts.iter().map(|&feature| single.values[feature][place]).sum();
            assert!((sum - value).abs() <= 1e-12 * merged.reproduced[place].abs());
        }
    }
}

#[test]
fn a_group_of_one_column_is_that_column_and_empty_groups_are_gone() {
    let (features, predictions) = mixed(600);
    let names = ["price", "lags", "others", "empty"].map(str::to_owned).to_vec();
    let groups = FeatureGroups { names, of_column: vec![0, 1, 1, 2, 2] };
    let input = Predictions { feature_groups: Some(&groups), ..Predictions::new(&features, &predictions) };
    let explained = explain_predictions(&input, &Options::default(), &|| false).expect("an explanation");
    let view = explained.groups.as_ref().expect("groups");
    assert_eq!(view.importance.len(), 3);
    // Shares differ, as groups add up to less than their columns do alone.
    let [alone, merged] = [&explained.features, view].map(|view| view.importance[0].clone());
    assert_eq!(merged, FeatureImportance { share: merged.share, ..alone });
    let lags = view.importance.iter().find(|group| group.feature == "lags").expect("lags");
    assert_eq!((lags.direction, lags.correlation), (None, None));
    let parts = explained.features.importance.iter().filter(|feature| feature.feature.starts_with("lag"));
    let (apart, largest) = parts
        .fold((0.0, 0.0_f64), |(sum, most), part| (sum + part.importance, most.max(part.permutation_drop)));
    assert!(lags.importance <= apart + 1e-12);
    assert!(lags.permutation_drop > largest);
    let merged = view.shapley.as_ref().expect("rows");
    let at = merged.features.iter().position(|name| name == "lags").expect("lags");
    assert_eq!(merged.feature_values[at], None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn sums_of_groups_are_exact(of_column in prop::collection::vec(0..3_usize, 5)) {
        let (features, predictions) = mixed(200);
        check(&features, &predictions, of_column);
    }
}
