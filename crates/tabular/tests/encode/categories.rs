//! Levels as codes and as indicators.

use tabcast_tabular::{Encoder, Role, Target, View};
use tabcast_trees::FeatureKind;

use crate::tables::{Table, column, names};

#[test]
fn codes_follow_frequency_and_unseen_levels_stand_behind_them() {
    let table = Table::default().texts("c", Role::Category, &["b", "a", "b", "", "a", "b", "z"]);
    let target = Target::Values(vec![0.0; 6]);
    let rows = [0, 1, 2, 3, 4, 5];
    let (encoder, matrix) = Encoder::fit(View::Sets, &table.frame, &table.decisions, &rows, &target, 1);
    let FeatureKind::Categorical { levels } = &matrix.features[0].kind else { panic!("not a category") };
    assert_eq!(levels, &["b", "a"]);
    assert_eq!(matrix.columns[0][..3], [0.0, 1.0, 0.0]);
    assert!(matrix.columns[0][3].is_nan());
    assert_eq!(encoder.transform(&table.frame, &[6, 1]).columns[0], [2.0, 1.0]);
}

#[test]
fn rare_levels_share_a_code() {
    let cells: Vec<String> = (0..300).chain(0..200).map(|level| format!("level {level}")).collect();
    let table = Table::default().texts("c", Role::HighCardinality, &cells);
    let rows: Vec<u32> = (0..500).collect();
    let target = Target::Values((0..500).map(|row| f64::from(row % 7)).collect());
    let (_, matrix) = Encoder::fit(View::Sets, &table.frame, &table.decisions, &rows, &target, 1);
    let codes = column(&matrix, "c");
    assert_eq!(codes[0], 0.0);
    assert_eq!(codes[252], 252.0);
    assert!((253..300).all(|row| codes[row] == 253.0));
    let FeatureKind::Categorical { levels } = &matrix.features[0].kind else { panic!("not a category") };
    assert_eq!((levels.len(), levels[253].as_str()), (254, "other"));
    assert_eq!(names(&matrix), ["c", "c: mean label", "c: rows"]);
}

#[test]
fn numbers_can_be_levels() {
    let values = vec![3.0, -0.0, 3.0, 0.0, f64::NAN, 1.5, 3.0, 7.0];
    let table = Table::default().numbers("n", Role::Category, values);
    let target = Target::Values(vec![0.0; 7]);
    let rows = [0, 1, 2, 3, 4, 5, 6];
    let (encoder, matrix) = Encoder::fit(View::Sets, &table.frame, &table.decisions, &rows, &target, 1);
    let FeatureKind::Categorical { levels } = &matrix.features[0].kind else { panic!("not a category") };
    assert_eq!(levels, &["3", "0", "1.5"]);
    assert_eq!(matrix.columns[0][..4], [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(encoder.transform(&table.frame, &[7]).columns[0], [3.0]);
}

#[test]
fn few_levels_have_an_indicator_each_and_rare_ones_share_one() {
    let mut cells = vec!["a"; 10];
    cells.extend(["b"; 6]);
    cells.extend(["c", "d", "", "", "new"]);
    let table = Table::default().texts("c", Role::Category, &cells);
    let rows: Vec<u32> = (0..20).collect();
    let target = Target::Values(vec![0.0; 20]);
    let (encoder, matrix) = Encoder::fit(View::Dense, &table.frame, &table.decisions, &rows, &target, 1);
    assert_eq!(names(&matrix), ["c: level 1", "c: level 2", "c: other level", "c: missing"]);
    let row = |matrix: &tabcast_tabular::Matrix, at: usize| -> Vec<f64> {
        matrix.columns.iter().map(|column| column[at]).collect()
    };
    assert_eq!(row(&matrix, 0), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(row(&matrix, 15), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(row(&matrix, 17), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(row(&matrix, 18), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(row(&encoder.transform(&table.frame, &[20]), 0), [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn words_for_yes_are_one() {
    let table = Table::default().texts("t", Role::Boolean, &["true", "false", "", "true"]).texts(
        "y",
        Role::Boolean,
        &["n", "y", "y", "maybe"],
    );
    let target = Target::Values(vec![0.0; 3]);
    let (encoder, matrix) =
        Encoder::fit(View::Statistics, &table.frame, &table.decisions, &[0, 1, 2], &target, 1);
    assert_eq!(column(&matrix, "t")[..2], [1.0, 0.0]);
    assert!(column(&matrix, "t")[2].is_nan());
    assert_eq!(column(&matrix, "y"), [0.0, 1.0, 1.0]);
    assert!(column(&encoder.transform(&table.frame, &[3]), "y")[0].is_nan());
}
