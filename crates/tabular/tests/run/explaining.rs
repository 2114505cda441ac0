//! Analyses of tables: what was planted is found, what cannot be said is skipped, and the files fit together.

use serde_json::{Value, json};
use tabcast_tabular::{ExplainOptions, Extent, Options};

use crate::support::{dice, finish, options, table};

/// A number that counts tenfold, a colour of three of which red adds 4,000, a date without effect.
fn amount(row: usize) -> f64 {
    10.0 * dice(row, 1) as f64
        + if colour(row) == "red" { 4_000.0 } else { 0.0 }
        + dice(row, 4) as f64 / 100.0
}

fn colour(row: usize) -> &'static str {
    ["red", "green", "blue"][dice(row, 2) % 3]
}

fn cells(label: &dyn Fn(usize) -> String) -> [(&'static str, &dyn Fn(usize) -> String); 5] {
    [
        ("colour", &|row| colour(row).to_owned()),
        ("size", &|row| dice(row, 1).to_string()),
        ("noise", &|row| dice(row, 3).to_string()),
        ("day", &|row| format!("2024-{:02}-{:02}", 1 + dice(row, 5) % 12, 1 + dice(row, 6) % 28)),
        ("label", label),
    ]
}

fn explained(task: &str, explain: ExplainOptions) -> Options {
    Options { extent: Extent::Bagged, explain: Some(explain), ..options(task, "label") }
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

/// The lines of a table below its header, by cell.
fn lines(text: &str) -> Vec<Vec<&str>> {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{:?}", lines[0]);
    lines[1..].to_vec()
}

#[test]
fn of_a_regression_every_analysis_says_what_was_planted() {
    let csv = table(900, &cells(&|row| format!("{:.2}", amount(row))));
    let finished = finish(&csv, explained("regression", ExplainOptions::default())).expect("a run");
    let document = finished.document();
    assert_eq!((&document["subject"], &document["target"]), (&json!("table"), &json!("label")));
    assert_eq!((document.get("freq"), document.get("class")), (None, None));
    assert_eq!(
        document["skipped"],
        json!({ "forecast_plot": "not_applicable", "rolling_regression": "not_applicable" }),
        "{}",
        document["warnings"]
    );
    assert_eq!(document["warnings"], json!([]));
    assert_eq!(document["completed"].as_array().map(Vec::len), Some(4));
    assert!(finished.report().timings["explain"] > 0.0);

    let importance = &document["importance"];
    assert_eq!(importance["method"], "surrogate_tree_shap");
    assert!(importance["fidelity"]["r2"].as_f64() > Some(0.9), "{}", importance["fidelity"]);
    // Rows that a fold held back and rows of the test: nobody learned from them.
    assert_eq!(importance["rows"], 900);
    let features = importance["features"].as_array().expect("features");
    let of = |name: &str| features.iter().find(|feature| feature["feature"] == name).expect("a feature");
    assert_eq!(of("size")["direction"], "rising");
    for name in ["noise", "day"] {
        assert!(of(name)["share"].as_f64() < Some(0.05), "{features:?}");
    }

    // Row by row: contributions add up to what is reproduced, and red adds 4,000.
    let values = lines(&finished.analyses["shap_values.csv"]);
    let number = |cell: &str| cell.parse::<f64>().expect("a number");
    let (mut red, mut other) = (Vec::new(), Vec::new());
    for row in values.chunk_by(|a, b| a[0] == b[0]) {
        let sum: f64 = row.iter().map(|line| number(line[3])).sum();
        assert!((number(row[0][4]) + sum - number(row[0][5])).abs() < 1e-6);
        let line = row.iter().find(|line| line[1] == "colour").expect("a line");
        assert_eq!(line[2], colour(row[0][0].parse().expect("a row")));
        if line[2] == "red" { red.push(number(line[3])) } else { other.push(number(line[3])) }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let effect = mean(&red) - mean(&other);
    assert!((effect - 4_000.0).abs() < 400.0, "{effect}");
    let detailed = document["shap"]["detailed"].as_array().expect("rows");
    assert!(detailed.iter().all(|row| row["row_index"].as_u64() < Some(900)));
    let told = detailed[0]["contributions"].as_array().expect("contributions");
    let of_colour = told.iter().find(|one| one["feature"] == "colour").expect("a contribution");
    assert_eq!(of_colour["value"], "red");

    let rows = document["feature_target"]["rows"].as_array().expect("rows");
    let of = |feature: &str, method: &str| {
        let found = rows.iter().find(|row| row["feature"] == feature && row["method"] == method);
        found.expect("a row")["abs_value"].as_f64().expect("a number")
    };
    assert!(of("colour", "correlation_ratio") > 0.3 && of("size", "pearson") > 0.6);
    assert!(of("noise", "pearson") < 0.15);
    assert!(rows.iter().all(|row| row["best_lag"].is_null()));
    assert_eq!(strings(&document["feature_feature"]["features"]), ["colour", "size", "noise", "day"]);
    for name in [
        "feature_importance.csv",
        "shap_summary.csv",
        "feature_target_correlations.csv",
        "feature_feature_correlations.csv",
    ] {
        assert!(!lines(&finished.analyses[name]).is_empty(), "{name}");
    }
}

#[test]
fn of_two_classes_the_rarer_one_is_explained_and_of_several_the_most_frequent_one() {
    let rare = |row: usize| if amount(row) > 9_000.0 { "yes" } else { "no" }.to_owned();
    let finished = finish(
        &table(700, &cells(&rare)),
        explained("classification", ExplainOptions { shap_sample_size: 700, ..ExplainOptions::default() }),
    );
    let finished = finished.expect("a run");
    let document = finished.document();
    assert_eq!(document["class"], "yes");
    let shares = document["importance"]["features"].as_array().expect("features");
    assert!(["size", "colour"].contains(&shares[0]["feature"].as_str().expect("a name")), "{shares:?}");
    // The probabilities of the output, row by row.
    let (rows, probabilities) = (finished.column("row_index"), finished.numbers("probability_yes"));
    let values = lines(&finished.analyses["shap_values.csv"]);
    let mut matched = 0;
    for (row, probability) in rows.iter().zip(probabilities) {
        for line in values.iter().filter(|line| line[0] == *row) {
            assert_eq!(line[6].parse::<f64>().ok(), Some(probability));
            matched += 1;
        }
    }
    assert!(matched > 0);
    let target = document["feature_target"]["rows"].as_array().expect("rows");
    let methods: Vec<&str> = target.iter().filter_map(|row| row["method"].as_str()).collect();
    assert!(methods.contains(&"cramers_v") && methods.contains(&"correlation_ratio"), "{methods:?}");

    let three = |row: usize| ["some", "most", "most", "few", "most", "some"][dice(row, 1) / 167].to_owned();
    let finished =
        finish(&table(600, &cells(&three)), explained("classification", ExplainOptions::default()));
    assert_eq!(finished.expect("a run").document()["class"], "most");
}

#[test]
fn rows_without_a_label_are_explained_too() {
    let csv =
        table(400, &cells(&|row| if row < 300 { format!("{:.2}", amount(row)) } else { String::new() }));
    let explain = ExplainOptions { shap_sample_size: 400, ..ExplainOptions::default() };
    let options = Options { inference_mode: "train_predict".to_owned(), ..explained("regression", explain) };
    let finished = finish(&csv, options).expect("a run");
    assert_eq!(finished.document()["importance"]["rows"], 400);
    let values = lines(&finished.analyses["shap_values.csv"]);
    assert_eq!(values.last().map(|line| line[0]), Some("399"));
}

#[test]
fn what_cannot_be_said_is_skipped_with_a_reason() {
    let few = table(30, &cells(&|row| format!("{:.2}", amount(row))));
    let document =
        finish(&few, explained("regression", ExplainOptions::default())).expect("a run").document();
    for name in ["feature_importance", "shap", "feature_target_correlations", "feature_feature_correlations"]
    {
        assert_eq!(document["skipped"][name], "not_enough_rows", "{name}");
    }
    assert_eq!(document["completed"], json!([]));
    let none = ExplainOptions {
        forecast_plot: false,
        rolling_regression: false,
        feature_importance: false,
        shap: false,
        feature_target_correlations: false,
        ..ExplainOptions::default()
    };
    let one = finish(&few, explained("regression", none)).expect("a run").document();
    assert_eq!(one["skipped"], json!({ "feature_feature_correlations": "not_enough_rows" }));
    let asked = finish(&few, options("regression", "label")).expect("a run");
    assert!(asked.analyses.is_empty() && !asked.report().timings.contains_key("explain"));
}

#[test]
fn predictions_are_the_same_with_and_without_analyses() {
    let csv = table(200, &cells(&|row| format!("{:.2}", amount(row))));
    let without = finish(&csv, options("regression", "label")).expect("a run");
    let with = Options { explain: Some(ExplainOptions::default()), ..options("regression", "label") };
    assert_eq!(finish(&csv, with).expect("a run").rows, without.rows);
}

#[test]
fn bounds_of_the_block_hold() {
    let csv = table(300, &cells(&|row| format!("{:.2}", amount(row))));
    let explain = ExplainOptions {
        max_features: 2,
        max_rows: 100,
        shap_sample_size: 25,
        top_k_features: 1,
        ..ExplainOptions::default()
    };
    let finished = finish(&csv, explained("regression", explain)).expect("a run");
    let document = finished.document();
    let importance = &document["importance"];
    assert_eq!((&importance["rows"], &importance["explained_rows"]), (&json!(100), &json!(25)));
    assert_eq!(importance["features"].as_array().map(Vec::len), Some(2));
    for row in document["shap"]["detailed"].as_array().expect("rows") {
        assert_eq!(row["contributions"].as_array().map(Vec::len), Some(1));
    }
    assert_eq!(strings(&document["feature_feature"]["features"]), ["colour", "size"]);
    assert_eq!(strings(&document["feature_feature"]["beyond_limit"]), ["noise", "day"]);
    for row in document["feature_target"]["rows"].as_array().expect("rows") {
        assert!(row["n"].as_u64() <= Some(100), "{row}");
    }
    let wrong = ExplainOptions { max_rows: 49, ..ExplainOptions::default() };
    let failure = finish(&csv, explained("regression", wrong)).map(|_| ()).expect_err("it is refused");
    assert!(failure.to_string().contains("max_rows"), "{failure}");
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    let csv = table(300, &cells(&|row| if amount(row) > 7_000.0 { "yes" } else { "no" }.to_owned()));
    let run = |threads: usize| {
        let options = Options { threads, ..explained("classification", ExplainOptions::default()) };
        finish(&csv, options).expect("a run").analyses
    };
    assert_eq!(run(1), run(3));
}
