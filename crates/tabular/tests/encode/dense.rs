//! Numbers for models that measure distances.

use proptest::prelude::*;
use tabcast_tabular::{Encoder, Matrix, Role, Target, View};

use crate::tables::{Table, column, names};

fn fit(table: &Table, rows: u32) -> (Encoder, Matrix) {
    let target = Target::Values((0..rows).map(f64::from).collect());
    let rows: Vec<u32> = (0..rows).collect();
    Encoder::fit(View::Dense, &table.frame, &table.decisions, &rows, &target, 3)
}

#[test]
fn missing_numbers_stand_at_the_median_and_have_an_indicator() {
    let some: Vec<f64> = (0..100).map(|row| if row % 10 == 0 { f64::NAN } else { f64::from(row) }).collect();
    let mut one: Vec<f64> = (0..100).map(f64::from).collect();
    one[7] = f64::NAN;
    let table = Table::default().numbers("some", Role::Number, some).numbers("one", Role::Number, one);
    let (_, matrix) = fit(&table, 100);
    assert_eq!(names(&matrix), ["some", "some: missing", "one"]);
    assert_eq!((column(&matrix, "some")[10], column(&matrix, "some: missing")[10]), (0.0, 1.0));
    assert_eq!(column(&matrix, "one")[7], 0.0);
    assert_eq!(matrix.sources, [0, 0, 1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any numbers become finite ones in the same order.
    #[test]
    fn values_are_finite_and_keep_their_order(
        values in prop::collection::vec(prop_oneof![4 => -1e3..1e3, 1 => any::<f64>(), 1 => Just(0.0)], 20..60),
    ) {
        let values: Vec<f64> = values.into_iter().map(|value: f64| if value.is_finite() { value } else { f64::NAN }).collect();
        let table = Table::default().numbers("x", Role::Number, values.clone());
        let (_, matrix) = fit(&table, values.len() as u32);
        prop_assert!(matrix.columns.iter().flatten().all(|value| value.is_finite() && value.abs() <= 1e3));
        if let Some(scaled) = matrix.columns.first() {
            for (a, b) in values.iter().zip(scaled) {
                for (c, d) in values.iter().zip(scaled) {
                    prop_assert!(a.is_nan() || c.is_nan() || (a <= c) <= (b <= d), "{a} {c} became {b} {d}");
                }
            }
        }
    }
}
