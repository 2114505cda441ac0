//! Labels as they come out of files.

use tabcast_tabular::Options;

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
