//! Missing cells wherever they are.

use proptest::prelude::*;
use tabcast_tabular::{Encoder, Matrix, Role, Target, View};

use crate::tables::{Table, bits, column, names};

/// Rows that are fitted on; as many follow that are not.
const ROWS: usize = 40;

/// Cells of every type of column; those that are blank are missing.
fn table(is_missing: impl Fn(usize, usize) -> bool) -> Table {
    let rows = 0..2 * ROWS;
    let numbers = |at: usize, of: &dyn Fn(usize) -> f64| -> Vec<f64> {
        rows.clone().map(|row| if is_missing(at, row) { f64::NAN } else { of(row) }).collect()
    };
    let texts = |at: usize, of: &dyn Fn(usize) -> String| -> Vec<String> {
        rows.clone().map(|row| if is_missing(at, row) { String::new() } else { of(row) }).collect()
    };
    let day = |row: usize| format!("20{:02}-{:02}-{:02}", 10 + row % 9, 1 + row * 5 % 12, 1 + row * 7 % 28);
    Table::default()
        .numbers("number", Role::Number, numbers(0, &|row| (row as f64 * 1.7).sin() * 1e3))
        .numbers("integer", Role::Number, numbers(1, &|row| (row % 7) as f64))
        .numbers("flag", Role::Boolean, numbers(2, &|row| (row % 2) as f64))
        .texts("yes", Role::Boolean, &texts(3, &|row| ["yes", "no"][row * 3 % 2].to_owned()))
        .texts("level", Role::Category, &texts(4, &|row| ["a", "b", "c"][row % 3].to_owned()))
        .texts("many", Role::HighCardinality, &texts(5, &|row| format!("m{}", row / 2)))
        .texts("day", Role::Date, &texts(6, &day))
        .texts("instant", Role::Date, &texts(7, &|row| format!("{} {:02}:30:00", day(row * 2), row % 24)))
        .numbers("digits", Role::Date, numbers(8, &|row| 20_240_101.0 + (row % 28) as f64))
        .texts("words", Role::Text, &texts(9, &|row| format!("word{} and word{} again", row % 4, row % 3)))
        .numbers("constant", Role::Number, numbers(10, &|_| 5.0))
        .texts("same day", Role::Date, &texts(11, &|_| "2024-02-29".to_owned()))
}

fn encode(table: &Table, view: View) -> [Matrix; 2] {
    let target = Target::Values((0..ROWS).map(|row| (row % 5) as f64).collect());
    let rows: Vec<u32> = (0..ROWS as u32).collect();
    let others: Vec<u32> = (ROWS as u32..2 * ROWS as u32).collect();
    let (encoder, fitted) = Encoder::fit(view, &table.frame, &table.decisions, &rows, &target, 3);
    [fitted, encoder.transform(&table.frame, &others)]
}

#[test]
fn a_blank_date_is_a_finite_place_that_is_told_once() {
    let table = table(|at, row| at == 6 && row % 4 == 0);
    let [fitted, other] = encode(&table, View::Dense);
    for matrix in [&fitted, &other] {
        assert!(matrix.columns.iter().flatten().all(|value| value.is_finite()));
        let missing: Vec<&str> =
            names(matrix).into_iter().filter(|name| name.ends_with(": missing")).collect();
        // The two dates that it is compared with make features of their own.
        assert_eq!(missing[0], "day: year: missing");
        assert_eq!(missing.iter().filter(|name| name.starts_with("day: ")).count(), 1);
    }
    // A day without a place in the year is as far from January as from July.
    assert_eq!(column(&fitted, "day: sine of the year")[4], 0.0);
    assert_eq!(column(&fitted, "day: cosine of the year")[4], 0.0);
    assert_eq!(column(&fitted, "day: year: missing")[4], 1.0);
    assert_eq!(column(&fitted, "day: year: missing")[5], 0.0);
}

#[test]
fn numbers_that_differ_only_by_being_missing_are_the_indicator_alone() {
    let table = table(|at, row| at == 10 && row % 3 == 0);
    let [fitted, other] = encode(&table, View::Dense);
    let of_constant: Vec<&str> =
        names(&fitted).into_iter().filter(|name| name.starts_with("constant")).collect();
    assert_eq!(of_constant, ["constant: missing"]);
    assert_eq!(column(&other, "constant: missing")[..3], [0.0, 0.0, 1.0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is missing, among the fitted rows, among others or both: models that measure distances see finite
    /// numbers, and all views have the same features of other rows.
    #[test]
    fn any_mix_of_missing_cells_is_finite(
        shares in prop::collection::vec((0_u32..4, 0_u32..4), 12),
        seed in any::<u64>(),
    ) {
        let is_missing = |at: usize, row: usize| {
            let (fitted, other) = shares[at];
            let share = [0, 1, 30, 100][if row < ROWS { fitted } else { other } as usize];
            tabcast_statistics::random::bits(seed, (at * 2 * ROWS + row) as u64) % 100 < share
        };
        let table = table(is_missing);
        for view in [View::Sets, View::Statistics, View::Dense] {
            let [fitted, other] = encode(&table, view);
            prop_assert_eq!(names(&fitted), names(&other));
            prop_assert_eq!(bits(&fitted).len(), fitted.features.len());
            for (name, values) in names(&fitted).iter().zip(fitted.columns.iter().zip(&other.columns)) {
                let mut all = values.0.iter().chain(values.1);
                prop_assert!(!all.any(|value| value.is_infinite()), "{name}");
                if view == View::Dense {
                    let mut all = values.0.iter().chain(values.1);
                    prop_assert!(all.all(|value| value.is_finite()), "{name}");
                    prop_assert!(values.0.iter().any(|value| *value != values.0[0]), "{name} tells nothing");
                }
            }
        }
    }
}
