//! Members of the ensemble on tables with missing cells.

use proptest::prelude::*;
use tabcast_tabular::{Extent, Facts, Options, members};

use crate::support::{Finished, dice, finish, options, table};

const ROWS: usize = 90;

/// A table with a column of every type, whose cells are blank where `is_missing` says so for a column and a row, and
/// a label that most columns have a share in.
fn csv(is_missing: &dyn Fn(usize, usize) -> bool, label: &dyn Fn(f64) -> String) -> String {
    let cell = |at: usize, row: usize, text: String| if is_missing(at, row) { String::new() } else { text };
    let day = |row: usize, stream: usize| {
        let (year, month, day) =
            (dice(row, stream) % 6, dice(row, stream + 1) % 12, dice(row, stream + 2) % 28);
        format!("{}-{:02}-{:02}", 2018 + year, 1 + month, 1 + day)
    };
    let worth = |row: usize| {
        dice(row, 1) as f64 / 300.0
            + (dice(row, 3) % 3) as f64
            + (dice(row, 6) % 12) as f64 / 4.0
            + dice(row, 9) as f64 / 500.0
    };
    table(
        ROWS,
        &[
            ("number", &|row| cell(0, row, format!("{}.5", dice(row, 1)))),
            ("integer", &|row| cell(1, row, (dice(row, 2) % 9).to_string())),
            ("level", &|row| cell(2, row, ["red", "green", "blue"][dice(row, 3) % 3].to_owned())),
            ("flag", &|row| cell(3, row, ["true", "false"][dice(row, 4) % 2].to_owned())),
            ("day", &|row| cell(4, row, day(row, 5))),
            ("instant", &|row| cell(5, row, format!("{}T{:02}:{:02}:00", day(row, 10), row % 24, row % 60))),
            ("words", &|row| {
                let word =
                    |stream: usize| ["old", "new", "large", "small", "house", "boat"][dice(row, stream) % 6];
                cell(6, row, format!("a {} {} with {} and {} parts", word(14), word(15), word(16), word(17)))
            }),
            ("constant", &|row| cell(7, row, "7".to_owned())),
            ("none", &|_| String::new()),
            ("label", &|row| label(worth(row))),
        ],
    )
}

fn run(csv: &str, task: &str) -> Finished {
    let options =
        Options { extent: Extent::Weighted, validation_holdout_ratio: 0.5, ..options(task, "label") };
    finish(csv, options).expect("a run")
}

/// Every member took part, and every number is finite.
fn assert_whole(finished: &Finished, classes: Option<usize>) {
    assert_eq!(finished.warning("members_not_finite"), None);
    assert_eq!(finished.warning("members_left_out"), None);
    let board = &finished.report().leaderboard;
    assert!(board.iter().all(|member| member.loss.is_finite()));
    let mut found: Vec<&str> = board.iter().map(|member| member.member).collect();
    let all = members(&Facts { rows: ROWS / 2, classes });
    // Logarithms are learned where the label is skewed, and remainders of the linear member where there are some.
    let mut expected: Vec<&str> = all.iter().map(|member| member.name()).collect();
    expected.retain(|name| *name != "boosting_of_logarithms" || found.contains(name));
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn a_blank_date_cell_takes_no_member_out() {
    let is_missing = |at: usize, row: usize| at == 4 && row == 11;
    let finished = run(&csv(&is_missing, &|worth| u8::from(worth > 4.5).to_string()), "classification");
    assert_whole(&finished, Some(2));
    let finished = run(&csv(&is_missing, &|worth| format!("{worth:.3}")), "regression");
    assert_whole(&finished, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// Cells of any columns are blank, among the rows that are learned from, those that are predicted, or both.
    #[test]
    fn any_mix_of_missing_cells_keeps_every_member(
        shares in prop::collection::vec(0_usize..4, 8),
        is_classification in any::<bool>(),
        stream in 30_usize..60,
    ) {
        let is_missing = |at: usize, row: usize| dice(row, stream + 40 * at) < [0, 30, 400, 900][shares[at]];
        let (task, classes) = if is_classification { ("classification", Some(2)) } else { ("regression", None) };
        let label = |worth: f64| {
            if is_classification { u8::from(worth > 4.5).to_string() } else { format!("{worth:.3}") }
        };
        let finished = run(&csv(&is_missing, &label), task);
        assert_whole(&finished, classes);
        let numbers = if is_classification { "confidence" } else { "prediction" };
        prop_assert!(finished.numbers(numbers).iter().all(|number| number.is_finite()));
    }
}
