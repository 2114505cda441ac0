//! The table of predictions.

use tabcast_tabular::{Extent, Options};

use crate::support::{dice, finish, options, table};

fn csv() -> String {
    table(
        120,
        &[
            ("customer", &|row| format!("c-{row}")),
            ("x", &|row| dice(row, 1).to_string()),
            ("group", &|row| ["a", "b", "c"][dice(row, 2) % 3].to_owned()),
            ("y", &|row| {
                if dice(row, 1) + 200 * (dice(row, 2) % 3) > 700 {
                    "up".to_owned()
                } else {
                    "down".to_owned()
                }
            }),
        ],
    )
}

#[test]
fn rows_stand_in_the_order_of_the_input_with_their_identifier() {
    let finished = finish(&csv(), options("classification", "y")).expect("a run");
    assert_eq!(finished.rows[0][..4], ["row_index", "customer", "split", "actual"].map(String::from)[..]);
    let rows = finished.numbers("row_index");
    assert_eq!(rows.len(), 24);
    assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
    for (row, customer) in rows.iter().zip(finished.column("customer")) {
        assert_eq!(customer, format!("c-{row}"));
    }
}

#[test]
fn probabilities_sum_to_one_and_the_prediction_is_the_largest() {
    let finished = finish(&csv(), options("classification", "y")).expect("a run");
    let (up, down, confidence) = (
        finished.numbers("probability_up"),
        finished.numbers("probability_down"),
        finished.numbers("confidence"),
    );
    for (row, prediction) in finished.column("prediction").into_iter().enumerate() {
        assert!((up[row] + down[row] - 1.0).abs() < 1e-9);
        assert_eq!(prediction == "up", up[row] > down[row]);
        assert_eq!(confidence[row], up[row].max(down[row]));
    }
}

#[test]
fn a_number_stands_between_its_quantiles() {
    let csv = table(
        200,
        &[
            ("x", &|row| dice(row, 1).to_string()),
            ("y", &|row| (2 * dice(row, 1) + dice(row, 2) % 100).to_string()),
        ],
    );
    for problem in ["regression", "quantile"] {
        let options = Options { problem_type: problem.to_owned(), ..options("regression", "y") };
        let finished = finish(&csv, options).expect("a run");
        assert_eq!(
            finished.rows[0][1..],
            ["split", "actual", "prediction", "0.1", "0.5", "0.9"].map(String::from)[..]
        );
        let (low, middle, high) = (finished.numbers("0.1"), finished.numbers("0.5"), finished.numbers("0.9"));
        for row in 0..low.len() {
            assert!(low[row] <= middle[row] && middle[row] <= high[row]);
        }
        if problem == "quantile" {
            assert_eq!(finished.numbers("prediction"), middle);
        }
    }
}

#[test]
fn names_of_ours_are_not_taken_by_columns_of_the_input() {
    let csv = csv().replace("customer,", "prediction,");
    let finished = finish(&csv, options("classification", "y")).expect("a run");
    assert_eq!(finished.rows[0][1], "prediction_2");
    assert_eq!(finished.column("prediction_2")[0].as_bytes()[..2], *b"c-");
}

#[test]
fn the_last_rows_are_held_back_in_order_of_time() {
    let csv = table(
        100,
        &[
            ("day", &|row| format!("2026-{:02}-{:02}", 1 + (99 - row) / 28, 1 + (99 - row) % 28)),
            ("x", &|row| dice(row, 1).to_string()),
            ("y", &|row| (dice(row, 1) / 10).to_string()),
        ],
    );
    let timed = Options { time_column: Some("day".to_owned()), ..options("regression", "y") };
    let finished = finish(&csv, timed).expect("a run");
    assert_eq!(finished.report().split.kind, "time_ordered");
    assert_eq!(finished.numbers("row_index"), (0..20).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let run = |threads: usize| {
        let all = Options { threads, extent: Extent::default(), ..options("classification", "y") };
        let mut finished = finish(&csv(), all).expect("a run");
        let report = &mut finished.summary.report;
        report.timings.clear();
        report.leaderboard.iter_mut().for_each(|member| member.seconds = 0.0);
        (finished.rows, format!("{:?}", finished.summary.report))
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn a_class_has_one_text_in_the_predictions_the_columns_and_the_report() {
    let csv = table(
        80,
        &[
            ("x", &|row| dice(row, 1).to_string()),
            ("y", &|row| ["0.0000001", "1e21", "2.50"][dice(row, 1) % 3].to_owned()),
        ],
    );
    let finished = finish(&csv, options("classification", "y")).expect("a run");
    let classes: Vec<&str> =
        finished.report().classes.iter().flatten().map(|class| class.label.as_str()).collect();
    let mut sorted = classes.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["1e+21", "1e-7", "2.5"]);
    assert!(finished.column("prediction").iter().all(|label| classes.contains(label)));
    for class in classes {
        assert_eq!(finished.numbers(&format!("probability_{class}")).len(), 16);
    }
}

#[test]
fn the_report_says_which_column_belongs_to_a_class() {
    let labels = ["a_", "a;", "a\u{7f}"];
    let csv = table(90, &[("x", &|row| dice(row, 1).to_string()), ("y", &|row| labels[row % 3].to_owned())]);
    let finished = finish(&csv, options("classification", "y")).expect("a run");
    let classes: Vec<_> = finished.report().classes.iter().flatten().collect();
    let columns: Vec<&str> = classes.iter().map(|class| class.column.as_str()).collect();
    assert_eq!(columns, ["probability_a_", "probability_a__2", "probability_a__3"]);
    let confidence = finished.numbers("confidence");
    for (row, label) in finished.column("prediction").into_iter().enumerate() {
        let class = classes.iter().find(|class| class.label == label).expect("a class");
        assert_eq!(finished.numbers(&class.column)[row], confidence[row]);
    }
}
