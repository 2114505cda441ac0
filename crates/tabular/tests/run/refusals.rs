//! What cannot be learned, and what is said about it.

use tabcast_tabular::{Failure, Options};

use crate::support::{complaint, dice, finish, options, refusal, table};

fn classify(csv: &str) -> (&'static str, u16, String) {
    refusal(csv, options("classification", "y"))
}

fn regress(csv: &str) -> (&'static str, u16, String) {
    refusal(csv, options("regression", "y"))
}

fn with_label(rows: usize, label: &dyn Fn(usize) -> String) -> String {
    table(
        rows,
        &[("x", &|row| dice(row, 1).to_string()), ("region", &|row| (row % 3).to_string()), ("y", label)],
    )
}

#[test]
fn a_label_column_that_is_not_there_is_named_with_the_closest_one() {
    let csv = with_label(30, &|row| (row % 2).to_string());
    let (code, status, suggestion) = refusal(&csv, options("classification", "Regoin"));
    assert_eq!((code, status), ("missing_column", 422));
    assert!(suggestion.contains("'region'"), "{suggestion}");
    let timed = Options { time_column: Some("when".to_owned()), ..options("classification", "y") };
    assert_eq!(refusal(&csv, timed).0, "missing_column");
}

#[test]
fn one_class_or_few_labels_are_not_enough() {
    assert_eq!(classify(&with_label(30, &|_| "yes".to_owned())).0, "one_class");
    assert_eq!(classify(&with_label(30, &|_| "yes".to_owned())).1, 400);
    let few = with_label(40, &|row| if row < 19 { (row % 2).to_string() } else { String::new() });
    assert_eq!((classify(&few).0, classify(&few).1), ("too_few_labels", 400));
    assert_eq!(regress(&few).0, "too_few_labels");
    let none = with_label(40, &|_| String::new());
    assert_eq!(classify(&none).0, "too_few_labels");
}

#[test]
fn classes_of_one_row_each_are_no_classes() {
    let csv = with_label(30, &|row| match row {
        3 => "b".to_owned(),
        7 => "c".to_owned(),
        _ => "a".to_owned(),
    });
    assert_eq!((classify(&csv).0, classify(&csv).1), ("rare_classes", 422));
}

#[test]
fn a_number_is_sent_to_the_other_route_and_a_text_too() {
    let (code, status, suggestion) = classify(&with_label(1_000, &|row| dice(row, 5).to_string()));
    assert_eq!((code, status), ("numeric_label", 422));
    assert!(suggestion.contains("/v2/regress"), "{suggestion}");
    let (code, status, suggestion) = regress(&with_label(100, &|row| format!("level {}", row % 4)));
    assert_eq!((code, status), ("non_numeric_label", 422));
    assert!(suggestion.contains("/v2/classify"), "{suggestion}");
    assert_eq!(
        regress(&with_label(100, &|row| format!("2026-01-{:02}", 1 + row % 28))).0,
        "non_numeric_label"
    );
}

#[test]
fn classes_have_a_limit_and_binary_means_two() {
    let (code, status, _) = classify(&with_label(2_100, &|row| format!("class {}", row % 1_001)));
    assert_eq!((code, status), ("too_many_classes", 422));
    let csv = with_label(60, &|row| (row % 3).to_string());
    let binary = Options { problem_type: "binary".to_owned(), ..options("classification", "y") };
    assert_eq!(refusal(&csv, binary).0, "not_binary");
}

#[test]
fn without_an_unlabelled_row_there_is_nothing_to_predict() {
    let csv = with_label(40, &|row| (row % 2).to_string());
    let predict = Options { inference_mode: "train_predict".to_owned(), ..options("classification", "y") };
    let (code, status, suggestion) = refusal(&csv, predict);
    assert_eq!((code, status), ("no_unlabeled_rows", 400));
    assert!(suggestion.contains("train_evaluate"), "{suggestion}");
}

#[test]
fn a_table_of_constants_teaches_nothing() {
    let csv = table(
        50,
        &[("a", &|_| "1".to_owned()), ("b", &|_| String::new()), ("y", &|row| (row % 2).to_string())],
    );
    assert_eq!(classify(&csv).0, "no_features");
    let only = table(50, &[("y", &|row| (row % 2).to_string())]);
    assert_eq!(classify(&only).0, "no_features");
}

#[test]
fn files_that_are_no_tables() {
    assert_eq!((classify("").0, classify("").1), ("empty_file", 400));
    assert_eq!(classify("x,y\n").0, "no_rows");
    assert_eq!(classify("x,x,y\n1,2,a\n").0, "duplicate_column");
    assert_eq!(classify("x,y\n1,a\n2\n").0, "ragged_row");
}

#[test]
fn a_time_column_holds_times() {
    let csv =
        with_label(40, &|row| (row % 2).to_string()).replace("region,", "when,").replace(",2,", ",soon,");
    let timed = Options { time_column: Some("when".to_owned()), ..options("classification", "y") };
    assert_eq!(refusal(&csv, timed).0, "unparseable_timestamp");
}

#[test]
fn a_missing_column_says_how_many_of_the_columns_it_lists() {
    let cell = |row: usize| row.to_string();
    let names: Vec<String> = (0..55).map(|at| format!("c{at}")).collect();
    let columns: Vec<(&str, &dyn Fn(usize) -> String)> =
        names.iter().map(|name| (name.as_str(), &cell as &dyn Fn(usize) -> String)).collect();
    let message = complaint(&table(30, &columns), options("classification", "y"));
    assert!(message.contains("; the first 20 of 55 are 'c0', "), "{message}");
    let message = complaint(&table(30, &columns[..20]), options("classification", "y"));
    assert!(message.contains("; the columns are 'c0', "), "{message}");
}

#[test]
fn labels_whose_squares_have_no_number_are_refused() {
    for (big, row) in [("1e154", 0), ("-3e300", 7)] {
        let csv = with_label(60, &|at| if at == row { big.to_owned() } else { at.to_string() });
        let (code, status, suggestion) = regress(&csv);
        assert_eq!((code, status), ("label_out_of_range", 422));
        assert!(suggestion.contains("larger unit"), "{suggestion}");
    }
}

#[test]
fn a_time_column_without_a_time_is_no_time_column() {
    let csv = table(
        40,
        &[
            ("when", &|_| String::new()),
            ("x", &|row| dice(row, 1).to_string()),
            ("y", &|row| (row % 2).to_string()),
        ],
    );
    let timed = Options { time_column: Some("when".to_owned()), ..options("classification", "y") };
    let (code, status, suggestion) = refusal(&csv, timed);
    assert_eq!((code, status), ("empty_time_column", 422));
    assert!(suggestion.contains("leave it out"), "{suggestion}");
}

#[test]
fn one_class_until_the_last_rows_is_nothing_to_learn_from() {
    let csv = table(
        60,
        &[
            ("day", &|row| row.to_string()),
            ("x", &|row| dice(row, 1).to_string()),
            ("y", &|row| ["early", "late"][row / 50].to_owned()),
        ],
    );
    let timed = |ratio: f64| Options {
        time_column: Some("day".to_owned()),
        train_split_ratio: ratio,
        ..options("classification", "y")
    };
    let (code, status, suggestion) = refusal(&csv, timed(0.8));
    assert_eq!((code, status), ("one_class", 400));
    assert!(suggestion.contains("train_split_ratio"), "{suggestion}");
    assert!(complaint(&csv, timed(0.8)).contains("training part of the time-ordered split"));
    assert!(finish(&csv, timed(0.95)).is_ok());
}

#[test]
fn options_that_no_table_can_meet_are_refused() {
    let csv = with_label(40, &|row| (row % 2).to_string());
    for rows in [Vec::new(), (0..40).collect::<Vec<u32>>()] {
        let held = Options { test_rows: Some(rows), ..options("classification", "y") };
        assert!(matches!(finish(&csv, held), Err(Failure::Options(_))));
    }
    // Nor is the label a time, with a blank or without.
    for time in ["y", " y "] {
        let timed = Options { time_column: Some(time.to_owned()), ..options("classification", "y") };
        assert!(matches!(finish(&csv, timed), Err(Failure::Options(_))));
    }
}
