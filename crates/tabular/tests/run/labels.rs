//! Labels as they come out of files.

use tabcast_tabular::{Extent, Options};

use crate::support::{dice, finish, options, table};

#[test]
fn texts_are_kept_as_they_are() {
    for classes in [["ja", "nein"], ["Größe ½", "日本"], ["007", "08"], ["true", "false"], ["a b", "a  b"]]
    {
        let label = |row: usize| classes[usize::from(dice(row, 1) > 500)].to_owned();
        let csv = table(80, &[("x", &|row| dice(row, 1).to_string()), ("y", &label)]);
        let finished = finish(&csv, options("classification", "y")).expect("a run");
        let mut seen: Vec<&str> =
            finished.report().classes.iter().flatten().map(|class| class.label.as_str()).collect();
        seen.sort_unstable();
        let mut wanted = classes;
        wanted.sort_unstable();
        assert_eq!(seen, wanted);
        assert!(finished.column("prediction").iter().all(|label| classes.contains(label)));
    }
}

#[test]
fn numbers_of_one_value_are_one_class() {
    let label = |row: usize| ["1", "1.0", "0", "0.0"][row % 4].to_owned();
    let csv = table(80, &[("x", &|row| (row % 4 / 2 * 100 + dice(row, 2) % 50).to_string()), ("y", &label)]);
    let finished = finish(&csv, options("classification", "y")).expect("a run");
    assert_eq!(finished.report().problem_type, "binary");
    assert_eq!(finished.rows[0][4..], ["confidence", "probability_1", "probability_0"].map(String::from)[..]);
    // Beside a text they are texts, each its own.
    let csv = csv.replace(",0.0\n", ",none of them\n");
    let finished = finish(&csv, options("classification", "y")).expect("a run");
    assert_eq!(finished.report().classes.iter().flatten().count(), 4);
}

#[test]
fn a_class_of_one_row_is_learned_from_and_warned_of() {
    let label = |row: usize| if row == 5 { "rare".to_owned() } else { (row % 2).to_string() };
    let csv = table(60, &[("x", &|row| (row % 2 * 10 + dice(row, 3) % 9).to_string()), ("y", &label)]);
    let finished = finish(&csv, options("classification", "y")).expect("a run");
    assert!(
        finished.report().warnings.iter().any(|warning| warning.code == "rare_classes" && warning.count == 1)
    );
    assert!(finished.column("actual").iter().all(|label| *label != "rare"));
}

#[test]
fn rows_without_a_label_are_predicted_or_counted() {
    let label = |row: usize| {
        if row.is_multiple_of(5) { String::new() } else { usize::from(dice(row, 1) > 500).to_string() }
    };
    let csv = table(100, &[("x", &|row| dice(row, 1).to_string()), ("y", &label)]);
    let auto = Options { inference_mode: "auto".to_owned(), ..options("classification", "y") };
    let finished = finish(&csv, auto).expect("a run");
    let counts = finished.report().counts;
    assert_eq!((counts.num_samples, counts.labeled, counts.unlabeled, counts.predicted), (100, 80, 20, 20));
    assert_eq!(finished.report().evaluated_on, "cross_validation");
    assert_eq!(finished.column("row_index"), (0..20).map(|row| (row * 5).to_string()).collect::<Vec<_>>());
    assert!(finished.column("actual").iter().all(|cell| cell.is_empty()));
    assert!(finished.column("split").iter().all(|split| *split == "unlabeled"));
    let finished = finish(&csv, options("classification", "y")).expect("a run");
    assert_eq!(finished.report().counts.predicted, 16);
    assert!(
        finished
            .report()
            .warnings
            .iter()
            .any(|warning| warning.code == "unlabeled_rows" && warning.count == 20)
    );
}

#[test]
fn many_classes_are_learned() {
    let csv = table(
        2_000,
        &[("x", &|row| (row % 1_000).to_string()), ("y", &|row| format!("class {}", row % 1_000))],
    );
    let finished = finish(&csv, options("classification", "y")).expect("a run");
    assert_eq!(finished.rows[0].len(), 5 + 1_000);
}

#[test]
fn classes_with_a_single_row_leave_rows_to_test() {
    for (rows, ratio, tested) in [(20, 0.95, 1), (22, 0.95, 1), (40, 0.8, 2)] {
        let label =
            |row: usize| if row < 4 { ["a", "b"][row % 2].to_owned() } else { format!("alone {row}") };
        let csv = table(rows, &[("x", &|row| dice(row, 1).to_string()), ("y", &label)]);
        let all =
            Options { train_split_ratio: ratio, extent: Extent::default(), ..options("classification", "y") };
        let finished = finish(&csv, all).expect("a run");
        assert_eq!(finished.rows.len() - 1, tested);
        assert!(finished.column("actual").iter().all(|label| ["a", "b"].contains(label)));
    }
}

#[test]
fn numbers_with_leading_zeros_are_numbers_without_a_warning() {
    let csv = table(
        60,
        &[("x", &|row| dice(row, 1).to_string()), ("y", &|row| format!("{:05}", dice(row, 1) + row))],
    );
    assert_eq!(finish(&csv, options("regression", "y")).expect("a run").warning("non_numeric_label"), None);
    // One in a hundred may be none.
    let csv = table(
        200,
        &[
            ("x", &|row| dice(row, 1).to_string()),
            ("y", &|row| if row == 7 { "unknown".to_owned() } else { dice(row, 1).to_string() }),
        ],
    );
    let finished = finish(&csv, options("regression", "y")).expect("a run");
    assert_eq!(finished.warning("non_numeric_label").map(|(_, count)| count), Some(1));
}

#[test]
fn classes_that_come_up_in_the_last_rows_are_warned_of() {
    let csv = table(
        100,
        &[
            ("day", &|row| row.to_string()),
            ("x", &|row| dice(row, 1).to_string()),
            ("y", &|row| if row >= 97 { "new".to_owned() } else { (row % 2).to_string() }),
        ],
    );
    let timed = Options { time_column: Some("day".to_owned()), ..options("classification", "y") };
    let finished = finish(&csv, timed).expect("a run");
    let (message, count) = finished.warning("unseen_classes").expect("a warning");
    assert_eq!(count, 1);
    assert!(message.contains("3 of these") && message.contains("'new'"), "{message}");
    let at_random = finish(&csv, options("classification", "y")).expect("a run");
    assert_eq!(at_random.warning("unseen_classes"), None);
}

#[test]
fn rows_without_a_time_come_first_and_are_counted() {
    let csv = table(
        100,
        &[
            ("day", &|row| if row >= 90 { String::new() } else { row.to_string() }),
            ("x", &|row| dice(row, 1).to_string()),
            ("y", &|row| (row % 2).to_string()),
        ],
    );
    let timed = Options { time_column: Some("day".to_owned()), ..options("classification", "y") };
    let finished = finish(&csv, timed).expect("a run");
    assert_eq!(finished.warning("rows_without_time").map(|(_, count)| count), Some(10));
    assert_eq!(finished.numbers("row_index"), (70..90).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn the_largest_labels_are_learned_like_others() {
    let csv = table(
        120,
        &[("x", &|row| dice(row, 1).to_string()), ("y", &|row| format!("{}e97", 2 * dice(row, 1) % 997))],
    );
    for problem in ["regression", "quantile"] {
        let all = Options {
            problem_type: problem.to_owned(),
            extent: Extent::default(),
            ..options("regression", "y")
        };
        let finished = finish(&csv, all).expect("a run");
        assert!(finished.numbers("prediction").iter().all(|value| value.is_finite() && *value != 0.0));
        let weights: f64 = finished.report().leaderboard.iter().map(|member| member.weight).sum();
        assert!((weights - 1.0).abs() < 1e-9);
        assert_eq!(finished.warning("members_not_finite"), None);
    }
}
