//! Foreign models: contributions equal those of the libraries that made them.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use tabcast_trees::{Ensemble, Explainer, FeatureKind, Link, Rows, TreesError};

/// Rows with the contributions of the library itself: for each output the features, then the base.
#[derive(Deserialize)]
struct Expected {
    columns: Vec<Vec<Option<f64>>>,
    contributions: Vec<Vec<f64>>,
}

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Checks all contributions and the base; margins are about 1.
fn equals(ensemble: &Ensemble, rows: &str, tolerance: f64) {
    let expected: Expected = serde_json::from_str(&fixture(rows)).unwrap();
    let missing = |value: &Option<f64>| value.unwrap_or(f64::NAN);
    let columns: Vec<Vec<f64>> =
        expected.columns.iter().map(|column| column.iter().map(missing).collect()).collect();
    let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let rows = Rows::new(&slices).unwrap();
    let explanation = Explainer::new(ensemble).unwrap().explain(&rows).unwrap();
    assert!(explanation.max_additivity_error <= 1e-12);
    let features = columns.len();
    for (row, contributions) in expected.contributions.iter().enumerate() {
        for (output, given) in contributions.chunks(features + 1).enumerate() {
            let found = |feature| explanation.column(output, feature)[row];
            let found = (0..features).map(found).chain([explanation.base[output]]);
            for (feature, (found, given)) in found.zip(given).enumerate() {
                let off = (found - given).abs();
                assert!(
                    off <= tolerance,
                    "row {row}, output {output}, feature {feature}: {found} is not {given}"
                );
            }
        }
    }
    // Nothing is lost on the way through a file.
    let mut bytes = Vec::new();
    ensemble.write(&mut bytes).unwrap();
    assert_eq!(Ensemble::read(&bytes).unwrap(), *ensemble);
}

#[test]
fn lightgbm_models_are_explained_as_by_lightgbm() {
    for name in ["regression", "multiclass", "dart_zero", "forest"] {
        let ensemble = Ensemble::from_lightgbm(&fixture(&format!("lightgbm_{name}.txt"))).unwrap();
        equals(&ensemble, &format!("lightgbm_{name}.rows.json"), 1e-9);
    }
    let multiclass = Ensemble::from_lightgbm(&fixture("lightgbm_multiclass.txt")).unwrap();
    assert_eq!((multiclass.outputs, multiclass.link), (3, Link::Softmax));
    assert!(matches!(multiclass.features[4].kind, FeatureKind::Categorical { .. }));
    let zero = Ensemble::from_lightgbm(&fixture("lightgbm_dart_zero.txt")).unwrap();
    assert!(zero.features[2].zero_is_missing);
}

#[test]
fn xgboost_models_are_explained_as_by_xgboost() {
    for name in ["regression", "logistic_dart", "multiclass"] {
        let ensemble = Ensemble::from_xgboost(&fixture(&format!("xgboost_{name}.json"))).unwrap();
        equals(&ensemble, &format!("xgboost_{name}.rows.json"), 1e-5);
    }
    let logistic = Ensemble::from_xgboost(&fixture("xgboost_logistic_dart.json")).unwrap();
    assert_eq!((logistic.outputs, logistic.link), (1, Link::Logistic));
    assert_eq!(logistic.features[4].name, "column_4");
    assert!(matches!(logistic.features[4].kind, FeatureKind::Categorical { .. }));
}

/// Up to version 3.3 the trees stood one level deeper and the weights beside them.
#[test]
fn weights_of_dropped_trees_are_found_in_both_places() {
    let text = fixture("xgboost_logistic_dart.json");
    let new = Ensemble::from_xgboost(&text).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut model = json["learner"]["gradient_booster"]["model"].take();
    let weights = model["weight_drop"].take();
    model.as_object_mut().unwrap().remove("weight_drop");
    json["learner"]["gradient_booster"] =
        serde_json::json!({ "name": "dart", "gbtree": { "model": model }, "weight_drop": weights });
    assert_eq!(Ensemble::from_xgboost(&json.to_string()).unwrap(), new);
}

#[test]
fn thresholds_of_xgboost_divide_doubles_as_their_single_precision_does() {
    let ensemble = Ensemble::from_xgboost(&fixture("xgboost_regression.json")).unwrap();
    let tree = &ensemble.trees[0];
    let node = (0..tree.nodes()).find(|&node| tree.threshold[node] != 0.0).unwrap();
    let limit = tree.threshold[node];
    assert!(limit as f32 != limit.next_up() as f32, "{limit} is not where rounding changes");
    assert!(tree.goes_left(node, limit) && !tree.goes_left(node, limit.next_up()));
}

#[test]
fn a_base_score_is_a_number_a_list_of_one_or_one_each() {
    let text = fixture("xgboost_multiclass.json");
    let from = text.find("\"base_score\":\"").unwrap() + "\"base_score\":\"".len();
    let end = from + text[from..].find('"').unwrap();
    let with = |score: &str| Ensemble::from_xgboost(&format!("{}{score}{}", &text[..from], &text[end..]));
    assert_eq!(with("5E-1").unwrap().base, [0.5; 3]);
    assert_eq!(with("[5E-1]").unwrap().base, [0.5; 3]);
    assert_eq!(with("[1E0,2E0,3E0]").unwrap().base, [1.0, 2.0, 3.0]);
    assert!(with("[1,2]").unwrap_err().to_string().contains("base_score is [1,2]"));
}

#[test]
fn what_is_not_supported_is_an_error_that_says_so() {
    let light = fixture("lightgbm_regression.txt");
    let boost = fixture("xgboost_regression.json");
    let from_light =
        |from: &str, to: &str| Ensemble::from_lightgbm(&light.replace(from, to)).unwrap_err().to_string();
    let from_boost =
        |from: &str, to: &str| Ensemble::from_xgboost(&boost.replace(from, to)).unwrap_err().to_string();
    assert!(from_light("is_linear=0", "is_linear=1").contains("tree 0: linear trees"));
    assert!(
        from_light("objective=regression", "objective=cross_entropy_lambda").contains("cross_entropy_lambda")
    );
    assert!(from_light("objective=regression", "objective=binary sigmoid:2").contains("only sigmoid:1"));
    assert!(from_light("leaf_count=", "leaf_kount=").contains("leaf_count is missing"));
    assert!(from_light("left_child=1", "left_child=0").contains("do not form a tree"));
    assert!(from_light("tree\nversion", "tree?\nversion").contains("does not begin"));
    assert!(from_boost("reg:squarederror", "binary:hinge").contains("binary:hinge"));
    assert!(from_boost("\"name\":\"gbtree\"", "\"name\":\"gblinear\"").contains("booster gblinear"));
    assert!(
        from_boost("\"size_leaf_vector\":\"1\"", "\"size_leaf_vector\":\"3\"").contains("several outputs")
    );
    assert!(matches!(Ensemble::from_xgboost("{}"), Err(TreesError::Import(_))));
}

#[test]
fn cut_and_damaged_texts_never_panic() {
    for (name, read) in [
        ("lightgbm_multiclass.txt", Ensemble::from_lightgbm as fn(&str) -> Result<Ensemble, TreesError>),
        ("xgboost_multiclass.json", Ensemble::from_xgboost),
    ] {
        let text = fixture(name);
        for length in (0..text.len() - 1).step_by(37) {
            let cut = read(&text[..length]);
            assert!(cut.is_err() || text[length..].find("end of trees").is_none(), "{name} cut at {length}");
        }
        let mut random = crate::random::Random(4);
        for _ in 0..1500 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..3 {
                let at = random.below(bytes.len());
                bytes[at] = b"0123456789-.e ,:[]{}\n="[random.below(22)];
            }
            if let Ok(ensemble) = read(&String::from_utf8(bytes).unwrap()) {
                assert_eq!(ensemble.check(), Ok(()));
            }
        }
    }
}
