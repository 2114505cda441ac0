//! What columns are taken for.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use tabcast_table::{FileFormat, Frame, FrameColumn, FrameOptions, Limits, read_frame};
use tabcast_tabular::{ColumnDecision, NamedColumns, Role, Target, decide, iso_dates};

/// A table with the given columns of texts, and a label of two classes behind them.
fn frame(columns: &[(&str, Vec<String>)]) -> Frame {
    let rows = columns[0].1.len();
    let mut csv: String = columns.iter().fold(String::new(), |line, (name, _)| line + name + ",") + "label\n";
    for row in 0..rows {
        for (_, cells) in columns {
            write!(csv, "\"{}\",", cells[row]).unwrap();
        }
        writeln!(csv, "{}", label(row)).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, csv).unwrap();
    let cancel = AtomicBool::new(false);
    read_frame(&FrameOptions {
        paths: vec![path],
        format: FileFormat::Csv,
        compression: None,
        sheet: None,
        limits: Limits::default(),
        threads: 2,
        cancel: &cancel,
    })
    .unwrap()
}

/// Nothing that a column of these tests follows.
fn label(row: usize) -> u32 {
    (row * 7919 % 13 % 2) as u32
}

fn decided(columns: &[(&str, Vec<String>)], time: Option<usize>) -> Vec<ColumnDecision> {
    let frame = frame(columns);
    let rows: Vec<u32> = (0..frame.rows as u32).collect();
    let labels = (0..frame.rows).map(label).collect();
    let named = NamedColumns { label: columns.len(), time };
    let decisions = decide(&frame, named, &rows, &Target::Classes { labels, classes: 2 });
    assert_eq!(decisions.len(), columns.len() + 1);
    assert_eq!(decisions[columns.len()].role, Role::Label);
    assert!(decisions.iter().all(|decision| !decision.notes.is_empty()));
    decisions
}

fn only(name: &str, cells: impl Iterator<Item = String>) -> ColumnDecision {
    decided(&[(name, cells.collect())], None).swap_remove(0)
}

fn role(cell: impl Fn(usize) -> String) -> Role {
    only("x", (0..400).map(cell)).role
}

#[test]
fn kinds_of_columns_are_told_apart() {
    assert_eq!(role(|row| format!("{}.5", row % 90)), Role::Number);
    assert_eq!(role(|row| (row % 7).to_string()), Role::Number);
    assert_eq!(role(|row| (row % 2).to_string()), Role::Boolean);
    assert_eq!(role(|row| ["Yes", "no"][row % 2].to_owned()), Role::Boolean);
    assert_eq!(role(|row| ["true", "false", ""][row % 3].to_owned()), Role::Boolean);
    assert_eq!(role(|row| ["m", "f"][row % 2].to_owned()), Role::Category);
    assert_eq!(role(|row| format!("level {}", row % 9)), Role::Category);
    assert_eq!(role(|row| format!("level {}", row % 60)), Role::HighCardinality);
    assert_eq!(role(|row| format!("row {row}")), Role::Identifier);
    assert_eq!(role(|row| format!("{} words of some length {row}", row % 11)), Role::Text);
    assert_eq!(role(|row| format!("2026-01-{:02} 10:{:02}", row % 28 + 1, row % 60)), Role::Date);
    assert_eq!(role(|row| format!("202601{:02}", row % 28 + 1)), Role::Date);
    assert_eq!(role(|_| "same".to_owned()), Role::Constant);
    assert_eq!(role(|_| "7".to_owned()), Role::Constant);
    assert_eq!(role(|row| ["", "NA"][row % 2].to_owned()), Role::Empty);
    // Where there is a value says something.
    assert_eq!(role(|row| ["", "7"][row % 2].to_owned()), Role::Number);
    assert_eq!(role(|row| ["", "seen"][row % 2].to_owned()), Role::Category);
}

#[test]
fn many_levels_are_called_rare_only_where_they_are() {
    let note = |rows: usize| only("x", (0..rows).map(|row| format!("level {}", row % 200))).notes.concat();
    assert_eq!(note(400), "It has 200 different texts in 400 rows, so that many of them are rare.");
    assert_eq!(note(8_000), "It has 200 different texts in 8000 rows, about 40 rows each.");
}

#[test]
fn codes_stay_levels() {
    assert_eq!(role(|row| format!("{:05}", row * 37 % 90)), Role::HighCardinality);
    assert_eq!(role(|row| ["1", "2", "3", "4", "5+"][row % 5].to_owned()), Role::Category);
}

#[test]
fn a_few_texts_among_numbers_are_missing() {
    let cells =
        (0..400).map(|row| if row % 50 == 3 { "unknown".to_owned() } else { (row * row % 977).to_string() });
    let decision = only("x", cells);
    assert_eq!((decision.role, decision.missing), (Role::Number, 8));
    assert!(decision.notes[0].contains("all but 8 are numbers") && decision.notes[0].contains("'unknown'"));
    let cells =
        (0..400).map(|row| if row % 5 == 3 { "unknown".to_owned() } else { (row * row % 977).to_string() });
    assert_eq!(only("x", cells).role, Role::HighCardinality);
    let cells = (0..400)
        .map(|row| if row % 50 == 3 { "later".to_owned() } else { format!("2026-03-{:02}", row % 30 + 1) });
    let decision = only("x", cells);
    assert_eq!((decision.role, decision.missing), (Role::Date, 8));
}

#[test]
fn dates_with_the_day_or_the_month_first_become_iso_dates() {
    let iso = |cells: [&str; 3]| {
        let mut frame = frame(&[("x", (0..60).map(|row| cells[row % 3].to_owned()).collect())]);
        let rows: Vec<u32> = (0..60).collect();
        let target = Target::Classes { labels: (0..60).map(label).collect(), classes: 2 };
        let decisions = decide(&frame, NamedColumns { label: 1, time: None }, &rows, &target);
        assert_eq!(decisions[0].role, Role::Date, "{decisions:?}");
        iso_dates(&mut frame, &decisions);
        let FrameColumn::Texts(column) = &frame.columns[0] else { panic!() };
        (decisions[0].notes[0].clone(), [0, 1, 2].map(|row| column.get(row).unwrap().to_owned()))
    };
    let (note, dates) = iso(["31/12/2025", "1/2/2026", "02/02/2026"]);
    assert_eq!(dates, ["2025-12-31", "2026-02-01", "2026-02-02"]);
    assert!(note.ends_with("Their day comes first."), "{note}");
    let (note, dates) = iso(["12/31/2025 1:05 PM", "1/2/2026 12:00 am", "02/02/2026 11:59 PM"]);
    assert_eq!(dates, ["2025-12-31 13:05", "2026-01-02 00:00", "2026-02-02 23:59"]);
    assert!(note.ends_with("Their month comes first."), "{note}");
    assert_eq!(iso(["1/2/2026", "3/4/2026", "5/6/2026"]).1, ["2026-01-02", "2026-03-04", "2026-05-06"]);
    assert_eq!(
        iso(["1.2.2026", "3.4.2026", "5.6.2026 7:08"]).1,
        ["2026-02-01", "2026-04-03", "2026-06-05 07:08"]
    );
    assert_eq!(iso(["2026-01-02", "2026-03-04", "2026-05-06"]).1, ["2026-01-02", "2026-03-04", "2026-05-06"]);
    assert_ne!(role(|row| format!("{}/{}/2026", row % 31 + 1, row % 31 + 1)), Role::Date);
    assert_ne!(role(|row| format!("{}.{}.{}", row % 9, row % 7, row % 5)), Role::Date);
}

#[test]
fn identifiers_are_not_learned_from() {
    let identifier = |name: &str, cell: &dyn Fn(usize) -> usize| {
        only(name, (0..400).map(|row| cell(row).to_string())).role == Role::Identifier
    };
    assert!(identifier("n", &|row| row));
    assert!(identifier("n", &|row| 10_000 - row * 3));
    assert!(identifier("customer_id", &|row| row * 7919 % 4001));
    assert!(identifier("PassengerId", &|row| row * 7919 % 4001));
    assert!(!identifier("paid", &|row| row * 7919 % 4001));
    assert!(!identifier("n", &|row| row * row));
    assert!(!identifier("customer_id", &|row| row / 2));
    let dated =
        |time| decided(&[("n", (0..400).map(|row| row.to_string()).collect())], time).swap_remove(0).role;
    assert_eq!(dated(Some(0)), Role::Number);
}

#[test]
fn columns_that_say_the_same_are_used_once() {
    let column = |cell: &dyn Fn(usize) -> String| (0..400).map(cell).collect::<Vec<_>>();
    let decisions = decided(
        &[
            ("a", column(&|row| format!("{}.50", row % 90))),
            ("b", column(&|row| format!("{}.5", row % 90))),
            ("code", column(&|row| format!("k{}", row % 6))),
            ("name", column(&|row| format!("kind {}", row % 6))),
            ("other", column(&|row| format!("kind {}", row % 3))),
            ("unique", column(&|row| format!("2026-01-01 00:{:02}:{:02}", row / 60, row % 60))),
            ("words", column(&|row| format!("a sentence of five {row}"))),
        ],
        None,
    );
    let roles: Vec<Role> = decisions.iter().map(|decision| decision.role).collect();
    assert_eq!(roles[..2], [Role::Number, Role::Duplicate { of: 0 }]);
    assert_eq!(roles[2..5], [Role::Category, Role::Duplicate { of: 2 }, Role::Category]);
    assert_eq!(roles[5..7], [Role::Date, Role::Text]);
    assert!(decisions[1].notes[0].contains("'a'"));
}

#[test]
fn a_column_that_knows_the_label_is_kept_with_a_warning() {
    let column = |cell: &dyn Fn(usize) -> String| (0..400).map(cell).collect::<Vec<_>>();
    let decisions = decided(
        &[
            ("number", column(&|row| format!("{}", label(row) as usize * 1_000 + row * 31 % 700))),
            ("level", column(&|row| format!("{}{}", ["good", "bad"][label(row) as usize], row % 3))),
            ("filled", column(&|row| if label(row) == 1 { format!("{}.5", row % 9) } else { String::new() })),
            ("plain", column(&|row| (row * 31 % 700).to_string())),
            ("half", column(&|row| format!("{}", label(row) as usize * 400 + row * 31 % 700))),
        ],
        None,
    );
    for (decision, is_leak) in decisions.iter().zip([true, true, true, false, false]) {
        assert_eq!(decision.leak.is_some(), is_leak, "{decision:?}");
        assert!(decision.role.is_feature());
        assert_eq!(decision.notes.len(), 1 + usize::from(is_leak));
    }
    let values: Vec<f64> = (0..400).map(|row| f64::from(row * row % 977)).collect();
    let frame = frame(&[
        ("cents", values.iter().map(|value| (value * 100.0).to_string()).collect()),
        ("log", values.iter().map(|value| (value + 1.0).ln().to_string()).collect()),
        (
            "noisy",
            values.iter().enumerate().map(|(row, value)| (value + (row % 200) as f64).to_string()).collect(),
        ),
    ]);
    let rows: Vec<u32> = (0..400).collect();
    let decisions = decide(&frame, NamedColumns { label: 3, time: None }, &rows, &Target::Values(values));
    let leaks: Vec<bool> = decisions.iter().map(|decision| decision.leak.is_some()).collect();
    assert_eq!(leaks, [true, true, false, false]);
}

#[test]
fn only_training_rows_are_looked_at() {
    let cells: Vec<String> = (0..400).map(|row| if row < 200 { "a" } else { "b" }.to_owned()).collect();
    let frame = frame(&[("x", cells), ("y", (0..400).map(|row| (row % 40).to_string()).collect())]);
    let rows: Vec<u32> = (0..200).collect();
    let target = Target::Classes { labels: (0..200).map(label).collect(), classes: 2 };
    let decisions = decide(&frame, NamedColumns { label: 2, time: None }, &rows, &target);
    assert_eq!((decisions[0].role, decisions[0].distinct), (Role::Constant, 1));
    assert_eq!((decisions[1].role, decisions[1].distinct), (Role::Number, 40));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_table_is_decided_whatever_the_threads(
        cells in proptest::collection::vec(("[0-9a-b.,-]{0,3}", "[a-c]?", -9_i32..9), 1..80),
    ) {
        let columns = [
            ("x", cells.iter().map(|cell| cell.0.clone()).collect::<Vec<_>>()),
            ("y", cells.iter().map(|cell| cell.1.clone()).collect()),
            ("z", cells.iter().map(|cell| cell.2.to_string()).collect()),
        ];
        let frame = frame(&columns);
        let rows: Vec<u32> = (0..frame.rows as u32).collect();
        let target = Target::Classes { labels: (0..frame.rows).map(label).collect(), classes: 2 };
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| decide(&frame, NamedColumns { label: 3, time: None }, &rows, &target))
        };
        let decisions = with(1);
        prop_assert_eq!(&with(3), &decisions);
        for decision in decisions {
            prop_assert!(decision.distinct + decision.missing <= frame.rows + decision.distinct);
            prop_assert!(decision.missing <= frame.rows);
        }
    }
}
